#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/tape/hiding_calls.hpp>
#include <dalembert/tape/operations.hpp>

namespace dalembert {
namespace {

// Lower powers are of the order of the series: they are polynomials of what they are powers of.
constexpr unsigned least_natural_power = 8;

struct NaturalPower {
  Register base;
  unsigned exponent;
};

class CallFinder {
 public:
  explicit CallFinder(const Program& program) : powers_(program.register_count()) {
    for (Register r = 0; r < powers_.size(); ++r) powers_[r] = {r, 1};
    for (const Instruction& i : program.instructions) look(i);
  }
  std::vector<HidingCall> calls;

 private:
  void look(const Instruction& i) {
    if (i.op == Op::product) return look_at_power(i, i.x, i.y);
    if (i.op == Op::square) return look_at_power(i, i.x, i.x);
    const bool hides = with_operation(i.op, [](auto unit) { return unit.hides; });
    if (!hides) return;
    const bool divides = i.op == Op::quotient;
    const bool has_cut = branch_of(i.op) == Branch::cut;
    calls.push_back({i.op, i.result, i.second_result, divides ? i.y : i.x, has_cut ? i.y : no_register});
  }

  void look_at_power(const Instruction& i, Register x, Register y) {
    if (powers_[x].base != powers_[y].base) return;
    const NaturalPower power{powers_[x].base, powers_[x].exponent + powers_[y].exponent};
    powers_[i.result] = power;
    if (power.exponent >= least_natural_power) {
      calls.push_back({i.op, i.result, i.second_result, power.base, no_register, power.exponent});
    }
  }

  std::vector<NaturalPower> powers_;
};

}  // namespace

std::vector<HidingCall> find_hiding_calls(const Program& program) { return CallFinder(program).calls; }

double visible_move(const HidingCall& call, double x, double y, int order) {
  if (call.natural_power > 0) {
    const double half_order = 0.5 * order;
    if (call.natural_power <= half_order) return std::numeric_limits<double>::infinity();
    return std::abs(x) * half_order / call.natural_power;
  }
  return with_operation(call.op, [&](auto unit) { return unit.visible_move(x, y, order); });
}

bool is_visible(const HidingCall& call, const Interval& x, int order) {
  if (call.natural_power > 0) {
    const double least = functions::least(x);
    return least > 0 && call.natural_power * std::log(x.magnitude() / least) <= 0.5 * order;
  }
  return with_operation(call.op, [&](auto unit) { return unit.is_visible(x, order); });
}

bool has_value(const HidingCall& call, double x) {
  return with_operation(call.op, [&](auto unit) { return unit.has_value(x); });
}

}  // namespace dalembert
