// The report of `dalembert check` for programs.
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <dalembert/session/check.hpp>

#include "check_kinematic.hpp"

namespace dalembert::session {
namespace {

using Json = nlohmann::ordered_json;

Json coordinate_names(const System& system, const std::vector<std::size_t>& which) {
  Json names = Json::array();
  for (const std::size_t i : which) names.push_back(system.coordinate_name(i));
  return names;
}

Json dependency(const System& system, const DependentConstraint& row) {
  Json others = Json::array();
  for (const std::size_t j : row.others) others.push_back(system.constraint_name(j));
  return {{"constraint", system.constraint_name(row.constraint)}, {"depends_on", others}};
}

Json dependencies(const System& system, const std::vector<DependentConstraint>& rows) {
  Json list = Json::array();
  for (const DependentConstraint& row : rows) list.push_back(dependency(system, row));
  return list;
}

Json describe_structure(const System& system, const Structure& structure) {
  Json json{{"rank", structure.rank},
            {"degrees_of_freedom", structure.degrees_of_freedom},
            {"configuration_freedom", structure.configuration_freedom}};
  json["index"] = structure.index ? Json(*structure.index) : Json();
  json["free_positions"] = coordinate_names(system, structure.free_positions);
  json["free_velocities"] = coordinate_names(system, structure.free_velocities);
  json["smallest_pivot"] = structure.smallest_pivot;
  json["redundant"] = dependencies(system, structure.redundant);
  json["singular"] = dependencies(system, structure.singular);
  json["contradictions"] = Json::array();
  for (const Contradiction& contradiction : structure.contradictions) {
    Json item = dependency(system, contradiction.rows);
    item["mismatch"] = contradiction.mismatch;
    json["contradictions"].push_back(item);
  }
  json["without_inertia"] = coordinate_names(system, structure.inertia.missing);
  json["negative_inertia"] = coordinate_names(system, structure.inertia.negative);
  return json;
}

Json describe_start(const Start& start) {
  Json json{{"t", start.t}, {"iterations", start.iterations}, {"changes", Json::array()}};
  for (const StartChange& change : start.changes) {
    json["changes"].push_back({{"name", change.name}, {"from", change.from}, {"to", change.to}});
  }
  return json;
}

Json describe_coordinates(const CheckReport& report) {
  Json list = Json::array();
  const Start& start = report.start;
  for (std::size_t i = 0; i < report.model.system().n(); ++i) {
    Json item{{"name", report.model.system().coordinate_name(i)},
              {"position", start.q[i]},
              {"velocity", start.v[i]}};
    item["acceleration"] = start.a.empty() ? Json() : Json(start.a[i]);
    list.push_back(item);
  }
  return list;
}

Json describe_constraints(const CheckReport& report) {
  Json list = Json::array();
  const Start& start = report.start;
  for (std::size_t j = 0; j < report.model.system().m(); ++j) {
    const bool holonomic = j < report.model.system().holonomic();
    Json item{{"name", report.model.system().constraint_name(j)},
              {"kind", holonomic ? "holonomic" : "nonholonomic"}};
    item["lambda"] = start.lambda.empty() ? Json() : Json(start.lambda[j]);
    if (holonomic) {
      item["position_residual_given"] = start.g_given[j];
      item["position_residual"] = start.g[j];
    }
    item["velocity_residual_given"] = start.velocity_given[j];
    item["velocity_residual"] = start.velocity[j];
    list.push_back(item);
  }
  return list;
}

Json describe(const CheckReport& report) {
  const System& system = report.model.system();
  Json json{{"title", system.model().title}, {"source", system.model().source}, {"kind", "mechanical"}};
  json["convention"] = multiplier_convention;
  json["structure"] = describe_structure(system, report.structure);
  json["start"] = describe_start(report.start);
  json["coordinates"] = describe_coordinates(report);
  json["constraints"] = describe_constraints(report);
  json["contacts"] = Json::array();
  for (const Contact& contact : system.model().contacts) json["contacts"].push_back(contact.name);
  json["frictions"] = Json::array();
  for (const Friction& friction : system.model().frictions)
    if (friction.own) json["frictions"].push_back(friction.name);
  json["not_unique"] = report.not_unique;
  json["warnings"] = report.warnings;
  if (!report.failure.empty()) json["error"] = report.failure;
  return json;
}

}  // namespace

std::string to_json(const CheckReport& report) {
  return report.kinematic ? kinematic_json(report) : describe(report).dump(2);
}

}  // namespace dalembert::session
