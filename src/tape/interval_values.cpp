#include <cmath>
#include <utility>

#include <dalembert/tape/interval_values.hpp>

namespace dalembert {
namespace {

constexpr int library_units = 2;  // the C library's functions err by less
constexpr double pi = 3.14159265358979323846;

template <class F>
Interval increasing(const Interval& x, F f) {
  return hull({f(x.low), f(x.high)}, library_units);
}

// Whether phase + 2πk lies in x for some k; in doubt it does.
bool meets(const Interval& x, double phase) {
  const double doubt = 1e-12 * (1 + x.magnitude());
  const double turns = std::ceil((x.low - phase - doubt) / (2 * pi));
  return phase + 2 * pi * turns <= x.high + doubt;
}

Interval cosine(const Interval& x) {
  if (!(x.width() < 2 * pi)) return {-1, 1};
  Interval result = hull({std::cos(x.low), std::cos(x.high)}, library_units);
  if (meets(x, 0)) result.high = 1;
  if (meets(x, pi)) result.low = -1;
  return {std::max(result.low, -1.0), std::min(result.high, 1.0)};
}

Interval sine(const Interval& x) {
  if (!(x.width() < 2 * pi)) return {-1, 1};
  Interval result = hull({std::sin(x.low), std::sin(x.high)}, library_units);
  if (meets(x, pi / 2)) result.high = 1;
  if (meets(x, -pi / 2)) result.low = -1;
  return {std::max(result.low, -1.0), std::min(result.high, 1.0)};
}

Interval hyperbolic_cosine(const Interval& x) {
  const Interval result = hull({std::cosh(x.low), std::cosh(x.high)}, library_units);
  return x.contains(0) ? Interval(1, result.high) : Interval(std::max(result.low, 1.0), result.high);
}

// 1 − tanh² = 1 / cosh²: the difference would have no digits far from zero.
Interval hyperbolic_secant_squared(const Interval& x) { return Interval(1) / square(hyperbolic_cosine(x)); }

// x^p for a fixed p: monotonous on either side of zero for whole p, on x > 0 otherwise.
Interval power(const Interval& x, const Interval& exponent) {
  const double p = exponent.middle();
  const bool whole = p == std::round(p) && exponent.width() <= 1e-12 * std::abs(p);
  if (!whole) {
    if (!(x.low > 0)) return Interval::everything();
    return hull({std::pow(x.low, exponent.low), std::pow(x.low, exponent.high),
                 std::pow(x.high, exponent.low), std::pow(x.high, exponent.high)},
                library_units);
  }
  if (p < 0 && x.contains(0)) return Interval::everything();
  Interval result = hull({std::pow(x.low, p), std::pow(x.high, p)}, library_units);
  const bool even = std::fmod(p, 2) == 0;
  if (even && x.contains(0)) result.low = 0;
  return result;
}

Interval tangent(const Interval& x) {
  if (!(x.width() < pi) || meets(x, pi / 2) || meets(x, -pi / 2)) return Interval::everything();
  return increasing(x, [](double y) { return std::tan(y); });
}

Interval absolute(const Interval& x) {
  if (x.contains(0)) return {0, x.magnitude()};
  return x.low > 0 ? x : -x;
}

Interval sign(const Interval& x) {
  if (x.low > 0) return 1;
  if (x.high < 0) return -1;
  return {-1, 1};
}

}  // namespace

IntervalValues::IntervalValues(const Program& program, std::vector<Interval> constants)
    : program_(&program), constants_(std::move(constants)), registers_(program.register_count()) {}

void IntervalValues::set(std::size_t input, const Interval& value) {
  if (program_->inputs[input] != no_register) registers_[program_->inputs[input]] = value;
}

void IntervalValues::run() {
  for (const Instruction& instruction : program_->instructions) run(instruction);
}

void IntervalValues::run(const Instruction& instruction) {
  const Interval x = instruction.x == no_register ? Interval() : registers_[instruction.x];
  switch (instruction.op) {
    case Op::sincos:
      registers_[instruction.second_result] = cosine(x);
      break;
    case Op::sinhcosh:
      registers_[instruction.second_result] = hyperbolic_cosine(x);
      break;
    case Op::tan:
      registers_[instruction.second_result] = Interval(1) + square(tangent(x));
      break;
    case Op::tanh:
      registers_[instruction.second_result] = hyperbolic_secant_squared(x);
      break;
    default:
      break;
  }
  registers_[instruction.result] = evaluate(instruction);
}

Interval IntervalValues::evaluate(const Instruction& i) const {
  const Interval x = i.x == no_register ? Interval() : registers_[i.x];
  const Interval y = i.y == no_register ? Interval() : registers_[i.y];
  const bool within = x.low >= -1 && x.high <= 1;
  switch (i.op) {
    case Op::linear: {
      Interval sum = constants_[i.constant];
      for (std::uint32_t k = 0; k < i.term_count; ++k) {
        const LinearTerm& term = program_->terms[i.first_term + k];
        sum = sum + constants_[term.coefficient] * registers_[term.x];
      }
      return sum;
    }
    case Op::product:
      return i.x == i.y ? square(x) : x * y;
    case Op::square:
      return square(x);
    case Op::quotient:
      return x / y;
    case Op::inverse:
      return Interval(1) / x;
    case Op::sqrt:
      return x.low >= 0 ? increasing(x, [](double u) { return std::sqrt(u); }) : Interval::everything();
    case Op::power:
      return power(x, constants_[i.constant]);
    case Op::exp:
      return increasing(x, [](double u) { return std::exp(u); });
    case Op::log:
      return x.low > 0 ? increasing(x, [](double u) { return std::log(u); }) : Interval::everything();
    case Op::sincos:
      return sine(x);
    case Op::sinhcosh:
      return increasing(x, [](double u) { return std::sinh(u); });
    case Op::tan:
      return tangent(x);
    case Op::tanh:
      return increasing(x, [](double u) { return std::tanh(u); });
    case Op::asin:
      return within ? increasing(x, [](double u) { return std::asin(u); }) : Interval::everything();
    case Op::acos:
      return within ? increasing(x, [](double u) { return std::acos(u); }) : Interval::everything();
    case Op::atan:
      return increasing(x, [](double u) { return std::atan(u); });
    case Op::atan2:  // between the corners, unless the cut or the origin is met
      if (y.low <= 0 && x.contains(0)) return {-3.1415926535897936, 3.1415926535897936};
      return hull({std::atan2(x.low, y.low), std::atan2(x.low, y.high), std::atan2(x.high, y.low),
                   std::atan2(x.high, y.high)},
                  library_units);
    case Op::abs:
      return absolute(x);
    case Op::sign:
      return sign(x);
    case Op::min:
      return {std::min(x.low, y.low), std::min(x.high, y.high)};
    case Op::max:
      return {std::max(x.low, y.low), std::max(x.high, y.high)};
    case Op::past_product:
      return 0;
  }
  return Interval::everything();
}

}  // namespace dalembert
