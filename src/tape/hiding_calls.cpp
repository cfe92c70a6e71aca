#include <algorithm>
#include <cmath>
#include <limits>

#include <dalembert/tape/hiding_calls.hpp>

namespace dalembert {
namespace {

constexpr double half_pi = 1.57079632679489661923;
constexpr double nearly = 0.9;  // the series converges there, if slowly
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
    switch (i.op) {
      case Op::linear:
      case Op::sincos:
      case Op::abs:
      case Op::sign:
      case Op::min:
      case Op::max:
      case Op::past_product:
        return;
      case Op::product:
        return look_at_power(i, i.x, i.y);
      case Op::square:
        return look_at_power(i, i.x, i.x);
      case Op::quotient:
        return calls.push_back({i.op, i.result, i.second_result, i.y});
      case Op::atan2:
        return calls.push_back({i.op, i.result, i.second_result, i.x, i.y});
      case Op::inverse:
      case Op::sqrt:
      case Op::power:
      case Op::exp:
      case Op::log:
      case Op::sinhcosh:
      case Op::tan:
      case Op::tanh:
      case Op::asin:
      case Op::acos:
      case Op::atan:
        return calls.push_back({i.op, i.result, i.second_result, i.x});
    }
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
  const double size = std::abs(x);
  const double half_order = 0.5 * order;
  switch (call.op) {
    case Op::exp:
    case Op::sinhcosh:
      return half_order;
    case Op::tanh:
      return std::min(0.5 * half_order, nearly * std::hypot(x, half_pi));
    case Op::tan:
      return nearly * (half_pi - std::abs(std::remainder(x, 2 * half_pi)));
    case Op::atan:
      return nearly * std::hypot(x, 1.0);
    case Op::atan2:
      return nearly * std::hypot(x, y);
    case Op::asin:
    case Op::acos:
      return nearly * (1 - size);
    case Op::product:
    case Op::square:
      if (call.natural_power <= half_order) return std::numeric_limits<double>::infinity();
      return size * half_order / call.natural_power;
    case Op::inverse:
    case Op::quotient:
    case Op::sqrt:
    case Op::log:
    case Op::power:
      return nearly * size;
    case Op::linear:
    case Op::sincos:
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
    case Op::past_product:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

bool is_visible(const HidingCall& call, const Interval& x, int order) {
  constexpr double few = 8;
  const double half_order = 0.5 * order;
  const double most = x.magnitude();
  const double least = x.contains(0) ? 0 : std::min(std::abs(x.low), std::abs(x.high));
  switch (call.op) {
    case Op::exp:
    case Op::sinhcosh:
      return x.width() <= half_order;
    case Op::tanh:
      return x.width() <= 0.5 * half_order;
    case Op::inverse:
    case Op::quotient:
    case Op::sqrt:
    case Op::log:
    case Op::power:
      return most <= few * least;
    case Op::atan:
      return 1 + most * most <= few * (1 + least * least);
    case Op::asin:
    case Op::acos:
      return most < 1 && 1 - least * least <= few * (1 - most * most);
    case Op::product:
    case Op::square:
      return least > 0 && call.natural_power * std::log(most / least) <= half_order;
    case Op::tan:
    case Op::atan2:
    case Op::linear:
    case Op::sincos:
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
    case Op::past_product:
      break;
  }
  return false;
}

bool has_value(const HidingCall& call, double x) {
  const bool is_root = call.op == Op::sqrt || call.op == Op::log || call.op == Op::power;
  const bool is_arc = call.op == Op::asin || call.op == Op::acos;
  return !(is_root && x < 0) && !(is_arc && std::abs(x) > 1);
}

}  // namespace dalembert
