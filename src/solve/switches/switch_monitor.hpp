// Looks at the ends of steps, and into them, for what a method that takes no account of branches and poles
// can run into: a sign that it crosses in step after step (dry friction that sticks), a pole that it has
// leapt over, a switch back and forth within one step.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/program.hpp>

#include "run/state_stepper.hpp"

namespace dalembert {

/// Why a run ends where a motion would have to stay on the jump of a call.
std::string stays_reason(std::string_view call);

class SwitchMonitor {
 public:
  explicit SwitchMonitor(const System& system);

  void start(double t, std::span<const double> q, std::span<const double> v);
  /// After a step, with the time that is left. The reason to stop there, or nothing.
  std::string look(StateStepper& stepper, double remaining);
  /// What the run was not told about.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Pole {  // of 1/x, y/x, tan x
    Register divisor, result;
    bool is_tangent;
    Expr call;
  };

  static Program watched_program(const System& system, std::vector<Pole>& poles);
  void evaluate(double t, std::span<const double> q, std::span<const double> v);
  void read_sides(std::vector<int>& sides) const;
  double turns(const Pole& pole) const;
  std::string find_pole();
  std::string count_changes(double t, double remaining);
  void look_inside(StateStepper& stepper, double begin, double end);

  const System* system_;
  std::vector<Pole> poles_;
  Program program_;
  ValueTape switches_, values_;
  std::vector<double> divisors_, results_;  // at the end of the step before
  std::vector<int> sides_, next_, inner_;
  std::vector<double> q_, v_;
  std::vector<std::size_t> changes_, turns_;     // since block_begin_, of each switch
  std::vector<double> sizes_, growth_;           // of the arguments at the end of the last step
  std::vector<double> largest_, block_largest_;  // arguments of the run, and since block_begin_
  std::vector<bool> is_noted_;
  std::size_t steps_ = 0;  // since block_begin_
  double block_begin_ = 0, time_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace dalembert
