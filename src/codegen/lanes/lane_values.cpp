// The values of order 0 of several trajectories, as C.
#include <algorithm>
#include <span>
#include <string>

#include <fmt/format.h>

#include <dalembert/codegen/lanes_source.hpp>

namespace dalembert {
namespace {

bool is_written(Op op) {
  return op == Op::linear || op == Op::product || op == Op::square || op == Op::sincos ||
         op == Op::quotient || op == Op::inverse || op == Op::sqrt || op == Op::past_product;
}

std::string at(SeriesPlan::Place place) { return fmt::format("z[{}]", place); }

std::string sum_of(const SeriesPlan& plan, const Instruction& i) {
  std::string text = i.constant == 0 ? "" : fmt::format("c[{}]", i.constant);
  for (std::uint32_t t = i.first_term; t < i.first_term + i.term_count; ++t) {
    const SeriesPlan::Term& term = plan.terms[t];
    const Expr number = plan.program->constants[term.coefficient];
    const bool is_minus_one = number.is_number() && number.number() == -1;
    if (is_minus_one) {
      text += " - " + at(term.x);
    } else {
      text += text.empty() ? "" : " + ";
      text += number.is_one() ? at(term.x) : fmt::format("c[{}]*{}", term.coefficient, at(term.x));
    }
  }
  return text.empty() ? "c[0]" : text;
}

std::string statement(const SeriesPlan& plan, const SeriesPlan::Placed& i) {
  const std::string x = at(i.x), y = at(i.y), u = at(i.result);
  if (i.op == Op::sincos) return fmt::format("  sincos(&{}, &{}, &{});\n", x, u, at(i.second_result));
  if (i.op == Op::past_product) return "";  // from order 1 on
  std::string value;
  if (i.op == Op::product) value = x + "*" + y;
  if (i.op == Op::square) value = x + "*" + x;
  if (i.op == Op::quotient) value = x + "/" + y;
  if (i.op == Op::inverse) value = "1.0/" + x;
  if (i.op == Op::sqrt) value = "root(" + x + ")";
  if (i.op == Op::linear) value = sum_of(plan, i);
  return fmt::format("  {} = {};\n", u, value);
}

}  // namespace

std::string write_lane_values(const SeriesPlan& plan, std::span<const Stage> stages, const char* name) {
  std::string text = fmt::format(
      "\nvoid {}(num *z, const num *c, void (*sincos)(const void *, void *, void *)) {{\n"
      "  (void)z; (void)c; (void)sincos;\n",
      name);
  for (const Stage stage : stages) {
    const auto& values = plan.stages[static_cast<std::size_t>(stage)].back().values;
    if (!std::ranges::all_of(values, [](const auto& i) { return is_written(i.op); })) return "";
    for (const SeriesPlan::Placed& i : values) text += statement(plan, i);
  }
  return text + "}\n";
}

}  // namespace dalembert
