// What each row of a plan is made of, as C.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "expansion_writer.hpp"

namespace dalembert {
namespace {

// That four lanes form sooner than eight: 3 % of a step of a pendulum.
constexpr std::size_t few_sums = 4;

bool is_entire(Op op) {
  return op == Op::linear || op == Op::product || op == Op::square || op == Op::sincos ||
         op == Op::past_product;
}

}  // namespace

ExpansionWriter::ExpansionWriter(const RecursionShape& shape)
    : shape_(shape),
      plan_(*shape.plan),
      program_(*shape.plan->program),
      known_(find_known(shape)),
      sums_(plan_, known_,
            plan_.convolution_count() <= few_sums ? std::min(few_sums, shape.lanes) : shape.lanes),
      row_stages_(plan_.rows.size(), Stage::constant),
      inputs_(plan_.row_size, no_input),
      recipes_(plan_.rows.size()),
      is_looked_at_(plan_.row_size, false) {
  for (const Register r : shape.looked_at) is_looked_at_[plan_.place(r)] = true;
  for (const Stage stage : {Stage::position, Stage::velocity}) {
    for (const SeriesPlan::Nonlinear& n : code(stage).nonlinear)
      has_other_functions_ = has_other_functions_ || !is_entire(n.instruction.op);
  }
  for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
    if (program_.inputs[i] != no_register) inputs_[plan_.places[program_.inputs[i]]] = i;
  }
  find_stages();
  for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) find_recipes(stage);
  is_possible_ = is_possible_ && code(Stage::acceleration).nonlinear.empty();
}

void ExpansionWriter::find_stages() {
  for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) {
    for (const SeriesPlan::Segment& segment : code(stage).segments)
      std::fill(row_stages_.begin() + segment.first, row_stages_.begin() + segment.last, stage);
  }
}

std::string ExpansionWriter::at_start(Place place) const { return fmt::format("z0[{}]", place); }

// The coefficient of the order that a stage computes; empty: zero. Rows of the position stage are one order
// ahead when accelerations come.
std::string ExpansionWriter::value(Place place, Stage where) {
  if (place == 0) return "";
  const std::size_t row = place - plan_.first_row;
  if (const std::size_t input = inputs_[place]; input != no_input && input > 0)
    return fmt::format("{}[{}]", where == Stage::position ? "y1" : "y", input - 1);
  if (place < plan_.first_row || row >= plan_.rows.size())
    return fmt::format("{}[{}]", where == Stage::position ? "z1" : "z", place);
  const Stage own = row_stages_[row];
  if (own == Stage::constant) return "";
  if (own > where || (where == Stage::acceleration && own == Stage::position)) is_possible_ = false;
  return fmt::format("r{}", row);
}

ExpansionWriter::Product ExpansionWriter::constant_times(ConstantId id, const std::string& value) const {
  const Expr constant = program_.constants[id];
  if (constant.is_number() && constant.number() == 1) return {false, "", value};
  if (constant.is_number() && constant.number() == -1) return {true, "", value};
  return {false, fmt::format("c[{}]", id), value};
}

// The last one is that of its result.
std::uint32_t ExpansionWriter::rows_of(const SeriesPlan::Nonlinear& n) const {
  return std::max(n.instruction.result, n.instruction.second_result) - plan_.first_row - n.row + 1;
}

void ExpansionWriter::find_recipes(Stage stage) {
  const Code& own = code(stage);
  std::vector<bool> is_nonlinear(plan_.rows.size(), false);
  for (const SeriesPlan::Nonlinear& n : own.nonlinear) {
    if (!add_recipe(stage, n)) {
      add_found_recipe(stage, n);
      (stage == Stage::position ? source_.found_at_position : source_.found_at_velocity)
          .push_back(static_cast<std::uint32_t>(&n - own.nonlinear.data()));
    }
    for (std::uint32_t r = 0; r < rows_of(n); ++r) is_nonlinear[n.row + r] = true;
  }
  for (const SeriesPlan::Segment& segment : own.segments) {
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      if (is_nonlinear[i]) continue;
      const SeriesPlan::Row& row = plan_.rows[i];
      const SeriesPlan::RowConstants& constants = plan_.row_constants[i];
      for (const auto& [id, place] : {std::pair(constants.x, row.x), std::pair(constants.y, row.y)}) {
        const std::string x = value(place, stage);
        if (id != 0 && !x.empty()) recipes_[i].products.push_back(constant_times(id, x));
      }
    }
  }
}

void ExpansionWriter::set_recipe(Stage stage, std::uint32_t row, std::vector<Product> products) {
  Recipe& recipe = recipes_[row];
  const std::uint32_t sum = plan_.rows[row].sum;
  recipe.has_sum = sums_.has(stage, sum);
  if (recipe.has_sum) {
    products.front().value = fmt::format("s[{}]", sums_.result(stage, sum));
    recipe.sum_has_first = sums_.has_first(stage, sum);
  } else {
    products.erase(products.begin());
  }
  std::erase_if(products, [](const Product& p) { return p.value.empty(); });
  recipe.products = std::move(products);
}

// With the factors that the interpreter finds.
void ExpansionWriter::add_found_recipe(Stage stage, const SeriesPlan::Nonlinear& n) {
  const char* const sum_factors = stage == Stage::position ? "fp" : "fv";
  for (std::uint32_t i = n.row; i < n.row + rows_of(n); ++i) {
    const SeriesPlan::Row& row = plan_.rows[i];
    set_recipe(stage, i,
               {{false, fmt::format("{}[{}]", sum_factors, row.sum), ""},
                {false, fmt::format("f[{}]", 2 * i), value(row.x, stage)},
                {false, fmt::format("f[{}]", 2 * i + 1), value(row.y, stage)}});
  }
}

// The factors of recurrence.hpp; false for those that the interpreter finds.
bool ExpansionWriter::add_recipe(Stage stage, const SeriesPlan::Nonlinear& n) {
  const Instruction& i = n.instruction;
  const std::string factor = fmt::format("f{}", n.row);
  const std::string x = value(i.x, stage), y = i.op == Op::past_product ? "" : value(i.y, stage);
  const auto define = [&](const std::string& text) { factors_.push_back(factor + " = " + text); };
  const auto set = [&](std::vector<Product> products) { set_recipe(stage, n.row, std::move(products)); };
  const auto doubt_infinite = [&] {
    if (has_other_functions_) doubts_.push_back(fmt::format("e += 0*{};", at_start(i.result)));
  };
  if (i.op == Op::sincos) {
    set({{}, {false, at_start(i.second_result), x}});
    set_recipe(stage, n.row + 1, {{true, "", ""}, {true, at_start(i.result), x}});
    return true;
  }
  switch (i.op) {
    case Op::product:
      doubt_infinite();
      set({{}, {false, at_start(i.y), x}, {false, at_start(i.x), y}});
      return true;
    case Op::square:
      doubt_infinite();
      define("2*" + at_start(i.x));
      set({{}, {false, factor, x}});
      return true;
    case Op::past_product: {
      const Product one = constant_times(i.constant, "");
      const std::string y0 = at_start(i.y);
      if (!one.factor.empty()) define(one.factor + "*" + y0);
      set({one, {one.is_negative, one.factor.empty() ? y0 : factor, x}, {false, "", value(i.z, stage)}});
      return true;
    }
    case Op::quotient:
      define("1/" + at_start(i.y));
      factors_.push_back(fmt::format("{0}y = {1}*{0}", factor, at_start(i.result)));
      set({{true, factor, ""}, {false, factor, x}, {true, factor + "y", y}});
      return true;
    case Op::inverse:
      define(fmt::format("{0}*{0}", at_start(i.result)));
      set({{true, at_start(i.result), ""}, {true, factor, x}});
      return true;
    case Op::sqrt:
      doubts_.push_back(fmt::format("if ({} == 0) return 0;", at_start(i.x)));
      define("0.5/" + at_start(i.result));
      set({{true, factor, ""}, {false, factor, x}});
      return true;
#define DALEMBERT_CASE(name, Unit) case Op::name:
      DALEMBERT_FUNCTION_OPERATIONS(DALEMBERT_CASE)
#undef DALEMBERT_CASE
    case Op::power:
    case Op::linear:
      break;
  }
  return false;
}

}  // namespace dalembert
