#include <dalembert/tape/operations.hpp>

namespace dalembert {

Interval operations::Power::enclose(const Interval& x, const Interval& exponent) {
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

Branch branch_of(Op op) {
  return with_operation(op, [](auto unit) { return unit.branch; });
}

Domain domain_of(Op op) {
  return with_operation(op, [](auto unit) { return unit.domain; });
}

std::span<const RecurrenceRow> rows_of(Op op) {
  return with_operation(op, [](auto unit) -> std::span<const RecurrenceRow> {
    if constexpr (requires { unit.rows; }) return decltype(unit)::rows;
    return {};
  });
}

Register operand(const Instruction& i, Source source) {
  switch (source) {
    case Source::x:
      return i.x;
    case Source::y:
      return i.y;
    case Source::z:
      return i.z;
    case Source::u:
      return i.result;
    case Source::second:
      return i.second_result;
    case Source::none:
    case Source::row0:
    case Source::row1:
    case Source::row2:
    case Source::given:
      break;
  }
  return no_register;
}

}  // namespace dalembert
