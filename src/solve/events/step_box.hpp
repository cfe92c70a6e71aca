// What functions of the motion can be along a step, by intervals: where that excludes zero nothing needs to
// be looked for.
#pragma once

#include <cstddef>
#include <vector>

#include <dalembert/solve/step_polynomials.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/interval_values.hpp>

namespace dalembert {

class StepBox {
 public:
  /// Of registers of the program of the system's events.
  StepBox(const System& system, const std::vector<Register>& wanted);
  StepBox(const StepBox&) = delete;  // values_ points to program_
  StepBox& operator=(const StepBox&) = delete;

  /// The box of t, q, v, a and λ over 0 <= τ <= length, and of the functions over it.
  void read(const StepPolynomials<double>& step, double begin, double length);

  Interval value(const Scaled& output) const { return values_.value(output); }
  /// Of a multiplier.
  Interval multiplier(std::size_t j) const { return range_of(first_multiplier_ + j); }

 private:
  Interval range_of(std::size_t component) const;

  std::size_t n_, first_multiplier_;
  Program program_;
  std::vector<std::size_t> used_;  // components of q, v, a, λ that the program takes
  IntervalValues values_;
  const StepPolynomials<double>* step_ = nullptr;
  double length_ = 0;
};

}  // namespace dalembert
