// How a series runs: one order of one stage at a time.
#pragma once

#include <algorithm>
#include <array>
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
#include <dalembert/tape/operations.hpp>
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

// Sines and cosines that follow each other, as many at once as there are lanes. Those of one level wait for
// none of each other; sin(sin(x)) is of two.
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
    const auto is_next = [&](const Placed& i) {
      return i.op == Op::sincos && i.level == instructions[0].level;
    };
    while (count < native_lanes && count < instructions.size() && is_next(instructions[count])) {
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
    const S sine = functions::value_of<functions::Sin>(x);
    put(instructions[0], sine, functions::value_of<functions::Cos>(x));
  }
  return 1;
}

// Order 0: the values of the operations; evaluate_sincos() has those of sines and cosines.
template <class S>
void Series<S>::evaluate(const Placed& i) {
  S* const values = writable(0);
  with_operation(i.op, [&](auto unit) {
    using Unit = decltype(unit);
    const S& x = values[i.x];
    S& u = values[i.result];
    if constexpr (Unit::branch != Branch::none) {
      const Side& side = this->sides_.find(i.result)->second;
      const bool is_chosen = side.is_held && Unit::branch != Branch::cut;
      if (!is_chosen) unit.evaluate(x, values[i.y], u, values[i.second_result]);
      if (side.is_held) u = unit.held_value(side.sign, x, values[i.y], u);
    } else if constexpr (std::is_same_v<Unit, operations::Linear>) {
      S sum = this->constants_[i.constant];
      for (const Term& term : std::span(this->terms_).subspan(i.first_term, i.term_count)) {
        LaneMath<S>::add_product(sum, term.coefficient, values[term.x]);
      }
      u = sum;
    } else if constexpr (std::is_same_v<Unit, operations::Power>) {
      unit.evaluate(x, this->constants_[i.constant], u, u);
    } else if constexpr (!std::is_same_v<Unit, operations::PastProduct>) {
      S& second = values[i.second_result];
      unit.evaluate(x, values[i.y], u, second);
      if constexpr (Unit::grows) {
        u = this->limited(u);
        second = this->limited(second);
      }
    }
  });
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
  const Placed& i = n.instruction;
  if (i.op == Op::power && is_natural_power_of_zero(i, 0) && LaneMath<S>::lanes == 1)
    return;  // extend_power_at_zero()
  const auto set = [&](const auto& rows, const auto& factors) {
    std::uint32_t pair = n.pair;
    for (std::size_t nth = 0; nth < factors.size(); ++nth) {
      this->factors_[n.row + nth] = {factors[nth].x, factors[nth].y};
      if (!rows[nth].sum.is_empty()) convolutions.set_factor(pair++, factors[nth].sum);
    }
  };
  const S* values = row(0);
  with_operation(i.op, [&](auto unit) {
    using Unit = decltype(unit);
    if constexpr (std::is_same_v<Unit, operations::PastProduct>) {
      const S& c = this->constants_[i.constant];
      const recurrence::Factors<S> f{c, c * values[i.y], this->constants_[1]};
      set(unit.rows, std::array{f});
    } else if constexpr (!std::is_same_v<Unit, operations::Linear>) {
      const S& y = std::is_same_v<Unit, operations::Power> ? this->constants_[i.constant] : values[i.y];
      const Side* held = nullptr;
      if constexpr (Unit::branch != Branch::none) held = &this->sides_.find(i.result)->second;
      const bool is_held = held != nullptr && held->is_held;
      set(unit.rows, unit.factors(Known<S>{values[i.x], y, values[i.z], values[i.result],
                                           values[i.second_result], is_held ? held->sign : values[i.x],
                                           is_held ? this->constants_[0] : values[i.y]}));
    }
  });
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
  // as is_half_integer of compile.cpp
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
