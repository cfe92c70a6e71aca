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

#include <dalembert/model/model.hpp>

namespace dalembert {

/// Text of an expression, or a number (taken by its shortest decimal text), and where it stands.
struct Text {
  Text() = default;
  Text(const char* text) : text(text) {}              // NOLINT(google-explicit-constructor)
  Text(std::string text, SourceLocation where = {});  // NOLINT(google-explicit-constructor)
  Text(double value);                                 // NOLINT(google-explicit-constructor)
  Text(int value);                                    // NOLINT(google-explicit-constructor)

  std::string text;
  SourceLocation where;
};

struct CoordinateStart {
  Text position = 0;
  std::optional<Text> velocity;  ///< absent: zero, free to be corrected
  bool guess = false;
  bool fixed = false;
};

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string title = "");
  // every method returns *this; names and texts are checked in build(), in the order of the model file
  ModelBuilder& source(std::string text);
  ModelBuilder& parameter(std::string name, Text value);
  ModelBuilder& coordinate(std::string name, CoordinateStart start = {});
  ModelBuilder& definition(std::string name, Text expression);
  ModelBuilder& kinetic(Text expression);
  ModelBuilder& potential(Text expression);
  ModelBuilder& dissipation(Text expression);
  ModelBuilder& mass(std::vector<std::vector<Text>> rows);
  ModelBuilder& force_vector(std::vector<Text> entries);
  ModelBuilder& force(std::string coordinate, Text expression);
  ModelBuilder& holonomic(std::string name, Text equation);
  ModelBuilder& nonholonomic(std::string name, Text equation);
  ModelBuilder& output(std::string name, Text expression);

  Model build() const;
};

}  // namespace dalembert
