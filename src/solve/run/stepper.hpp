// What a run consists of: one accepted step after the other. The driver (driver.hpp) takes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dalembert/solve/observer.hpp>
#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

/// Times of type T.
template <class T>
class Stepper {
 public:
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// One accepted step that does not go beyond `limit`; a step that ends there ends at `limit` exactly.
  /// False: the state is the one before, `reason` tells why.
  virtual bool step(const T& limit) = 0;
  /// After everything within the step was read: takes over to what holds behind its end. False: nothing
  /// does, `reason` tells why; the step itself is good.
  virtual bool leave_step() { return true; }
  /// At the end of the last step.
  virtual T t() const = 0;

  std::string reason;
};

/// Steps of a mechanical motion.
template <class S>
class MotionStepper : public Stepper<S> {
 public:
  using State = typename Observer<S>::State;

  /// Goes to a consistent state. False: `reason` tells why.
  virtual bool restart(const S& t, std::span<const S> q, std::span<const S> v) = 0;

  enum class Detail { motion, all };  ///< q and v alone; a and λ too
  /// The state within the last step or at its end, after restart() there, until the next call. Nothing: it
  /// has no a and λ, `reason` tells why.
  virtual std::optional<State> at(const S& t, Detail detail) = 0;
  /// q and v within the last step, in doubles, as the method's own curve has them.
  virtual void eval_curve(double t, std::span<double> q, std::span<double> v) = 0;

  /// The last step in τ = t − its beginning, where the method has polynomials that hold all along it.
  virtual const StepPolynomials<S>* polynomials() const { return nullptr; }
  /// Of the motion from t on, which is within the last step, until the next call; where it has such
  /// polynomials.
  virtual const StepPolynomials<S>* polynomials_from(const S& /*t*/) { return nullptr; }

  /// The work of the forces from where it was asked for last within this step, or its beginning, to `to`.
  virtual S work_to(const S& to, Observer<S>& observer) = 0;
  /// Signs that neither side of a jump gives have values of their own at time t: see Observer.
  virtual void hold_signs(const S& /*t*/, Observer<S>& /*observer*/) {}

  struct Residuals {
    std::span<const S> g, gv;
  };
  /// At the end of the last step, where the method knows them.
  virtual std::optional<Residuals> residuals() const { return std::nullopt; }

  struct Size {
    double length;
    int order;
  };
  virtual Size size() const = 0;  ///< of the last step
  /// Gauss-Legendre points that the work along a step needs.
  virtual int quadrature_points() const = 0;

  /// What it has counted and met so far.
  virtual void tell(RunReport& report) const = 0;
  /// What the user should know of the run, at its end.
  virtual std::vector<std::string> notes() const = 0;
};

}  // namespace dalembert
