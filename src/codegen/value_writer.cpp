// The values at order 0, as C.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/lanes.hpp>

#include "expansion_writer.hpp"

namespace dalembert {
namespace {

bool is_written(Op op) {
  return op == Op::linear || op == Op::product || op == Op::square || op == Op::sincos ||
         op == Op::quotient || op == Op::inverse || op == Op::sqrt;
}

}  // namespace

// Nothing where a stage has other functions: those are left to the interpreter.
void ExpansionWriter::write_values(Stage stage, const char* name) {
  const std::vector<SeriesPlan::Placed>& values = code(stage).values;
  if (!std::all_of(values.begin(), values.end(), [](const auto& i) { return is_written(i.op); })) return;
  line(fmt::format("\nvoid {}(const struct memory *m) {{", name));
  line("  double *const z0 = m->rows; const double *const c = m->constants; (void)z0; (void)c;");
  for (std::size_t i = 0; i < values.size();) {
    if (values[i].op == Op::sincos) {
      i += write_sincos(std::span(values).subspan(i));
    } else {
      line(fmt::format("  {} = {};", at_start(values[i].result), value_of(values[i])));
      ++i;
    }
  }
  line("}");
}

std::string ExpansionWriter::value_of(const Instruction& i) const {
  const std::string x = at_start(i.x), y = at_start(i.y);
  if (i.op == Op::product) return x + "*" + y;
  if (i.op == Op::square) return x + "*" + x;
  if (i.op == Op::quotient) return x + "/" + y;
  if (i.op == Op::inverse) return "1/" + x;
  if (i.op == Op::sqrt) return fmt::format("__builtin_sqrt({})", x);
  std::vector<Product> products;
  if (i.constant != 0) products.push_back({false, "", fmt::format("c[{}]", i.constant)});
  for (std::uint32_t t = i.first_term; t < i.first_term + i.term_count; ++t)
    products.push_back(constant_times(plan_.terms[t].coefficient, at_start(plan_.terms[t].x)));
  return sum_of(products);
}

// Those that follow each other, as many at once as there are lanes. Those of one level wait for none of each
// other.
std::size_t ExpansionWriter::write_sincos(std::span<const SeriesPlan::Placed> values) {
  std::size_t count = 0;
  std::string arguments;
  const auto is_next = [&](const SeriesPlan::Placed& i) {
    return i.op == Op::sincos && i.level == values[0].level;
  };
  while (count < native_lanes && count < values.size() && is_next(values[count])) {
    arguments += (count > 0 ? ", " : "") + at_start(values[count].x);
    ++count;
  }
  line(fmt::format("  {{ const double x[{0}] = {{{1}}}; double s[{0}], o[{0}]; m->sincos(x, s, o);",
                   native_lanes, arguments));
  for (std::size_t i = 0; i < count; ++i)
    line(fmt::format("  {} = s[{}]; {} = o[{}];", at_start(values[i].result), i,
                     at_start(values[i].second_result), i));
  line("  }");
  return count;
}

}  // namespace dalembert
