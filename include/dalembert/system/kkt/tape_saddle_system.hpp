// The saddle-point matrix at a state, for one right-hand side or a few: methods on accelerations. Its values
// stand in the registers of a tape and are read there by a list of operations, L D Lᵀ where the matrix allows
// it.
#pragma once

#include <span>
#include <utility>

#include <dalembert/linalg/static_symmetric.hpp>
#include <dalembert/system/kkt/saddle_pattern.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {

class TapeSaddleSystem {
 public:
  /// The tape is of the pattern's program.
  TapeSaddleSystem(SaddlePattern pattern, const ValueTape& tape);

  const SaddlePattern& pattern() const { return pattern_; }

  /// False when the matrix is singular to working precision.
  bool factor(const ValueTape& tape) { return factors_.factor(tape.registers()); }
  /// x becomes the solution of [M Dᵀ; C 0] solution = x.
  void solve(std::span<double> x) { factors_.solve(x); }
  /// The same, and as accurate as factor_and_solve(); at the state of factor().
  bool solve(const ValueTape& tape, std::span<double> x) { return factors_.solve(tape.registers(), x); }
  /// Both at once, which is faster than one after the other.
  bool factor_and_solve(const ValueTape& tape, std::span<double> x) {
    return factors_.factor_and_solve(tape.registers(), x);
  }

 private:
  SaddlePattern pattern_;
  StaticSymmetric factors_;
};

}  // namespace dalembert
