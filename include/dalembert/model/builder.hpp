// A model in C++: the same parts, the same checks and the same messages as the model file.
//
//   Model pendulum = ModelBuilder("Pendulum")
//                        .parameter("m", 1).parameter("l", 1).parameter("gravity", 9.81)
//                        .coordinate("x", {.position = "l"}).coordinate("y", {.position = 0})
//                        .kinetic("m/2*(x'^2 + y'^2)").potential("m*gravity*y")
//                        .holonomic("rod", "x^2 + y^2 = l^2")
//                        .build();
#pragma once

#include <string>
#include <vector>

#include <dalembert/model/draft.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string title = "");

  // Every method returns *this; names and texts are checked in build(), in the order of the model file.
  ModelBuilder& source(std::string text);
  ModelBuilder& parameter(Name name, Text value);
  /// A function of time that is given by data, with the keys of the model file (docs/inputs.md).
  ///   .input("torque", {{"times", {0, 1, 2}}, {"values", {0, 5, 0}}, {"interpolation", "cubic"}})
  ModelBuilder& input(Name name, std::vector<Entry> keys);
  ModelBuilder& coordinate(Name name, CoordinateStart start = {});
  ModelBuilder& definition(Name name, Text expression);

  /// Bodies, joints and force elements with the keys of the model file (docs/bodies.md).
  ///   .body("rod", {{"mass", 1}, {"inertia", "m*l^2/12"}, {"position", {"l/2", 0}}})
  ///   .joint("pin", {{"type", "revolute"}, {"bodies", {"ground", "rod"}}, {"point", {0, 0}}})
  ModelBuilder& space(Text plane_or_space);
  ModelBuilder& body(Name name, std::vector<Entry> keys);
  ModelBuilder& joint(Name name, std::vector<Entry> keys);
  ModelBuilder& force_element(Name name, std::vector<Entry> keys);

  ModelBuilder& kinetic(Text expression);
  ModelBuilder& potential(Text expression);
  ModelBuilder& dissipation(Text expression);
  ModelBuilder& mass(TextMatrix rows);
  ModelBuilder& force_vector(TextRow entries);
  /// Adds a generalized force; several of one coordinate are summed.
  ModelBuilder& force(Name coordinate, Text expression);

  ModelBuilder& holonomic(Name name, Text equation);
  ModelBuilder& nonholonomic(Name name, Text equation);

  /// A constraint that does not hold at the start.
  ModelBuilder& disabled(Name constraint);
  /// Events and contacts with the keys of the model file (docs/events.md).
  ///   .event("bounce", {{"when", "y"}, {"direction", "falling"},
  ///                     {"set", Value::table_of({{"y'", "-0.8*y'"}})}})
  ///   .contact("floor", {{"gap", "y"}, {"restitution", 0.8}})
  ///   .contact("floor", {{"gap", "y"}, {"friction", 0.3}, {"sticking", 0.4}, {"slip", "x'"}})
  ModelBuilder& event(Name name, std::vector<Entry> keys);
  ModelBuilder& contact(Name name, std::vector<Entry> keys);
  /// Friction where constraints press.
  ///   .friction("guide", {{"normal", "lambda(wire)"}, {"slip", "x'"}, {"friction", 0.1}})
  ModelBuilder& friction(Name name, std::vector<Entry> keys);

  /// A first-order system q' = c [f_q C] + f_q⁺ (K f − f_t) instead of a mechanical one.
  ModelBuilder& kinematics(Text c, TextMatrix C, TextMatrix K);

  ModelBuilder& output(Name name, Text expression);
  /// What the animation draws: a point of two or three coordinates, a line between two points, the path of a
  /// point.
  ModelBuilder& point(Name name, TextRow position);
  ModelBuilder& link(Name from, Name to);
  ModelBuilder& trace(Name point);
  /// A default of `dalembert run` by its key: method, duration, tolerance ...
  ModelBuilder& solve(Name key, Text value);
  /// Of a parameter, coordinate, definition, output, or of all that a pattern with * fits: unit("x", "m").
  ModelBuilder& unit(Name name, Text unit);

  const ModelDraft& draft() const { return draft_; }
  /// The model file that says the same.
  std::string text() const { return to_model_file(draft_); }
  Model build() const { return make_model(draft_); }

 private:
  ModelDraft draft_;
};

}  // namespace dalembert
