#include "check_kinematic.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/text.hpp>
#include <dalembert/session/layout.hpp>

namespace dalembert::session {
namespace {

using Json = nlohmann::ordered_json;

// as start_enough in system/start_moves.hpp
constexpr double round_off_bounds = 4;

std::vector<std::string> collect_warnings(const KinematicEquations& e, const KinematicStructure& structure) {
  std::vector<std::string> warnings;
  for (const DependentConstraint& row : structure.dependent) {
    const std::string name = "`" + e.model->holonomic[row.constraint].name + "`";
    std::vector<std::string> others;
    for (const std::size_t j : row.others) others.push_back("`" + e.model->holonomic[j].name + "`");
    warnings.push_back(others.empty() ? name + " restricts no velocity at the start (its row of f_q vanishes)"
                                      : name + " depends on " + join(others, ", ") + " at the start");
  }
  for (std::size_t i = 0; i < structure.f.size(); ++i) {
    if (std::abs(structure.f[i]) <= round_off_bounds * structure.round_off[i]) continue;
    warnings.push_back(fmt::format("the start is off `{}` by {:.3g}; K decides whether that decays",
                                   e.model->holonomic[i].name, structure.f[i]));
  }
  if (structure.dependent.empty() && structure.full_rank + 1 < e.q.size()) {
    warnings.emplace_back(
        "the rows of f_q and C depend on each other at the start: their vector product vanishes");
  }
  return warnings;
}

}  // namespace

CheckReport check_kinematic(const LoadedModel& model) {
  CheckReport report(model);
  report.kinematic = analyse_kinematics(model.kinematic_equations());
  report.warnings = collect_warnings(model.kinematic_equations(), *report.kinematic);
  return report;
}

std::string kinematic_text(const CheckReport& report) {
  const KinematicEquations& e = report.model.kinematic_equations();
  const KinematicStructure& structure = *report.kinematic;
  std::string out;
  if (!e.model->title.empty()) out += wrap_words(e.model->title, "", "");
  if (!e.model->source.empty()) out += wrap_words(e.model->source, "  ", "  ");
  if (!out.empty()) out += "\n";
  out += "  kinematic system     q' = c [f_q C] + f_q^+ (K f - f_t)\n";
  out += fmt::format("  coordinates          {}\n", e.q.size());
  out += fmt::format("  constraints          {}, rank of f_q {}\n", e.f.size(), structure.rank);
  out += fmt::format("  free directions      {}\n\n", e.q.size() - structure.rank);
  out += fmt::format("Start at t = {}:\n", number(structure.t)) + table_row("coordinate", {"position"});
  for (std::size_t i = 0; i < structure.q.size(); ++i)
    out += table_row(e.model->coordinates[i].name, {number(structure.q[i])});
  if (!structure.f.empty()) out += "\n" + table_row("constraint", {"residual"});
  for (std::size_t i = 0; i < structure.f.size(); ++i)
    out += table_row(e.model->holonomic[i].name, {residual(structure.f[i])});
  if (!report.warnings.empty()) out += "\n";
  for (const std::string& warning : report.warnings) out += wrap_words(warning, "Warning: ", "  ");
  return out;
}

std::string kinematic_json(const CheckReport& report) {
  const KinematicEquations& e = report.model.kinematic_equations();
  const KinematicStructure& structure = *report.kinematic;
  Json json{{"title", e.model->title}, {"source", e.model->source}, {"kind", "kinematic"}};
  json["structure"] = {{"rank", structure.rank}, {"free_directions", e.q.size() - structure.rank}};
  json["start"] = {{"t", structure.t}};
  json["coordinates"] = Json::array();
  for (std::size_t i = 0; i < structure.q.size(); ++i) {
    json["coordinates"].push_back({{"name", e.model->coordinates[i].name}, {"position", structure.q[i]}});
  }
  json["constraints"] = Json::array();
  for (std::size_t i = 0; i < structure.f.size(); ++i) {
    json["constraints"].push_back(
        {{"name", e.model->holonomic[i].name}, {"position_residual", structure.f[i]}});
  }
  json["warnings"] = report.warnings;
  return json.dump(2);
}

}  // namespace dalembert::session
