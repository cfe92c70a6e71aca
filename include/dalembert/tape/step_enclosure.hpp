// What the registers of a program do along a step, beside what their series at its start say.
//
// With x(τ) the inputs' polynomials, u(τ) the value of a register at x(τ) and P(τ) its own polynomial, bounds
// of |u − P| over parts of the step follow instruction by instruction:
//
//   |xy − P_x P_y| ≤ |x| D_y + |P_y| D_x,   |φ(x) − φ(P_x)| ≤ max |φ'| D_x,   ...
//
// and always |u − P| ≤ the distance of what intervals allow for u from what they allow for P. A call whose
// argument stays near (visible_move()) adds nothing: its series shows what it does. Of the others only
// intervals know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dalembert/tape/hiding_calls.hpp>
#include <dalembert/tape/interval_values.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S>
class StepEnclosure {
 public:
  /// Of the registers `outputs` and what they depend on; `expanded` are those whose series are computed, with
  /// what they depend on. The series must outlive this.
  StepEnclosure(const Series<S>& series, std::span<const Register> outputs,
                std::span<const Register> expanded);

  /// Whether only calls of this input count: where the series of the others do not reach.
  void count_only(Register input) { only_ = input; }
  void count_all() { only_ = no_register; }

  /// Whether no call can hide anything.
  bool empty() const { return calls_.empty(); }
  /// Whether an output depends on a call that can.
  bool depends(Register r) const { return r != no_register && depends_[r]; }

  /// Takes the coefficients through order − 1 of a step of length h. False: every call's argument stays near.
  bool read(int order, const S& h);

  /// The bounds over a part of the step, 0 ≤ from < to ≤ 1, in one lane.
  void enclose(std::size_t lane, double from, double to);
  double deviation(Register r) const { return r == no_register ? 0 : deviations_[r]; }
  /// The largest size of a register over the part.
  double magnitude(Register r);
  /// Whether a register may be zero in the part where its series does not show it.
  bool hides_zero(Register x);
  /// The part of the step for which the arguments of the calls that deviate stay near.
  double visible_share();

  static double in_lane(const S& x, std::size_t lane);

 private:
  struct Call {
    HidingCall call;
    std::vector<double> moves;  // by lane: Σ |x_k| hᵏ
    Register only;              // the input that it depends on; no_register: there are several
    bool is_wide = false;       // in the present lane
  };
  struct Affected {
    Instruction instruction;
    int call = -1;  // number, if it is one that hides
  };

  void find_affected(const Program& program, std::span<const Register> outputs);
  int order() const { return static_cast<int>(powers_.size()); }
  bool is_wide(const Call& call, std::size_t lane);
  bool stays_near(const HidingCall& call, std::size_t lane, double share);
  std::span<const double> polynomial(Register r, std::size_t lane);
  Interval series_range(Register r);
  void enclose_operands(const Instruction& instruction);
  void know_range(Register r);
  bool has_deviating_operand(const Instruction& instruction) const;
  double propagated(const Instruction& instruction, bool second);
  void settle(const Instruction& instruction, Register result, double bound);
  double share_within(const Call& call);

  const Series<S>& series_;
  std::vector<Call> calls_;
  std::vector<Affected> affected_;  // in the order of the program
  std::vector<bool> depends_, expanded_;
  std::vector<IntervalValues> intervals_;  // by lane
  std::vector<S> powers_;                  // of h
  std::vector<double> deviations_;
  std::vector<std::uint32_t> writer_;  // by register: its instruction
  std::vector<unsigned> known_;  // by register: the number of the last enclose() that asked for its range
  unsigned round_ = 0;
  std::vector<double> polynomial_;
  std::size_t lane_ = 0;
  Register only_ = no_register;
  double from_ = 0, to_ = 1;
};

extern template class StepEnclosure<double>;
extern template class StepEnclosure<Real>;
extern template class StepEnclosure<Lanes<4>>;
extern template class StepEnclosure<Lanes<8>>;

}  // namespace dalembert
