// Every section of the model file, and that nothing of it is lost or reordered.
#include <cmath>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/model/read.hpp>

namespace dalembert {
namespace {

// The same expression, parsed with every name a symbol: a node of the model's graph, which takes no others.
Expr expected(const Model& model, const std::string& text) {
  static std::deque<Graph> graphs;
  return parse(graphs.emplace_back(model->graph), text);
}

constexpr const char* particle = R"toml(
[coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
)toml";

std::string with(const std::string& more) { return particle + more; }

TEST(ReadModel, KeepsTitleSourceFileAndText) {
  const std::string text = "title = \"Masse à ressort\"\nsource = 'a book'\n" + std::string(particle);
  const Model model = read_model_text(text, "spring.toml");
  EXPECT_EQ(model->title, "Masse à ressort");
  EXPECT_EQ(model->source, "a book");
  EXPECT_EQ(model->file, "spring.toml");
  EXPECT_EQ(model->text, text);
  EXPECT_EQ(model->kind, ModelKind::energy);
}

TEST(ReadModel, KeepsTheOrderOfTheFileAndNotOfTheAlphabet) {
  const Model model = read_model_text(R"toml(
[parameters]
z = 1
m = 2
a = 3
[coordinates]
q2 = 0
q1 = 0
b = 0
[definitions]
s = "q2"
d = "s + q1"
[energy]
kinetic = "q1'^2 + q2'^2 + b'^2"
[constraints.holonomic]
second = "q1 - q2"
first = "b - q1"
[outputs]
w = "d"
c = "s"
[view.points]
P = ["q1", "0"]
A = ["q2", "0"]
)toml");
  const auto names = [](const auto& items) {
    std::string result;
    for (const auto& item : items) result += item.name + ' ';
    return result;
  };
  EXPECT_EQ(names(model->parameters), "z m a ");
  EXPECT_EQ(names(model->coordinates), "q2 q1 b ");
  EXPECT_EQ(names(model->definitions), "s d ");
  EXPECT_EQ(names(model->holonomic), "second first ");
  EXPECT_EQ(names(model->outputs), "w c ");
  EXPECT_EQ(names(model->view.points), "P A ");
}

TEST(ReadModel, ParametersAreExactNumbersOrExpressionsOfEarlierOnes) {
  const Model model = read_model_text(with(R"toml(
[parameters]
tenth = 0.1
many = 1_000
hex = 0x10
plus = +2.5e-3
long = 0.12345678901234567890123456789
half_turn = "pi/2"
sum = "tenth + many"
)toml"));
  EXPECT_EQ(model->parameters[0].value.number(), Rational(1, 10));
  EXPECT_EQ(model->parameters[1].value.number(), 1000);
  EXPECT_EQ(model->parameters[2].value.number(), 16);
  EXPECT_EQ(model->parameters[3].value.number(), Rational(1, 400));
  EXPECT_EQ(model->parameters[4].value, expected(model, "12345678901234567890123456789/10^29"));
  EXPECT_EQ(model->parameters[5].value, expected(model, "pi/2"));
  EXPECT_EQ(model->parameters[6].value, expected(model, "tenth + many"));
}

TEST(ReadModel, CoordinatesAreTablesNumbersOrTexts) {
  const Model model = read_model_text(R"toml(
[parameters]
l = 2
[coordinates]
a = { position = "l/2", velocity = 3, guess = true }
b = -1.5
c = "2*l"
d = { velocity = "l", fixed = true }
[energy]
kinetic = "a'^2 + b'^2 + c'^2 + d'^2"
)toml");
  const auto& q = model->coordinates;
  ASSERT_EQ(q.size(), 4U);
  EXPECT_EQ(q[0].position, expected(model, "l/2"));
  EXPECT_EQ(q[0].velocity, expected(model, "3"));
  EXPECT_TRUE(q[0].guess);
  EXPECT_FALSE(q[0].guess_velocity);
  EXPECT_FALSE(q[0].fixed);
  EXPECT_EQ(q[0].q, expected(model, "a"));
  EXPECT_EQ(q[0].v, expected(model, "a'"));
  EXPECT_EQ(q[0].a, expected(model, "a''"));
  EXPECT_EQ(q[1].position, expected(model, "-3/2"));
  EXPECT_TRUE(q[1].velocity.is_zero());
  EXPECT_TRUE(q[1].guess_velocity);
  EXPECT_FALSE(q[1].guess);
  EXPECT_EQ(q[2].position, expected(model, "2*l"));
  EXPECT_TRUE(q[3].position.is_zero());
  EXPECT_EQ(q[3].velocity, expected(model, "l"));
  EXPECT_TRUE(q[3].fixed);
}

TEST(ReadModel, DefinitionsAreReplacedByTheirMeaning) {
  const Model model = read_model_text(R"toml(
[parameters]
l = 2
[coordinates]
theta = 1
[definitions]
s = "l*sin(theta) + t^2"
twice = "2*s"
[energy]
kinetic = "s'^2/2"
potential = "twice"
[outputs]
acceleration = "s''"
)toml");
  EXPECT_EQ(model->potential, expected(model, "2*(l*sin(theta) + t^2)"));
  // d/dt of l sin θ + t²
  EXPECT_EQ(model->kinetic, expected(model, "(l*cos(theta)*theta' + 2*t)^2/2"));
  // and once more: −l sin θ θ'² + l cos θ θ'' + 2, here at numbers
  const std::unordered_map<NodeId, double> values{{expected(model, "l").id(), 2.0},
                                                  {expected(model, "theta").id(), 0.7},
                                                  {expected(model, "theta'").id(), -1.3},
                                                  {expected(model, "theta''").id(), 0.4}};
  EXPECT_NEAR(evaluate<double>(model->outputs[0].expression, values),
              -2 * std::sin(0.7) * 1.69 + 2 * std::cos(0.7) * 0.4 + 2, 1e-14);
}

TEST(ReadModel, EnergiesForcesAndDissipation) {
  const Model model = read_model_text(R"toml(
[parameters]
m = 1
[coordinates]
x = 0
y = 0
[energy]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*y"
dissipation = "x'^2"
[forces]
y = "abs(x)*cos(t) - max(y', 0)"
)toml");
  EXPECT_EQ(model->kinetic, expected(model, "m/2*(x'^2 + y'^2)"));
  EXPECT_EQ(model->potential, expected(model, "m*y"));
  EXPECT_EQ(model->dissipation, expected(model, "x'^2"));
  ASSERT_EQ(model->generalized_force.size(), 2U);
  EXPECT_TRUE(model->generalized_force[0].is_zero());
  EXPECT_EQ(model->generalized_force[1], expected(model, "abs(x)*cos(t) - max(y', 0)"));
}

TEST(ReadModel, EquationsAreMatrices) {
  const Model model = read_model_text(R"toml(
[coordinates]
a = 0
b = 0
[equations]
mass = [["1 + sin(a)^2", "(a + b)^2"],
        ["a^2 + 2*a*b + b^2", 3]]
force = ["abs(b')", -1]
[forces]
a = "t"
)toml");
  EXPECT_EQ(model->kind, ModelKind::matrices);
  EXPECT_EQ(model->mass[0][0], expected(model, "1 + sin(a)^2"));
  EXPECT_EQ(model->mass[1][0],
            expected(model, "a^2 + 2*a*b + b^2"));  // equal to (a + b)², written differently
  EXPECT_EQ(model->mass[1][1], expected(model, "3"));
  EXPECT_EQ(model->force[0], expected(model, "abs(b')"));
  EXPECT_EQ(model->force[1], expected(model, "-1"));
  EXPECT_EQ(model->generalized_force[0], expected(model, "t"));
}

TEST(ReadModel, ConstraintsAreNamedByTablesAndNumberedInArrays) {
  const Model model = read_model_text(R"toml(
[coordinates]
x = 1
y = 0
phi = 0
[energy]
kinetic = "x'^2 + y'^2 + phi'^2"
[constraints]
holonomic = ["x^2 + y^2 = 1", "phi - t"]
nonholonomic = { blade = "x'*sin(phi) = y'*cos(phi)" }
[outputs]
force = "lambda(g2) - lambda( blade )"
)toml");
  ASSERT_EQ(model->holonomic.size(), 2U);
  EXPECT_EQ(model->holonomic[0].name, "g1");
  EXPECT_EQ(model->holonomic[0].residual, expected(model, "x^2 + y^2 - 1"));
  EXPECT_EQ(model->holonomic[0].lambda, expected(model, "lambda(g1)"));
  EXPECT_EQ(model->holonomic[0].where, (SourceLocation{"model", 9, 15}));
  EXPECT_EQ(model->holonomic[1].name, "g2");
  ASSERT_EQ(model->nonholonomic.size(), 1U);
  EXPECT_EQ(model->nonholonomic[0].residual, expected(model, "x'*sin(phi) - y'*cos(phi)"));
  EXPECT_EQ(model->outputs[0].expression, expected(model, "lambda(g2) - lambda(blade)"));
}

TEST(ReadModel, NonholonomicConstraintsMayBeWrittenAsIfNonlinear) {
  const Model model = read_model_text(R"toml(
[coordinates]
x = 1
y = 0
[energy]
kinetic = "x'^2 + y'^2"
[constraints]
nonholonomic = ["(x' + y)^2 - x'^2 - y^2 = 3*y'"]
)toml");
  // the squares cancel: 2 y x' − 3 y'
  const Expr residual = model->nonholonomic[0].residual;
  const std::unordered_map<NodeId, double> values{{expected(model, "x'").id(), 0.3},
                                                  {expected(model, "y").id(), 0.7},
                                                  {expected(model, "y'").id(), -1.1}};
  EXPECT_NEAR(evaluate<double>(residual, values), 2 * 0.7 * 0.3 + 3 * 1.1, 1e-15);
  for (const Expr& slope :
       {derivative(residual, expected(model, "x'")), derivative(residual, expected(model, "y'"))}) {
    for (const Expr& symbol : symbols_in(slope)) EXPECT_FALSE(symbol.name().ends_with("'"));
  }
}

TEST(ReadModel, ViewHasPointsLinksAndTraces) {
  const Model model = read_model_text(with(R"toml(
[view]
links = [["O", "A"]]
traces = ["A"]
points = { O = [0, 0], A = ["x", "abs(x)", "t"] }
)toml"));
  ASSERT_EQ(model->view.points.size(), 2U);
  EXPECT_EQ(model->view.points[1].position[1], expected(model, "abs(x)"));
  EXPECT_EQ(model->view.points[1].position.size(), 3U);
  ASSERT_EQ(model->view.links.size(), 1U);
  EXPECT_EQ(model->view.links[0][1], "A");
  EXPECT_EQ(model->view.traces, std::vector<std::string>{"A"});
}

TEST(ReadModel, SolveHasDefaultsThatMayBeExpressionsOfParameters) {
  const Model model = read_model_text(with(R"toml(
[parameters]
omega = 4
[solve]
method = "adomian"
start = -1
duration = "2*pi/omega"
tolerance = 1e-10
step = 0.001
output_step = 0.01
order = 20
alpha = 5
beta = 6
projection = false
)toml"));
  const SolveDefaults& solve = model->solve;
  EXPECT_EQ(solve.find("method")->value, OptionValue("adomian"));
  EXPECT_EQ(solve.start(), -1.0);
  EXPECT_DOUBLE_EQ(*solve.number("duration"), std::acos(-1.0) / 2);
  EXPECT_EQ(solve.number("tolerance"), 1e-10);
  EXPECT_EQ(solve.number("step"), 0.001);
  EXPECT_EQ(solve.number("output_step"), 0.01);
  EXPECT_EQ(solve.number("order"), 20);
  EXPECT_EQ(solve.number("alpha"), 5);
  EXPECT_EQ(solve.number("beta"), 6);
  EXPECT_EQ(solve.find("projection")->value, OptionValue(false));
  EXPECT_EQ(solve.number("max_step"), std::nullopt);
  EXPECT_EQ(read_model_text(particle)->solve.find("method"), nullptr);
}

TEST(ReadModel, KinematicModelsHaveTheirOwnMatrices) {
  const Model model = read_model_text(R"toml(
kind = "kinematic"
[coordinates]
x = 1
y = 0
z = 0
[constraints]
holonomic = ["x^2 + y^2 - 1"]
[kinematics]
c = "1 + t"
C = [["0", "0", "x"]]
K = [[-2]]
)toml");
  EXPECT_EQ(model->kind, ModelKind::kinematic);
  EXPECT_EQ(model->kinematic_c, expected(model, "1 + t"));
  ASSERT_EQ(model->kinematic_C.size(), 1U);
  EXPECT_EQ(model->kinematic_C[0][2], expected(model, "x"));
  ASSERT_EQ(model->kinematic_K.size(), 1U);
  EXPECT_EQ(model->kinematic_K[0][0], expected(model, "-2"));
}

TEST(ReadModel, ByteOrderMarkAndCarriageReturnsDoNotMatter) {
  std::string text = "\xEF\xBB\xBF" + with("potential = \"\"\"\n  x +\n  1\"\"\"\n");
  for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) text.replace(i, 1, "\r\n");
  const Model model = read_model_text(text);
  EXPECT_EQ(model->potential, expected(model, "x + 1"));
}

TEST(ReadModel, PlacesAreExactBehindCarriageReturns) {
  std::string text = with("potential = \"\"\"\n  x +\n  k\"\"\"\n");
  for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) text.replace(i, 1, "\r\n");
  try {
    read_model_text(text);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), (SourceLocation{"model", 8, 3}));
    EXPECT_EQ(error.excerpt(), "    k\"\"\"\n    ^");
  }
}

TEST(ReadModel, NonSmoothFunctionsOfParametersAreConstants) {
  const Model model = read_model_text(with("potential = \"abs(l)*x\"\n[parameters]\nl = -1\n"));
  EXPECT_EQ(model->potential, expected(model, "abs(l)*x"));
}

}  // namespace
}  // namespace dalembert
