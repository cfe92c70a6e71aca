// The motion as y = (q, v), y' = (v, a), with the stabilizations of explicit methods.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "control/expected_forces.hpp"
#include "control/rest_sizes.hpp"
#include "run/constraint_residuals.hpp"
#include "runge_kutta/accelerations.hpp"
#include "runge_kutta/ode_stepper.hpp"

namespace dalembert {

class StateOde : public MotionOde {
 public:
  StateOde(const Problem& problem, const SolveOptions& options)
      : StateOde(problem, options, Subsystems(problem.system, problem.start.units)) {}

  std::vector<std::size_t> groups() const override { return groups_; }
  void write(double t, std::span<const double> q, std::span<const double> v, std::span<double> y) override;
  bool read(double t, std::span<const double> y, std::span<double> q, std::span<double> v) override;
  bool eval(double t, std::span<const double> y, std::span<double> slope) override;
  bool set_step(double t, std::span<const double> y, double h) override;
  /// From the index-1 form without Baumgarte's terms.
  bool eval_accelerations(double t, std::span<const double> q, std::span<const double> v, std::span<double> a,
                          std::span<double> lambda) override;
  Finish finish_step(double t, std::span<double> y) override;
  void expect(double t, double end, std::span<const double> y) override;
  void raise_sizes(double h, std::span<double> sizes) const override;
  void look_again(double t, std::span<const double> y) override;
  bool choose_unknowns(double t, std::span<const double> q, std::span<const double> v) override {
    accelerations_.improve_rows(t, q, v);
    return false;  // q and v serve with any rows
  }
  Accelerations* shared_accelerations() override { return &accelerations_; }

 protected:
  struct Motion {
    double t;
    std::span<const double> q, v;
  };
  /// The accelerations at a state. False: they do not exist; `reason` may say why.
  virtual bool eval_motion(const Motion& at, const BaumgarteTerms& terms, std::span<double> a) = 0;
  /// Moves a state onto the constraints; by default with the factored saddle-point matrix.
  virtual bool project(double t, std::span<double> q, std::span<double> v);

  Accelerations& accelerations() { return accelerations_; }
  RestSizes& rest_sizes() { return rest_; }

 private:
  StateOde(const Problem& problem, const SolveOptions& options, const Subsystems& subsystems);

  std::size_t n_;
  std::vector<std::size_t> groups_;  // positions, and velocities, of each subsystem
  Stabilization stabilization_;
  bool constrained_;
  double direction_;  // of time
  BaumgarteTerms terms_;
  std::vector<double> held_;                              // by constraint; empty where gains are given
  std::optional<ConstraintResiduals<double>> residuals_;  // at the start of a step, where it holds them
  Accelerations accelerations_;
  ExpectedForces expected_;
  RestSizes rest_;
  double least_q_, least_v_;  // behind an event: parts of the sizes that the motion had
};

}  // namespace dalembert
