// The factors of rows and sums, which the values at order 0 decide.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "lanes_writer.hpp"

namespace dalembert {

// k (sin q)_k = Σ_{j=1..k} j q_j (cos q)_{k−j} = (q' cos q)_{k−1}: where that product is there, sines and
// cosines need no sums of their own.
void LanesWriter::find_shared_products() {
  const auto is_basic = [](const SeriesPlan::Nonlinear& n) {
    const Op op = n.instruction.op;
    return op == Op::product || op == Op::square || op == Op::past_product || op == Op::sincos ||
           op == Op::quotient || op == Op::inverse || op == Op::sqrt;
  };
  // others may be infinite, and products with them then have factors of their own (recurrence.hpp)
  for (const Stage stage : {Stage::position, Stage::velocity})
    writes_factors_ = writes_factors_ && std::ranges::all_of(code(stage).nonlinear, is_basic);
  std::map<std::pair<Place, Place>, Place> products;
  for (const auto& [i, row, pair] : code(Stage::velocity).nonlinear) {
    if (i.op == Op::product) products[{i.x, i.y}] = products[{i.y, i.x}] = i.result;
  }
  for (const auto& [i, row, pair] : code(Stage::position).nonlinear) {
    if (i.op != Op::sincos) continue;
    for (std::size_t q = 0; q < shape_.n; ++q) {
      if (i.x != input(1 + q)) continue;
      const Place v = input(1 + shape_.n + q);
      const auto with_cosine = products.find({v, i.second_result}), with_sine = products.find({v, i.result});
      if (with_cosine == products.end() || with_sine == products.end()) continue;
      is_slope_[i.result] = {with_cosine->second, false};
      is_slope_[i.second_result] = {with_sine->second, true};
    }
  }
}

bool LanesWriter::is_number(ConstantId constant, long number) const {
  const Expr e = program_.constants[constant];
  return e.is_number() && e.number() == number;
}

// Of recurrence.hpp, from the values z0 at order 0; returns that of the sums.
std::string LanesWriter::find_factors(Stage stage, const SeriesPlan::Nonlinear& n, std::uint32_t number) {
  const Instruction& i = n.instruction;
  const auto at_start = [](Place place) { return fmt::format("z0[{}]", place); };
  const std::string own = fmt::format("g{}", n.row);
  const auto define = [&](const std::string& text) {
    definitions_ += fmt::format("  const num {} = {};\n", own, text);
    return own;
  };
  if (i.op == Op::sincos && writes_factors_) {
    factors_[n.row] = {at_start(i.second_result), ""};
    factors_[n.row + 1] = {at_start(i.result), "", true};
    return "1";
  }
  if (i.op == Op::product && writes_factors_) {
    factors_[n.row] = {at_start(i.y), at_start(i.x)};
    return "1";
  }
  if (i.op == Op::square && writes_factors_) {
    factors_[n.row] = {define("2.0*" + at_start(i.x)), ""};
    return "1";
  }
  if (i.op == Op::past_product && writes_factors_) {
    const bool is_one = is_number(i.constant, 1), is_minus_one = is_number(i.constant, -1);
    const std::string y = at_start(i.y);
    factors_[n.row] = {is_one || is_minus_one ? y : define(fmt::format("c[{}]*{}", i.constant, y)), "",
                       is_minus_one};
    return is_one ? "1" : is_minus_one ? "-1" : fmt::format("c[{}]", i.constant);
  }
  if (i.op == Op::inverse && writes_factors_) {
    factors_[n.row] = {define(fmt::format("{0}*{0}", at_start(i.result))), "", true};
    return "-" + at_start(i.result);
  }
  if (i.op == Op::quotient && writes_factors_) {
    define("1.0/" + at_start(i.y));
    definitions_ += fmt::format("  const num {0}y = {0}*{1};\n", own, at_start(i.result));
    factors_[n.row] = {own, own + "y", false, true};
    return "-" + own;
  }
  (stage == Stage::position ? source_.found_at_position : source_.found_at_velocity).push_back(number);
  return "";
}

}  // namespace dalembert
