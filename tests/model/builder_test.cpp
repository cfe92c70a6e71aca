#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/print.hpp>
#include <dalembert/model/builder.hpp>
#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

ModelBuilder pendulum() {
  return ModelBuilder("Pendulum")
      .source("a \"book\"")
      .parameter("m", 1)
      .parameter("l", 0.1)
      .parameter("gravity", "9.81")
      .coordinate("x", {.position = "l", .velocity = 0, .guess = true})
      .coordinate("y", {.position = 0})
      .definition("square", "x^2 + y^2")
      .kinetic("m/2*(x'^2 + y'^2)")
      .potential("m*gravity*y")
      .dissipation("x'^2/10")
      .force("x", "cos(t)")
      .force("x", "-y")
      .holonomic("rod", "square = l^2")
      .output("tension", "lambda(rod)")
      .point("O", {0, 0})
      .point("P", {"x", "y"})
      .link("O", "P")
      .trace("P")
      .solve("method", "adomian")
      .solve("duration", 10);
}

constexpr const char* pendulum_file = R"toml(
title = "Pendulum"
source = 'a "book"'
[parameters]
m = 1
l = 0.1
gravity = 9.81
[coordinates]
x = { position = "l", velocity = 0, guess = true }
y = 0
[definitions]
square = "x^2 + y^2"
[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*gravity*y"
dissipation = "x'^2/10"
[forces]
x = "cos(t) - y"
[constraints]
holonomic = { rod = "square = l^2" }
[outputs]
tension = "lambda(rod)"
[view]
points = { O = [0, 0], P = ["x", "y"] }
links = [["O", "P"]]
traces = ["P"]
[solve]
method = "adomian"
duration = 10
)toml";

// Everything a model says, as text.
std::string described(const Model& model) {
  std::string text =
      model->title + '\n' + model->source + '\n' + std::to_string(static_cast<int>(model->kind)) + '\n';
  const auto add = [&text](const std::string& name, Expr e) { text += name + " = " + to_text(e) + '\n'; };
  for (const Parameter& p : model->parameters) add(p.name, p.value);
  for (const Coordinate& c : model->coordinates) {
    add(c.name, c.position);
    add(c.name + "'", c.velocity);
    text += std::to_string(c.guess) + std::to_string(c.guess_velocity) + std::to_string(c.fixed) + '\n';
  }
  for (const NamedExpr& d : model->definitions) add(d.name, d.expression);
  add("K", model->kinetic);
  add("V", model->potential);
  add("R", model->dissipation);
  for (const auto& row : model->mass) {
    for (const Expr& e : row) add("M", e);
  }
  for (const Expr& e : model->force) add("f", e);
  for (const Expr& e : model->generalized_force) add("Q", e);
  for (const Constraint& c : model->holonomic) add(to_text(c.lambda), c.residual);
  for (const Constraint& c : model->nonholonomic) add(to_text(c.lambda), c.residual);
  if (model->kinematic_c) add("c", model->kinematic_c);
  for (const auto& row : model->kinematic_C) {
    for (const Expr& e : row) add("C", e);
  }
  for (const auto& row : model->kinematic_K) {
    for (const Expr& e : row) add("K", e);
  }
  for (const NamedExpr& o : model->outputs) add(o.name, o.expression);
  for (const Point& p : model->view.points) {
    for (const Expr& e : p.position) add(p.name, e);
  }
  for (const auto& link : model->view.links) text += link[0] + '-' + link[1] + '\n';
  for (const std::string& trace : model->view.traces) text += trace + '\n';
  for (const SolveSetting& setting : model->solve.settings)
    text += std::string(setting.option->key) + " = " + text_of(setting.value) + '\n';
  return text;
}

std::string message_of(const ModelBuilder& builder) {
  try {
    builder.build();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ModelBuilder, SaysTheSameAsTheModelFile) {
  EXPECT_EQ(described(pendulum().build()), described(read_model_text(pendulum_file)));
}

TEST(ModelBuilder, WritesAModelFileThatSaysTheSame) {
  EXPECT_EQ(described(read_model_text(pendulum().text())), described(pendulum().build()));
}

TEST(ModelBuilder, WritesMatricesAndKinematicsToo) {
  const ModelBuilder matrices = ModelBuilder()
                                    .coordinate("a")
                                    .coordinate("b", {.position = "2*pi", .fixed = true})
                                    .mass({{2, "cos(a)"}, {"cos(a)", 1}})
                                    .force_vector({"-a", "0"})
                                    .nonholonomic("roll", "a' = b'*(1 + b)");
  EXPECT_EQ(described(read_model_text(matrices.text())), described(matrices.build()));
  const ModelBuilder kinematic = ModelBuilder()
                                     .coordinate("x", {.position = 1})
                                     .coordinate("y")
                                     .coordinate("z")
                                     .holonomic("circle", "x^2 + y^2 = 1")
                                     .kinematics("1", {{0, 0, 1}}, {{-2}});
  EXPECT_EQ(described(read_model_text(kinematic.text())), described(kinematic.build()));
}

TEST(ModelBuilder, WritesTextsThatTomlMustQuote) {
  const ModelBuilder odd = ModelBuilder("tab\there, \"quotes\" and \\ and \x01")
                               .coordinate("x", {.position = "1e+300"})
                               .kinetic("x'^2/2 + 007*x'")
                               .output("big", "123456789012345678901234567890")
                               .output("point", ".5");
  const Model back = read_model_text(odd.text());
  EXPECT_NE(odd.text().find(R"(title = "tab\u0009here, \"quotes\" and \\ and \u0001")"), std::string::npos)
      << odd.text();
  EXPECT_EQ(back->title, "tab here, \"quotes\" and \\ and ?");  // as it may be shown
  EXPECT_EQ(described(back), described(odd.build()));
}

TEST(ModelBuilder, ErrorsNameThePartInsteadOfAFile) {
  EXPECT_EQ(message_of(pendulum().kinetic("m/2*xx'^2")),
            "kinetic energy:1:5: error: unknown name 'xx'; did you mean 'x'?\n  m/2*xx'^2\n      ^");
  EXPECT_EQ(message_of(pendulum().output("speed", "sqrt(x'^2 + 1")),
            "output 'speed':1:5: error: this '(' is never closed\n  sqrt(x'^2 + 1\n      ^");
  EXPECT_EQ(message_of(pendulum().parameter("l", 2)),
            "error: the parameter 'l' is defined already: it is a parameter");
}

TEST(ModelBuilder, PlacesThatTheCallerGivesAreUsed) {
  const Text text("x'^2 + wrong", {"elements.txt", 7, 20});
  EXPECT_EQ(message_of(ModelBuilder().coordinate("x").kinetic(text)),
            "elements.txt:7:27: error: unknown name 'wrong'; known: x\n  x'^2 + wrong\n         ^");
}

TEST(ModelBuilder, ChecksWhatOnlyCppCanSay) {
  EXPECT_EQ(message_of(pendulum().output("tension", "1")), "error: the output 'tension' is defined already");
  EXPECT_EQ(message_of(pendulum().point("P", {0, 0})), "error: the point 'P' is defined already");
  EXPECT_EQ(message_of(pendulum().parameter("n", std::numeric_limits<double>::quiet_NaN())),
            "parameter 'n':1:1: error: nan is not a finite number\n  nan\n  ^");
  EXPECT_EQ(message_of(pendulum().parameter("n", -std::numeric_limits<double>::infinity())),
            "parameter 'n':1:1: error: -inf is not a finite number\n  -inf\n  ^");
  EXPECT_EQ(message_of(ModelBuilder("empty")), "error: the model has no coordinates");
}

}  // namespace
}  // namespace dalembert
