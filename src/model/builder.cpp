#include <string>
#include <utility>
#include <vector>

#include <dalembert/model/builder.hpp>

namespace dalembert {

ModelBuilder::ModelBuilder(std::string title) { draft_.title = std::move(title); }

ModelBuilder& ModelBuilder::source(std::string text) {
  draft_.source = std::move(text);
  return *this;
}

ModelBuilder& ModelBuilder::parameter(Name name, Text value) {
  draft_.parameters.push_back({std::move(name), std::move(value)});
  return *this;
}

ModelBuilder& ModelBuilder::input(Name name, std::vector<Entry> keys) {
  draft_.inputs.push_back({std::move(name), std::move(keys)});
  return *this;
}

ModelBuilder& ModelBuilder::coordinate(Name name, CoordinateStart start) {
  draft_.coordinates.push_back({std::move(name), std::move(start)});
  return *this;
}

ModelBuilder& ModelBuilder::definition(Name name, Text expression) {
  draft_.definitions.push_back({std::move(name), std::move(expression)});
  return *this;
}

ModelBuilder& ModelBuilder::space(Text plane_or_space) {
  draft_.space = std::move(plane_or_space);
  return *this;
}

ModelBuilder& ModelBuilder::body(Name name, std::vector<Entry> keys) {
  draft_.bodies.push_back({std::move(name), std::move(keys)});
  return *this;
}

ModelBuilder& ModelBuilder::joint(Name name, std::vector<Entry> keys) {
  draft_.joints.push_back({std::move(name), std::move(keys)});
  return *this;
}

ModelBuilder& ModelBuilder::force_element(Name name, std::vector<Entry> keys) {
  draft_.force_elements.push_back({std::move(name), std::move(keys)});
  return *this;
}

ModelBuilder& ModelBuilder::kinetic(Text expression) {
  draft_.energy_where.emplace();
  draft_.kinetic = std::move(expression);
  return *this;
}

ModelBuilder& ModelBuilder::potential(Text expression) {
  draft_.energy_where.emplace();
  draft_.potential = std::move(expression);
  return *this;
}

ModelBuilder& ModelBuilder::dissipation(Text expression) {
  draft_.energy_where.emplace();
  draft_.dissipation = std::move(expression);
  return *this;
}

ModelBuilder& ModelBuilder::mass(TextMatrix rows) {
  draft_.equations_where.emplace();
  draft_.mass = std::move(rows);
  return *this;
}

ModelBuilder& ModelBuilder::force_vector(TextRow entries) {
  draft_.equations_where.emplace();
  draft_.force = std::move(entries);
  return *this;
}

ModelBuilder& ModelBuilder::force(Name coordinate, Text expression) {
  draft_.forces.push_back({std::move(coordinate), std::move(expression)});
  return *this;
}

ModelBuilder& ModelBuilder::holonomic(Name name, Text equation) {
  draft_.holonomic.push_back({std::move(name), std::move(equation)});
  return *this;
}

ModelBuilder& ModelBuilder::nonholonomic(Name name, Text equation) {
  draft_.nonholonomic.push_back({std::move(name), std::move(equation)});
  return *this;
}

ModelBuilder& ModelBuilder::disabled(Name constraint) {
  draft_.disabled.push_back(std::move(constraint));
  return *this;
}

ModelBuilder& ModelBuilder::event(Name name, std::vector<Entry> keys) {
  draft_.events.push_back({std::move(name), std::move(keys)});
  return *this;
}

ModelBuilder& ModelBuilder::contact(Name name, std::vector<Entry> keys) {
  draft_.contacts.push_back({std::move(name), std::move(keys)});
  return *this;
}

ModelBuilder& ModelBuilder::friction(Name name, std::vector<Entry> keys) {
  draft_.frictions.push_back({std::move(name), std::move(keys)});
  return *this;
}

ModelBuilder& ModelBuilder::kinematics(Text c, TextMatrix C, TextMatrix K) {
  draft_.kind = "kinematic";
  draft_.kinematics_where.emplace();
  draft_.kinematic_c = std::move(c);
  draft_.kinematic_C = std::move(C);
  draft_.kinematic_K = std::move(K);
  return *this;
}

ModelBuilder& ModelBuilder::output(Name name, Text expression) {
  draft_.outputs.push_back({std::move(name), std::move(expression)});
  return *this;
}

ModelBuilder& ModelBuilder::point(Name name, TextRow position) {
  draft_.points.push_back({std::move(name), std::move(position)});
  return *this;
}

ModelBuilder& ModelBuilder::link(Name from, Name to) {
  draft_.links.push_back({std::move(from), std::move(to)});
  return *this;
}

ModelBuilder& ModelBuilder::trace(Name point) {
  draft_.traces.push_back(std::move(point));
  return *this;
}

ModelBuilder& ModelBuilder::solve(Name key, Text value) {
  draft_.solve.push_back({std::move(key), std::move(value)});
  return *this;
}

ModelBuilder& ModelBuilder::unit(Name name, Text unit) {
  draft_.units.push_back({std::move(name), std::move(unit)});
  return *this;
}

}  // namespace dalembert
