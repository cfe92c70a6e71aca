// Where coefficients are kept for later sums, as C.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "expansion_writer.hpp"

namespace dalembert {

// Where the coefficients of a place come from: those of one origin are there at the same time.
auto ExpansionWriter::origin_of(Place place) const -> Origin {
  if (place >= plan_.first_row && place - plan_.first_row < plan_.rows.size()) {
    const Stage stage = row_stages_[place - plan_.first_row];
    return stage == Stage::position       ? Origin::position
           : stage == Stage::velocity     ? Origin::velocity
           : stage == Stage::acceleration ? Origin::acceleration
                                          : Origin::none;
  }
  const std::size_t input = inputs_[place];
  if (input == 0 || input > program_.inputs.size()) return Origin::input;
  return input <= shape_.n       ? Origin::solution_q
         : input <= 2 * shape_.n ? Origin::solution_v
                                 : Origin::solution_a;
}

// None: its lanes have several.
auto ExpansionWriter::origin_of(const SumGroups::Vector& vector) const -> Origin {
  Origin origin = Origin::none;
  for (const Operand& operand : vector) {
    if (operand.place == 0) continue;
    const Origin own = origin_of(operand.place);
    if (origin != Origin::none && own != origin) return Origin::none;
    origin = own;
  }
  return origin == Origin::input ? Origin::none : origin;
}

// The name of a coefficient that write_solution() has found, or of a row.
std::string ExpansionWriter::solved(Place place) const {
  if (place == 0) return "0";
  if (inputs_[place] == no_input) return fmt::format("r{}", place - plan_.first_row);
  const std::size_t i = inputs_[place] - 1, n = shape_.n;
  if (i < n) return fmt::format("nq{}", i);
  if (i < 2 * n) return fmt::format("nv{}", i - n);
  if (i < 3 * n) return fmt::format("x{}", i - 2 * n);
  const auto row = std::find(shape_.active.begin(), shape_.active.end(), i - 3 * n);
  return row == shape_.active.end()
             ? "0"
             : fmt::format("x{}", n + static_cast<std::size_t>(row - shape_.active.begin()));
}

// In one piece: a vector that was stored number by number cannot be loaded before all of them have arrived.
void ExpansionWriter::write_vectors(Origin origin) {
  if (!text_is_of_loop_) return;
  const bool ahead = origin == Origin::position || origin == Origin::solution_v;
  const std::string_view to = origin == Origin::solution_q ? "w2" : ahead ? "w1" : "w";
  const std::string_view order = origin == Origin::solution_q ? "(k + 2)" : ahead ? "(k + 1)" : "k";
  for (const auto& [vector, number] : sums_.numbered_vectors()) {
    if (origin_of(vector) != origin) continue;
    std::string lanes;
    for (const Operand& operand : vector)
      lanes += (lanes.empty() ? "" : ", ") + kept(operand, order, solved(operand.place));
    line(fmt::format("  ((v4 *){})[{}] = (v4){{{}}};", to, number, lanes));
  }
}

// k q_k = v_{k−1}
std::string ExpansionWriter::kept(Operand operand, std::string_view order, const std::string& value) {
  if (!operand.is_derivative || operand.place == 0) return value;
  return value.starts_with("nq") ? "nv" + value.substr(2) : fmt::format("{}*{}", order, value);
}

void ExpansionWriter::keep(Operand operand, std::string_view vectors, std::string_view order,
                           const std::string& value) {
  for (const std::size_t slot : sums_.slots(operand)) {
    if (text_is_of_loop_ && is_whole_[slot / SumGroups::width]) continue;
    line(fmt::format("  {}[{}] = {};", vectors, slot, kept(operand, order, value)));
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
