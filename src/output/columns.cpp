#include <string>
#include <vector>

#include <dalembert/output/columns.hpp>

namespace dalembert {

std::vector<std::string> column_names(const ModelData& model) {
  std::vector<std::string> names{"t"};
  for (const char* primes : {"", "'", "''"}) {
    for (const Coordinate& coordinate : model.coordinates) names.push_back(coordinate.name + primes);
  }
  std::vector<std::string> constraints;
  for (const Constraint& constraint : model.holonomic) constraints.push_back(constraint.name);
  const std::vector<std::string> holonomic = constraints;
  for (const Constraint& constraint : model.nonholonomic) constraints.push_back(constraint.name);
  for (const std::string& name : constraints) names.push_back("lambda(" + name + ")");
  for (const NamedExpr& output : model.outputs) names.push_back(output.name);
  names.insert(names.end(), {"kinetic", "potential", "energy", "work"});
  for (const std::string& name : holonomic) names.push_back("g(" + name + ")");
  for (const std::string& name : constraints) names.push_back("gv(" + name + ")");
  return names;
}

}  // namespace dalembert
