// How a series runs: one order of one stage at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/team.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/tape/recurrence.hpp>
#include <dalembert/tape/series.hpp>
#include <dalembert/tape/sincos.hpp>

namespace dalembert {

inline std::string whereabouts(Expr e) {
  return e ? fmt::format(", in '{}'", text_excerpt(e)) : std::string();
}

// Runs f(i) for i = 0 .. count − 1; an error tells the expression that meaning(i) is.
template <class F, class Meaning>
void for_each_naming_culprits(std::size_t count, F f, Meaning meaning) {
  std::size_t i = 0;
  try {
    while (i < count) i += f(i);
  } catch (const NotRational& error) {
    throw NotRational(error.message() + whereabouts(meaning(i)));
  } catch (const Error& error) {
    throw Error(error.message() + whereabouts(meaning(i)));
  }
}

// Beyond the largest number: of such values only inverses are of use, and those are zero with all their
// coefficients. Those of the value itself are taken as zero, since 0 · ∞ would not be a number.
template <class S>
recurrence::Factors<S> unless_infinite(const S& value, const recurrence::Factors<S>& f) {
  if constexpr (std::is_same_v<S, double>) {
    return std::isinf(value) ? recurrence::Factors<S>{} : f;
  } else if constexpr (LaneMath<S>::lanes > 1) {
    const S largest = S{} + std::numeric_limits<double>::max();
    const S zero = LaneMath<S>::of(0);
    const S size = ScalarMath<S>::abs(value);
    const auto kept = [&](const S& factor) { return LaneMath<S>::of_lesser(size, largest, factor, zero); };
    return {kept(f.sum), kept(f.x), kept(f.y)};
  } else {
    return f;
  }
}

template <class S>
S Series<S>::limited(const S& value) const {
  if constexpr (std::is_same_v<S, double>) {
    if (std::abs(value) > this->largest_)
      return std::copysign(std::numeric_limits<double>::infinity(), value);
  }
  return value;
}

template <class S>
void Series<S>::run(Stage stage, int k) {
  const auto number = static_cast<std::size_t>(stage);
  const SeriesPlan::Codes& codes = plan_->stages[number];
  std::vector<Convolutions<S>>& convolutions = convolutions_[number];
  if (codes.size() > 1) {
    team_->run([&](int part) {
      const auto i = static_cast<std::size_t>(part);
      run(codes[i], convolutions[i], k);
    });
  }
  run(codes.back(), convolutions.back(), k);
}

template <class S>
void Series<S>::run(const Code& code, Convolutions<S>& convolutions, int k) {
  if (k == 0) {
    evaluate(code);
  } else if (!code.segments.empty()) {
    if (k == 1) find_factors(code, convolutions);
    extend(code, convolutions, k);
  }
}

template <class S>
void Series<S>::evaluate(const Code& code) {
  const auto evaluate_some = [&](std::size_t i) -> std::size_t {
    if (code.values[i].op == Op::sincos) return evaluate_sincos(std::span(code.values).subspan(i));
    evaluate(code.values[i]);
    return 1;
  };
  for_each_naming_culprits(code.values.size(), evaluate_some,
                           [&](std::size_t i) { return plan_->program->meaning[code.results[i]]; });
}

// Sines and cosines that follow each other, as many at once as there are lanes.
template <class S>
std::size_t Series<S>::evaluate_sincos(std::span<const Placed> instructions) {
  S* values = writable(0);
  const auto put = [&](const Placed& i, const S& sine, const S& cosine) {
    values[i.result] = sine;
    values[i.second_result] = cosine;
  };
  if constexpr (std::is_same_v<S, double>) {
    Lanes<native_lanes> x{};
    std::size_t count = 0;
    while (count < native_lanes && count < instructions.size() && instructions[count].op == Op::sincos) {
      x[count] = values[instructions[count].x];
      ++count;
    }
    Lanes<native_lanes> sine, cosine;
    sincos<native_lanes>(x, sine, cosine);
    for (std::size_t i = 0; i < count; ++i) put(instructions[i], sine[i], cosine[i]);
    return count;
  } else if constexpr (LaneMath<S>::lanes > 1) {
    S sine, cosine;
    sincos<LaneMath<S>::lanes>(values[instructions[0].x], sine, cosine);
    put(instructions[0], sine, cosine);
  } else {
    const S& x = values[instructions[0].x];
    const S sine = ScalarMath<S>::sin(x);
    put(instructions[0], sine, ScalarMath<S>::cos(x));
  }
  return 1;
}

// Order 0: the values of the functions.
template <class S>
void Series<S>::evaluate(const Placed& i) {
  using Math = ScalarMath<S>;
  using Lane = LaneMath<S>;
  S* values = writable(0);
  const S& x = values[i.x];
  const S& y = values[i.y];
  S& u = values[i.result];
  S& second = values[i.second_result];
  const S& one = constants_[1];
  switch (i.op) {
    case Op::linear: {
      S sum = constants_[i.constant];
      for (const Term& term : std::span(terms_).subspan(i.first_term, i.term_count)) {
        Lane::add_product(sum, term.coefficient, values[term.x]);
      }
      u = sum;
      break;
    }
    case Op::product:
      u = x * y;
      break;
    case Op::square:
      u = x * x;
      break;
    case Op::quotient:
      u = Lane::divide(x, y);
      break;
    case Op::inverse:
      u = Lane::divide(one, x);
      break;
    case Op::sqrt:
      u = Math::sqrt(x);
      break;
    case Op::power:
      u = Math::pow(x, constants_[i.constant]);
      break;
    case Op::exp:
      u = limited(Math::exp(x));
      break;
    case Op::log:
      u = Math::log(x);
      break;
    case Op::sinhcosh:
      u = limited(Math::sinh(x)), second = limited(Math::cosh(x));
      break;
    case Op::tan:
      u = Math::tan(x), second = one + u * u;
      break;
    case Op::tanh:
      u = Math::tanh(x), second = one - u * u;
      break;
    case Op::asin:
      u = Math::asin(x);
      break;
    case Op::acos:
      u = Math::acos(x);
      break;
    case Op::atan:
      u = Math::atan(x);
      break;
    case Op::atan2:
      u = Math::atan2(x, y);
      turn_to_side(i);
      break;
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
      evaluate_branch(i);
      break;
    case Op::sincos:  // evaluate_sincos()
    case Op::past_product:
      break;
  }
}

template <class S>
void Series<S>::find_factors(const Code& code, Convolutions<S>& convolutions) {
  const auto find_one = [&](std::size_t i) -> std::size_t {
    find_factors(convolutions, code.nonlinear[i]);
    return 1;
  };
  const auto meaning = [&](std::size_t i) {
    const std::vector<Place>& places = plan_->places;
    const auto at = std::find(places.begin(), places.end(), code.nonlinear[i].instruction.result);
    return plan_->program->meaning[static_cast<std::size_t>(at - places.begin())];
  };
  for_each_naming_culprits(code.nonlinear.size(), find_one, meaning);
}

// The factors of an instruction's rows and sums, from the values at order 0.
template <class S>
void Series<S>::find_factors(Convolutions<S>& convolutions, const Nonlinear& n) {
  using recurrence::Factors;
  const Placed& i = n.instruction;
  const S* values = row(0);
  const S& x = values[i.x];
  const S& y = values[i.y];
  const S& z = values[i.z];
  const S& u = values[i.result];
  const S& second = values[i.second_result];
  const S& one = constants_[1];
  const auto set = [&](std::uint32_t nth, const Factors<S>& f) {
    factors_[n.row + nth] = {f.x, f.y};
    convolutions.set_factor(n.pair + nth, f.sum);
  };
  // A root of what is zero is zero as long as that is; coefficients that are not make it infinite.
  const auto is_zero = [](const S& value) {
    if constexpr (std::is_same_v<S, double> || std::is_same_v<S, Real>) return value == 0;
    return false;
  };
  const auto at_branch_point = [] {
    if constexpr (std::is_same_v<S, double> || std::is_same_v<S, Real>)
      return Factors<S>{S(0), S(std::numeric_limits<double>::max()), S(0)};
    return Factors<S>{};
  };
  const auto opposite = [](const Factors<S>& f) { return Factors<S>{-f.sum, -f.x, -f.y}; };
  switch (i.op) {
    case Op::product:
      return set(0, unless_infinite(u, recurrence::product(x, y)));
    case Op::square:
      return set(0, unless_infinite(u, recurrence::square(x)));
    case Op::quotient:
      return set(0, recurrence::quotient(y, u));
    case Op::inverse:
      return set(0, recurrence::inverse(u));
    case Op::sqrt:
      return set(0, is_zero(x) ? at_branch_point() : recurrence::sqrt(u));
    case Op::power: {
      if (is_natural_power_of_zero(i, 0) && LaneMath<S>::lanes == 1) return;  // extend_power_at_zero()
      const Factors<S> f =
          is_zero(x) && is_zero(u) ? at_branch_point() : recurrence::power(x, u, constants_[i.constant]);
      factors_[n.row + 1] = {f.x, one};
      convolutions.set_factor(n.pair, f.sum);
      convolutions.set_factor(n.pair + 1, f.y);
      return;
    }
    case Op::exp:
      return set(0, unless_infinite(u, recurrence::integral_of_product(u)));
    case Op::sincos:
      set(0, recurrence::integral_of_product(second));
      return set(1, opposite(recurrence::integral_of_product(u)));
    case Op::sinhcosh:
      set(0, unless_infinite(u, recurrence::integral_of_product(second)));
      return set(1, unless_infinite(second, recurrence::integral_of_product(u)));
    case Op::tan:
      set(0, recurrence::integral_of_product(second));
      return set(1, recurrence::square(u));
    case Op::tanh:
      set(0, recurrence::integral_of_product(second));
      return set(1, opposite(recurrence::square(u)));
    case Op::log:
      return set(0, recurrence::integral_of_quotient(x));
    case Op::asin:
    case Op::acos:
    case Op::atan:
      return set(0, recurrence::integral_of_quotient(y));
    case Op::atan2: {
      const Factors<S> f = recurrence::atan2(x, y, z);
      convolutions.set_factor(n.pair, f.sum);
      convolutions.set_factor(n.pair + 1, -f.sum);
      convolutions.set_factor(n.pair + 2, -f.sum);
      factors_[n.row + 1].y = one;
      factors_[n.row + 2] = {f.x, f.y};
      factors_[n.row + 3] = {one, one};
      return;
    }
    // z_k + c (Σ' x_j y_{k−j} + y_0 x_k)
    case Op::past_product:
      return set(0, {constants_[i.constant], constants_[i.constant] * y, one});
    case Op::abs:
    case Op::min:
    case Op::max:
      return find_branch_factors(n);
    case Op::sign:
    case Op::linear:
      return;
  }
}

// The branch that is held, or the one of the values at order 0.
template <class S>
void Series<S>::evaluate_branch(const Placed& i) {
  using Lane = LaneMath<S>;
  S* values = writable(0);
  const S& x = values[i.x];
  const S& y = values[i.y];
  S& u = values[i.result];
  const Side& side = sides_.find(i.result)->second;
  const S& a = side.is_held ? side.sign : x;
  const S& b = side.is_held ? constants_[0] : y;
  if (i.op == Op::min) {
    u = Lane::of_lesser(a, b, x, y);
  } else if (i.op == Op::max) {
    u = Lane::of_greater(a, b, x, y);
  } else if (i.op == Op::sign) {
    u = side.is_held ? side.sign : Lane::sign(x);
  } else {
    u = side.is_held ? S(side.sign * x) : ScalarMath<S>::abs(x);
  }
}

// On the cut of an atan2, and where rounding errors lie beyond it: the value of the side that is held.
template <class S>
void Series<S>::turn_to_side(const Placed& i) {
  if constexpr (LaneMath<S>::lanes == 1 && !std::is_same_v<S, Rational>) {
    const Side& side = sides_.find(i.result)->second;
    if (!side.is_held) return;
    S* values = writable(0);
    const bool is_beyond = values[i.y] < 0 && side.sign * values[i.result] < 0;
    if (is_beyond) values[i.result] += side.sign * (ScalarMath<S>::pi() * S(2));
  }
}

template <class S>
void Series<S>::find_branch_factors(const Nonlinear& n) {
  using Lane = LaneMath<S>;
  const Placed& i = n.instruction;
  const S* values = row(0);
  const Side& side = sides_.find(i.result)->second;
  const S& a = side.is_held ? side.sign : values[i.x];
  const S& b = side.is_held ? constants_[0] : values[i.y];
  const S& zero = constants_[0];
  const S& one = constants_[1];
  RowFactors& factors = factors_[n.row];
  if (i.op == Op::min) {
    factors = {Lane::of_lesser(a, b, one, zero), Lane::of_lesser(a, b, zero, one)};
  } else if (i.op == Op::max) {
    factors = {Lane::of_greater(a, b, one, zero), Lane::of_greater(a, b, zero, one)};
  } else {
    factors = {Lane::sign(a), zero};
  }
}

template <class S>
void Series<S>::extend(const Code& code, Convolutions<S>& convolutions, int k) {
  if (k > 1) {
    S* before = writable(k - 1);
    const S order = LaneMath<S>::of(k - 1);
    for (const SeriesPlan::Derivative& derivative : code.derivatives)
      before[derivative.dx] = order * before[derivative.x];
    convolutions.load(before, k - 1);
  }
  convolutions.run(k);

  const S* sums = convolutions.sums();
  const SeriesPlan::Row* rows = plan_->rows.data();
  const RowFactors* factors = factors_.data();
  S* z = writable(k);
  for (const SeriesPlan::Segment& segment : code.segments) {
    S* u = z + plan_->first_row;
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      const SeriesPlan::Row& r = rows[i];
      S value = sums[r.sum];
      LaneMath<S>::add_product(value, factors[i].x, z[r.x]);
      LaneMath<S>::add_product(value, factors[i].y, z[r.y]);
      u[i] = value;
    }
    if (segment.power != SeriesPlan::none) extend_power_at_zero(code.nonlinear[segment.power].instruction, k);
  }
}

template <class S>
bool Series<S>::is_natural_power_of_zero(const Placed& power, std::size_t lane) const {
  using Scalar = typename LaneMath<S>::Scalar;
  const Scalar& a = reinterpret_cast<const Scalar*>(row(0) + power.x)[lane];
  const Scalar& c = reinterpret_cast<const Scalar*>(&constants_[power.constant])[lane];
  constexpr int largest = 1'000'000;
  return a == 0 && c >= 0 && c <= largest && c == static_cast<int>(c);
}

// Where the base is zero, a power has a series only for natural exponents, by a recurrence of its own.
template <class S>
void Series<S>::extend_power_at_zero(const Placed& power, int k) {
  using Scalar = typename LaneMath<S>::Scalar;
  constexpr std::size_t lanes = LaneMath<S>::lanes;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (!is_natural_power_of_zero(power, lane)) continue;
    const auto* a = reinterpret_cast<const Scalar*>(row(0) + power.x) + lane;
    const auto* u = reinterpret_cast<const Scalar*>(row(0) + power.result) + lane;
    const auto* c = reinterpret_cast<const Scalar*>(&constants_[power.constant]) + lane;
    reinterpret_cast<Scalar*>(writable(k) + power.result)[lane] =
        recurrence::power_at_zero(a, u, plan_->row_size * lanes, static_cast<int>(*c), k);
  }
}

}  // namespace dalembert
