// An ordinary differential equation y' = F(t, y) as explicit methods see it.
#pragma once

#include <span>
#include <string>

namespace dalembert {

class Ode {
 public:
  Ode() = default;
  Ode(const Ode&) = delete;
  Ode& operator=(const Ode&) = delete;
  virtual ~Ode() = default;

  /// False: there is no slope at this place, `reason` tells why.
  virtual bool eval(double t, std::span<const double> y, std::span<double> slope) = 0;

  /// Told before each attempt of a step. True: slopes depend on its size.
  virtual bool set_step(double /*t*/, std::span<const double> /*y*/, double /*h*/) { return false; }

  enum class Finish { kept, moved, failed };
  /// After a step: y may be moved onto the constraints.
  virtual Finish finish_step(double /*t*/, std::span<double> /*y*/) { return Finish::kept; }

  /// Told once, before the first step of a run to `end`.
  virtual void expect(double /*t*/, double /*end*/, std::span<const double> /*y*/) {}
  /// Raises the sizes that errors of a step are measured by to what is worth a measure.
  virtual void raise_sizes(double /*h*/, std::span<double> /*sizes*/) const {}
  /// Told where a step from this state fails: sizes may have to be raised more.
  virtual void look_again(double /*t*/, std::span<const double> /*y*/) {}

  std::string reason;
};

}  // namespace dalembert
