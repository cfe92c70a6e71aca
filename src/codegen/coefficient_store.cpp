// Where coefficients are kept for later sums, as C.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "expansion_writer.hpp"

namespace dalembert {

namespace {

bool is_of_next_order(Known when) {
  return when == Known::early_sums || when == Known::early_rows || when == Known::velocity;
}

// Rows of the position stage that need no sum, and nothing but q and such rows.
void find_early_sums(const SeriesPlan& plan, std::vector<Known>& known) {
  const SeriesPlan::Code& code = plan.stages[static_cast<std::size_t>(Stage::position)].back();
  std::vector<bool> is_nonlinear(plan.rows.size(), false);
  for (const SeriesPlan::Nonlinear& n : code.nonlinear) {
    const SeriesPlan::Place last = std::max(n.instruction.result, n.instruction.second_result);
    for (SeriesPlan::Place r = n.row; r + plan.first_row <= last; ++r) is_nonlinear[r] = true;
  }
  for (const SeriesPlan::Segment& segment : code.segments) {
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      const Known latest = std::max(known[plan.rows[i].x], known[plan.rows[i].y]);
      if (!is_nonlinear[i] && latest <= Known::early_sums) known[plan.first_row + i] = Known::early_sums;
    }
  }
}

}  // namespace

// When the coefficients of each place are known.
std::vector<Known> ExpansionWriter::find_known(const RecursionShape& shape) {
  const SeriesPlan& plan = *shape.plan;
  std::vector<Known> known(plan.row_size, Known::always);
  const auto set_input = [&](std::size_t input, Known when) {
    if (const Register r = plan.program->inputs[input]; r != no_register) known[plan.places[r]] = when;
  };
  for (std::size_t i = 0; i < shape.n; ++i) {
    set_input(1 + i, Known::position);
    set_input(1 + shape.n + i, Known::velocity);
    set_input(1 + 2 * shape.n + i, Known::acceleration);
  }
  for (std::size_t i = 1 + 3 * shape.n; i < plan.program->inputs.size(); ++i)
    set_input(i, Known::acceleration);
  known[0] = Known::always;
  for (const auto& [stage, when] :
       {std::pair(Stage::position, Known::early_rows), std::pair(Stage::velocity, Known::late_rows),
        std::pair(Stage::acceleration, Known::last_rows)}) {
    for (const SeriesPlan::Segment& segment : plan.stages[static_cast<std::size_t>(stage)].back().segments)
      std::fill_n(known.begin() + plan.first_row + segment.first, segment.last - segment.first, when);
  }
  find_early_sums(plan, known);
  return known;
}

// A lane of a vector that is kept when its last lane is known: by a name of that moment.
std::string ExpansionWriter::lane(const Operand& operand, Known when) const {
  if (operand.place == 0) return "0";
  const bool next = is_of_next_order(when);
  const std::string_view order = when == Known::position ? "(k + 2)" : next ? "(k + 1)" : "k";
  const std::size_t input = inputs_[operand.place];
  std::string value;
  if (input == 0) return next || when == Known::position ? "0" : "(k == 1)";
  if (input == no_input) {
    const Known own = known_[operand.place];
    if (own == Known::always) return "0";
    const bool is_past = own <= Known::early_rows && when >= Known::acceleration;
    value = fmt::format("{}{}", is_past ? 'p' : 'r', operand.place - plan_.first_row);
  } else if (known_[operand.place] == when) {
    value = solved(input - 1);
    // k q_k = v_{k−1}
    if (operand.is_derivative && when == Known::position) return fmt::format("nv{}", input - 1);
  } else {
    value = fmt::format("{}[{}]", next ? "y1" : "y", input - 1);
  }
  return operand.is_derivative ? fmt::format("{}*{}", order, value) : value;
}

// The name of a coefficient that write_solution() has found, by its place in a row of the polynomials.
std::string ExpansionWriter::solved(std::size_t i) const {
  const std::size_t n = shape_.n;
  if (i < n) return fmt::format("nq{}", i);
  if (i < 2 * n) return fmt::format("nv{}", i - n);
  if (i < 3 * n) return fmt::format("x{}", i - 2 * n);
  const auto row = std::find(shape_.active.begin(), shape_.active.end(), i - 3 * n);
  return row == shape_.active.end()
             ? "0"
             : fmt::format("x{}", n + static_cast<std::size_t>(row - shape_.active.begin()));
}

// In one piece: a vector that was stored number by number cannot be loaded before all of them have arrived.
void ExpansionWriter::write_vectors(Known when) {
  if (!text_is_of_loop_) return;
  const std::string_view to = when == Known::position ? "w2" : is_of_next_order(when) ? "w1" : "w";
  for (const auto& [vector, number] : sums_.numbered_vectors()) {
    if (sums_.known(vector) != when) continue;
    if (const std::string sums = sums_in(vector, when); !sums.empty()) {
      line(fmt::format("  ((vn *){})[{}] = {};", to, number, sums));
      continue;
    }
    std::string lanes;
    for (const Operand& operand : vector) lanes += (lanes.empty() ? "" : ", ") + lane(operand, when);
    line(fmt::format("  ((vn *){})[{}] = (vn){{{}}};", to, number, lanes));
  }
}

// Sums of a group as they are, or all with the other sign; empty where a vector is anything else.
std::string ExpansionWriter::sums_in(const SumGroups::Vector& vector, Known when) const {
  if (when != Known::early_rows && when != Known::late_rows) return "";
  std::string text;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    if (vector[i].is_derivative || known_[vector[i].place] != when) return "";
    const std::uint32_t row = vector[i].place - plan_.first_row;
    const Recipe& recipe = recipes_[row];
    const Stage stage = row_stages_[row];
    const bool is_sum = recipe.has_sum && recipe.products.size() == (recipe.sum_has_first ? 2 : 1) &&
                        recipe.products[0].factor.empty();
    if (!is_sum) return "";
    const std::size_t result = sums_.result(stage, plan_.rows[row].sum);
    if (result % sums_.width() != i) return "";
    const std::string own = fmt::format("{}((const vn *)s)[{}]", recipe.products[0].is_negative ? "-" : "",
                                        result / sums_.width());
    if (i > 0 && own != text) return "";
    text = own;
  }
  return text;
}

// Position rows that a later vector holds, before those of the next order take their names.
void ExpansionWriter::write_past_rows() {
  std::set<Place> past;
  for (const auto& [vector, number] : sums_.numbered_vectors()) {
    if (sums_.known(vector) < Known::acceleration) continue;
    for (const Operand& operand : vector) {
      const Known own = known_[operand.place];
      if (own == Known::early_sums || own == Known::early_rows) past.insert(operand.place - plan_.first_row);
    }
  }
  for (const Place row : past) line(fmt::format("  const double p{0} = r{0};", row));
}

// Before the loop, of the first orders.
void ExpansionWriter::keep(Operand operand, std::string_view vectors, std::string_view order,
                           const std::string& value) {
  for (const std::size_t slot : sums_.slots(operand)) {
    line(operand.is_derivative ? fmt::format("  {}[{}] = {}*{};", vectors, slot, order, value)
                               : fmt::format("  {}[{}] = {};", vectors, slot, value));
  }
}

void ExpansionWriter::keep_inputs(std::size_t first, std::size_t count, std::string_view row,
                                  std::string_view vectors, std::string_view order) {
  for (std::size_t i = first; i < first + count; ++i) {
    const Place place = plan_.places[program_.inputs[i]];
    for (const bool is_derivative : {false, true})
      keep({place, is_derivative}, vectors, order, fmt::format("{}[{}]", row, place));
  }
}

}  // namespace dalembert
