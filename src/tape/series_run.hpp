// How a series runs: one order of one stage at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>
#include <dalembert/tape/recurrence.hpp>
#include <dalembert/tape/series.hpp>

#include "companions.hpp"

namespace dalembert {

inline std::string whereabouts(Expr e) {
  return e ? fmt::format(", in '{}'", text_excerpt(e)) : std::string();
}

template <class S, int W>
void Series<S, W>::run(Stage stage, int k) {
  for (const Step& step : steps_[static_cast<std::size_t>(stage)]) {
    if (step.linear) {
      run_linear(step, k);
    } else {
      run_group(groups_[step.first], k);
    }
  }
}

template <class S, int W>
void Series<S, W>::run_linear(const Step& step, int k) {
  S* column = data() + static_cast<std::size_t>(k) * W;
  for (std::uint32_t i = step.first; i < step.last; ++i) {
    const Linear& linear = linear_[i];
    S sum = k == 0 ? constants_[linear.bias] : constants_[0];
    for (std::uint32_t j = linear.first; j < linear.last; ++j) {
      const LinearOperand& operand = linear_operands_[j];
      LaneMath<S>::add_product(sum, constants_[operand.coefficient], column[operand.source]);
    }
    column[linear.result] = sum;
  }
}

// Brings coefficient k of an operand to where its group reads it.
template <class S, int W>
void Series<S, W>::load(const Operand& operand, int k) {
  if (operand.copied) {
    const S* column = data() + static_cast<std::size_t>(k) * W;
    S* lanes = reinterpret_cast<S*>(&memory_[operand.block + static_cast<std::size_t>(k)]);
    for (std::size_t lane = 0; lane < W; ++lane) lanes[lane] = column[operand.source[lane]];
  }
  if (operand.differentiated) {
    memory_[operand.derivative + static_cast<std::size_t>(k)] =
        LaneMath<Block>::of(k) * memory_[operand.block + static_cast<std::size_t>(k)];
  }
}

template <class S, int W>
void Series<S, W>::run_group(const Group& group, int k) {
  load(group.x, k);
  if (group.y.present) load(group.y, k);
  if (group.z.present) load(group.z, k);
  try {
    if (k == 0) {
      evaluate(group);
    } else {
      extend(group, k);
      if (wants_du(group.op)) {
        memory_[group.du + static_cast<std::size_t>(k)] =
            LaneMath<Block>::of(k) * memory_[group.u + static_cast<std::size_t>(k)];
      }
    }
  } catch (const NotRational& error) {  // exact numbers run alone, so that lane 0 is the culprit
    throw NotRational(error.message() + whereabouts(group.meaning[0]));
  } catch (const Error& error) {
    throw Error(error.message() + whereabouts(group.meaning[0]));
  }
}

// Order 0: the values of the functions, lane by lane.
template <class S, int W>
void Series<S, W>::evaluate(const Group& group) {
  using Math = ScalarMath<S>;
  const S* x = reinterpret_cast<const S*>(&memory_[group.x.block]);
  const S* y = reinterpret_cast<const S*>(&memory_[group.y.block]);
  S* u = reinterpret_cast<S*>(&memory_[group.u]);
  S* second = reinterpret_cast<S*>(&memory_[group.second]);
  for (std::size_t i = 0; i < W; ++i) {
    switch (group.op) {
      case Op::linear:
        break;
      case Op::product:
        u[i] = x[i] * y[i];
        break;
      case Op::square:
        u[i] = x[i] * x[i];
        break;
      case Op::quotient:
        u[i] = LaneMath<S>::divide(x[i], y[i]);
        break;
      case Op::inverse:
        u[i] = LaneMath<S>::divide(constants_[1], x[i]);
        break;
      case Op::sqrt:
        u[i] = Math::sqrt(x[i]);
        break;
      case Op::power:
        u[i] = Math::pow(x[i], constants_[group.exponent[i]]);
        break;
      case Op::exp:
        u[i] = Math::exp(x[i]);
        break;
      case Op::log:
        u[i] = Math::log(x[i]);
        break;
      case Op::sincos:
        u[i] = Math::sin(x[i]), second[i] = Math::cos(x[i]);
        break;
      case Op::sinhcosh:
        u[i] = Math::sinh(x[i]), second[i] = Math::cosh(x[i]);
        break;
      case Op::tan:
        u[i] = Math::tan(x[i]), second[i] = constants_[1] + u[i] * u[i];
        break;
      case Op::tanh:
        u[i] = Math::tanh(x[i]), second[i] = constants_[1] - u[i] * u[i];
        break;
      case Op::asin:
        u[i] = Math::asin(x[i]);
        break;
      case Op::acos:
        u[i] = Math::acos(x[i]);
        break;
      case Op::atan:
        u[i] = Math::atan(x[i]);
        break;
      case Op::atan2:
        u[i] = Math::atan2(x[i], y[i]);
        break;
      case Op::abs:
        u[i] = Math::abs(x[i]);
        break;
      case Op::sign:
        u[i] = LaneMath<S>::sign(x[i]);
        break;
      case Op::min:
        u[i] = LaneMath<S>::of_lesser(x[i], y[i], x[i], y[i]);
        break;
      case Op::max:
        u[i] = LaneMath<S>::of_greater(x[i], y[i], x[i], y[i]);
        break;
    }
  }
}

// Order k >= 1: the recurrences.
template <class S, int W>
void Series<S, W>::extend(const Group& group, int k) {
  const Block* x = &memory_[group.x.block];
  const Block* dx = &memory_[group.x.derivative];
  const Block* y = &memory_[group.y.block];
  Block* u = &memory_[group.u];
  Block* second = &memory_[group.second];
  const Block* du = &memory_[group.du];
  switch (group.op) {
    case Op::linear:
      break;
    case Op::product:
      u[k] = recurrence::product(x, y, k);
      break;
    case Op::square:
      u[k] = recurrence::square(x, k);
      break;
    case Op::quotient:
      u[k] = recurrence::quotient(x, y, u, k);
      break;
    case Op::inverse:
      u[k] = recurrence::inverse(x, u, k);
      break;
    case Op::sqrt:
      u[k] = recurrence::sqrt(x, u, k);
      break;
    case Op::power:
      extend_power(group, k);
      break;
    case Op::exp:
      u[k] = recurrence::integral_of_product(dx, u, k);
      break;
    case Op::sincos:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = -recurrence::integral_of_product(dx, u, k);
      break;
    case Op::sinhcosh:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = recurrence::integral_of_product(dx, u, k);
      break;
    case Op::tan:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = recurrence::square(u, k);
      break;
    case Op::tanh:
      u[k] = recurrence::integral_of_product(dx, second, k);
      second[k] = -recurrence::square(u, k);
      break;
    case Op::log:
      u[k] = recurrence::integral_of_quotient(x, x, du, k);
      break;
    case Op::asin:
    case Op::acos:
    case Op::atan:
      u[k] = recurrence::integral_of_quotient(x, y, du, k);
      break;
    case Op::atan2:
      u[k] = recurrence::atan2(x, dx, y, &memory_[group.y.derivative], &memory_[group.z.block], du, k);
      break;
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
      select_branch(group, k);
      break;
  }
}

// Powers: lanes whose base is zero have a series only for natural exponents, by a recurrence of its own.
template <class S, int W>
void Series<S, W>::extend_power(const Group& group, int k) {
  using Scalar = typename LaneMath<Block>::Scalar;
  constexpr std::size_t lanes = LaneMath<Block>::lanes;
  const Block* x = &memory_[group.x.block];
  Block* u = &memory_[group.u];
  Block exponents = LaneMath<Block>::of(0);
  for (std::size_t i = 0; i < W; ++i) reinterpret_cast<S*>(&exponents)[i] = constants_[group.exponent[i]];

  const auto* a = reinterpret_cast<const Scalar*>(x);
  const auto* c = reinterpret_cast<const Scalar*>(&exponents);
  const auto natural_power_of_zero = [&](std::size_t lane) {
    constexpr int largest = 1'000'000;
    return a[lane] == 0 && c[lane] >= 0 && c[lane] <= largest && c[lane] == static_cast<int>(c[lane]);
  };
  std::array<bool, lanes> special{};
  for (std::size_t lane = 0; lane < lanes; ++lane) special[lane] = natural_power_of_zero(lane);
  const auto is_special = [](bool flag) { return flag; };
  if (!std::all_of(special.begin(), special.end(), is_special)) {
    u[k] = recurrence::power(x, &memory_[group.x.derivative], u, &memory_[group.du], exponents, k);
  }
  auto* result = reinterpret_cast<Scalar*>(u);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    if (!special[lane]) continue;
    result[static_cast<std::size_t>(k) * lanes + lane] =
        recurrence::power_at_zero(a + lane, result + lane, lanes, static_cast<int>(c[lane]), k);
  }
}

// abs, sign, min, max: the series of the branch that holds at order 0.
template <class S, int W>
void Series<S, W>::select_branch(const Group& group, int k) {
  const auto order = static_cast<std::size_t>(k);
  const S* x0 = reinterpret_cast<const S*>(&memory_[group.x.block]);
  const S* y0 = reinterpret_cast<const S*>(&memory_[group.y.block]);
  const S* x = reinterpret_cast<const S*>(&memory_[group.x.block + order]);
  const S* y = reinterpret_cast<const S*>(&memory_[group.y.block + order]);
  S* u = reinterpret_cast<S*>(&memory_[group.u + order]);
  for (std::size_t i = 0; i < W; ++i) {
    switch (group.op) {
      case Op::abs:
        u[i] = LaneMath<S>::sign(x0[i]) * x[i];
        break;
      case Op::min:
        u[i] = LaneMath<S>::of_lesser(x0[i], y0[i], x[i], y[i]);
        break;
      case Op::max:
        u[i] = LaneMath<S>::of_greater(x0[i], y0[i], x[i], y[i]);
        break;
      default:
        u[i] = constants_[0];
        break;
    }
  }
}

}  // namespace dalembert
