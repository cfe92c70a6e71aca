// C that was generated, against the program's own numbers, exact solutions and conservation laws.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/system/start.hpp>

#include "driver.hpp"
#include "mechanical_models.hpp"

namespace dalembert {
namespace {

using session::load;
using session::load_text;
using session::LoadedModel;
using test::GeneratedLibrary;
using test::Report;

double largest(const std::vector<double>& x) {
  double result = 0;
  for (const double entry : x) result = std::max(result, std::abs(entry));
  return result;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double relative,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  const double scale = std::max(largest(expected), 1e-3);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], relative * scale) << what << "[" << i << "]";
}

std::vector<double> group_at(const session::Motion& motion, ColumnGroup wanted, std::size_t sample) {
  const auto [first, count] = motion.group(wanted);
  std::vector<double> row;
  for (std::size_t i = 0; i < count; ++i) row.push_back(motion.at(sample, first + i));
  return row;
}

std::vector<double> group(const session::Motion& motion, ColumnGroup wanted) {
  return group_at(motion, wanted, motion.samples() - 1);
}

bool has_events(const LoadedModel& model) {
  const ModelData& data = *model.model();
  return !data.events.empty() || !data.contacts.empty() || !data.held_signs.empty();
}

class EveryMechanicalModel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryMechanicalModel, CompilesWithoutWarningAndStartsAsTheProgramDoes) {
  const LoadedModel model = load(GetParam());
  if (has_events(model)) {
    EXPECT_THROW(session::codegen(model), Error);
    return;
  }
  const GeneratedLibrary library(model);
  ASSERT_TRUE(library.compile());
  const Report report = library.run("start");
  const Start start = find_start(model.system());
  const double speed = 1e-13 * std::max(1.0, largest(start.v));
  expect_near(report.at("q"), start.q, 1e-13, "q");
  for (std::size_t i = 0; i < start.v.size(); ++i) EXPECT_NEAR(report.at("v")[i], start.v[i], speed) << i;
  const double round_off = 1e-12 * std::max(1.0, largest(start.a));
  for (std::size_t i = 0; i < start.a.size(); ++i) EXPECT_NEAR(report.at("a")[i], start.a[i], round_off) << i;
  const session::Motion motion = run(model, {give("duration", 1e-6), give("output_step", 1e-6)});
  if (model.system().m() > 0)
    expect_near(report.at("force"), group_at(motion, ColumnGroup::force, 0), 1e-12, "force");
  expect_near(report.at("kinetic"), {motion.column("kinetic")[0]}, 1e-12, "kinetic");
  expect_near(report.at("potential"), {motion.column("potential")[0]}, 1e-12, "potential");
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryMechanicalModel, ::testing::ValuesIn(test::mechanical_models()),
                         [](const auto& model) { return model.param; });

class MotionOf : public ::testing::TestWithParam<std::pair<const char*, double>> {};

// Bounds are those of the tolerance, 1e-12 per step, and of what the motion makes of it within the time.
TEST_P(MotionOf, IsThatOfTheProgram) {
  const auto [name, duration] = GetParam();
  const LoadedModel model = load(name);
  const GeneratedLibrary library(model, {.tolerance = 1e-12});
  ASSERT_TRUE(library.compile());
  const Report report = library.run("series " + std::to_string(duration) + " 1e-12");
  const session::Motion motion =
      run(model, {give("duration", duration), give("output_step", duration), give("tolerance", 1e-14)});
  EXPECT_NEAR(report.at("t")[0], motion.column("t").back(), 1e-15);
  expect_near(report.at("q"), group(motion, ColumnGroup::q), 5e-11, "q");
  expect_near(report.at("v"), group(motion, ColumnGroup::v), 5e-11, "v");
  expect_near(report.at("a"), group(motion, ColumnGroup::a), 5e-11, "a");
  if (!report.at("output").empty()) {
    const std::vector<double> outputs = group(motion, ColumnGroup::output);
    if (library.library().dropped.empty()) expect_near(report.at("output"), outputs, 1e-10, "outputs");
  }
  const double size = std::max(largest(report.at("q")), largest(report.at("v")));
  EXPECT_LE(largest(report.at("g")), 1e-14 * size);
  EXPECT_LE(largest(report.at("gv")), 1e-13 * size);
}

// Holonomic, nonholonomic, rheonomic (car_axis), redundant (bricard, door) constraints; bodies; none.
INSTANTIATE_TEST_SUITE_P(Shipped, MotionOf,
                         ::testing::Values(std::pair("slider_crank", 1.0), std::pair("pendulum", 1.0),
                                           std::pair("pendulum_cartesian", 1.0),
                                           std::pair("double_pendulum", 1.0),
                                           std::pair("four_bar_bodies", 1.0), std::pair("car_axis", 1.0),
                                           std::pair("knife_edge", 1.0), std::pair("rolling_disk", 1.0),
                                           std::pair("rolling_disk_bodies", 1.0),
                                           std::pair("heavy_top_bodies", 0.25), std::pair("bricard", 0.2),
                                           std::pair("door", 1.0), std::pair("andrews", 0.03)),
                         [](const auto& model) { return std::string(model.param.first); });

TEST(GeneratedC, AndrewsMechanismIsWhereTheLiteratureHasIt) {
  const LoadedModel model = load("andrews");
  const GeneratedLibrary library(model, {.tolerance = 1e-12});
  ASSERT_TRUE(library.compile());
  const Report report = library.run("series 0.03 1e-12");
  std::ifstream file(DALEMBERT_SOURCE_DIR "/tests/references/andrews.json");
  const auto reference = nlohmann::json::parse(file);
  const auto& end = reference.at("points").back();
  ASSERT_EQ(end.at("t"), "0.03");
  const auto& coordinates = model.model()->coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string exact = end.at("q").at(coordinates[i].name).get<std::string>();
    EXPECT_NEAR(report.at("q")[i], std::stod(exact), 1e-12) << coordinates[i].name;
  }
}

TEST(GeneratedC, EnergyAndConstraintsHoldOverFixedStepsInRealTime) {
  const GeneratedLibrary library(load("double_pendulum_cartesian"), {.order = 8});
  ASSERT_TRUE(library.compile());
  const Report start = library.run("start");
  const Report end = library.run("fixed 10 10000");  // a millisecond each
  const double energy = start.at("kinetic")[0] + start.at("potential")[0];
  EXPECT_NEAR(end.at("kinetic")[0] + end.at("potential")[0], energy, 1e-11 * std::max(1.0, std::abs(energy)));
  EXPECT_LE(largest(end.at("g")), 1e-14);
  EXPECT_LE(largest(end.at("gv")), 1e-13);
}

// The error of a step of order p is that of its velocities' term p + 1: over a time, h^p.
TEST(GeneratedC, FixedStepsHaveTheOrderThatWasAskedFor) {
  const LoadedModel model = load("pendulum_cartesian");
  const GeneratedLibrary library(model, {.order = 4});
  ASSERT_TRUE(library.compile());
  const session::Motion motion = run(model, {give("duration", 1.0), give("tolerance", 1e-14)});
  const double exact = motion.column("x").back();
  const double coarse = std::abs(library.run("fixed 1 20").at("q")[0] - exact);
  const double fine = std::abs(library.run("fixed 1 40").at("q")[0] - exact);
  EXPECT_GT(fine, 1e-11);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.7);
}

// A mass on a spring and a damper in series, y between them: the force on y determines its velocity.
TEST(GeneratedC, VelocitiesWithoutInertiaFollowFromForces) {
  const GeneratedLibrary library(load_text(R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = 0
[energy]
kinetic = "x'^2/2"
potential = "(x - y)^2/2"
dissipation = "0.3*y'^2/2"
)toml"),
                                 {.tolerance = 1e-12});
  ASSERT_TRUE(library.compile());
  EXPECT_NEAR(library.run("start").at("v")[1], 1 / 0.3, 1e-14);
  const Report end = library.run("series 5 1e-12");
  const double t = 5;
  const double x = (9 * std::exp(-t / 3) - std::exp(-3 * t)) / 8;
  EXPECT_NEAR(end.at("q")[0], x, 1e-11);
  EXPECT_NEAR(end.at("q")[1], x - (9 * std::exp(-3 * t) - std::exp(-t / 3)) / 8, 1e-11);
}

const char* const every_function = R"toml(
[parameters]
k = 1.5
l = "2*k + sqrt(k)"
[coordinates]
x = { position = 0.3, velocity = 0.4 }
y = { position = 0.2, velocity = -0.1 }
[energy]
kinetic = "(1 + x^2/2)*x'^2/2 + y'^2/2"
potential = "k*x^2/2 + y^4/l + exp(-x)/3 + sqrt(2 + y)"
[forces]
x = "sin(x + t)*cos(y) + tan(x/2) + atan(y) + asin(x/3) - acos(y/3) + tanh(x') + erf(x)/2"
y = "-log(2 + x) - sinh(y)/2 - cosh(x)/9 + (2 + x)^k/(1 + y^2) + atan2(x + 2, y + 3) + exp(y)/7 - y'/3"
[outputs]
force = "m0*x'' + l"
[definitions]
m0 = "1 + x^2/2"
)toml";

TEST(GeneratedC, KnowsEveryAnalyticFunction) {
  const LoadedModel model = load_text(every_function);
  const GeneratedLibrary library(model, {.order = 25, .tolerance = 1e-13});
  ASSERT_TRUE(library.compile());
  const session::Motion motion = run(model, {give("duration", 2.0), give("tolerance", 1e-14)});
  const Report end = library.run("series 2 1e-13");
  expect_near(end.at("q"), group(motion, ColumnGroup::q), 1e-12, "q");
  expect_near(end.at("v"), group(motion, ColumnGroup::v), 1e-12, "v");
  expect_near(end.at("output"), group(motion, ColumnGroup::output), 1e-12, "output");
}

TEST(GeneratedC, BranchesAreFollowedAwayFromTheirEnds) {
  const LoadedModel model = load_text(R"toml(
[coordinates]
x = { position = 1, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "-abs(x)^3 - sign(x') + min(x, 2*x)/3 - max(x^2, -x)/5"
)toml");
  const GeneratedLibrary library(model, {.order = 20});
  ASSERT_TRUE(library.compile());
  ASSERT_EQ(library.library().notes.size(), 1U);
  EXPECT_NE(library.library().notes[0].find("a fixed step across it"), std::string::npos);
  const session::Motion motion = run(model, {give("duration", 0.2), give("tolerance", 1e-14)});
  const Report end = library.run("fixed 0.2 20");
  expect_near(end.at("q"), group(motion, ColumnGroup::q), 1e-13, "q");
  expect_near(end.at("v"), group(motion, ColumnGroup::v), 1e-13, "v");
}

// Beside the program, which finds the same places by other means.
TEST(GeneratedC, SeriesStepsEndAtKinksAndJumps) {
  const LoadedModel model = load_text(R"toml(
[coordinates]
x = { position = 1, velocity = 0 }
y = { position = 0.3, velocity = 1 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "2*x^2"
[forces]
x = "-0.05*sign(x') + max(x - y, 0)/3"
y = "min(x, 0.2) - sign(y) - abs(y)*y"
)toml");
  const GeneratedLibrary library(model, {.order = 24});
  ASSERT_TRUE(library.compile());
  const session::Motion motion = run(model, {give("duration", 6.0), give("tolerance", 1e-13)});
  const Report end = library.run("series 6 1e-13");
  expect_near(end.at("q"), group(motion, ColumnGroup::q), 1e-10, "q");
  expect_near(end.at("v"), group(motion, ColumnGroup::v), 1e-10, "v");
}

// A block that friction stops, and a force that cannot move it again.
TEST(GeneratedC, SeriesStepsSayThatTheyStick) {
  const LoadedModel model = load_text(R"toml(
[coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "0.5 - 2*sign(x')"
)toml");
  const GeneratedLibrary library(model);
  ASSERT_TRUE(library.compile());
  const test::Finished finished = library.try_to_run("series 3 1e-10");
  EXPECT_EQ(finished.status, 1);
  EXPECT_NE(finished.messages.find("steps became too small"), std::string::npos) << finished.messages;
  EXPECT_NE(finished.output.find("t 0.66666"), std::string::npos) << finished.output;
}

// Constraints lose rank at t = 0.714, 1.228 and 2.657. Fixed steps that come near amplify their errors there:
// by 2e-4 of the positions and more (150, 300, 2000 steps), or without end.
TEST(GeneratedC, FixedStepsSayThatTheyAreWrongWhereConstraintsLoseRank) {
  const GeneratedLibrary library(load("iftomm_a02"));
  ASSERT_TRUE(library.compile());
  for (const char* const steps : {"150", "300", "1000", "2000"}) {
    const test::Finished finished = library.try_to_run(std::string("fixed 3 ") + steps);
    EXPECT_EQ(finished.status, 1) << steps;
    EXPECT_FALSE(finished.messages.empty()) << steps;
  }
  EXPECT_NE(library.try_to_run("fixed 3 300").messages.find("the step is too long"), std::string::npos);
  // before the first of these places all is well
  const Report end = library.run("fixed 0.6 100");
  const session::Motion motion = run(load("iftomm_a02"), {give("duration", 0.6), give("tolerance", 1e-13)});
  expect_near(end.at("q"), group(motion, ColumnGroup::q), 1e-10, "q");
}

TEST(GeneratedC, FollowsChangedParametersWithTheStart) {
  const LoadedModel model = load("slider_crank", {"l1=0.3", "torque=4"});
  const GeneratedLibrary library(load("slider_crank"), {.tolerance = 1e-12},
                                 "p.l1 = 0.3;\np.torque = 4;\nslider_crank_derive_parameters(&p);\n");
  ASSERT_TRUE(library.compile());
  const session::Motion motion = run(model, {give("duration", 1.0), give("tolerance", 1e-14)});
  expect_near(library.run("series 1 1e-12").at("q"), group(motion, ColumnGroup::q), 1e-11, "q");
}

TEST(GeneratedC, MakesIdentifiersOfAnyNames) {
  const LoadedModel model = load_text(R"toml(
title = "Ünlucky */ names ??/ \\"
[parameters]
class = 2
int = "class/2"
NULL = 3
_x = 1
p = 1
[coordinates]
double = { position = 1 }
t_ = 0
s = 0
[energy]
kinetic = "class*double'^2/2 + int*t_'^2/2 + _x*s'^2/2"
potential = "NULL*double^2/2 + p*s"
[constraints]
holonomic = { return = "t_ = double - 1" }
[outputs]
while = "double + lambda(return)"
ORDER = "s"
)toml");
  const GeneratedLibrary library(model, {.name = "new"});
  EXPECT_EQ(library.library().names.prefix, "new_");
  EXPECT_EQ(library.library().names.parameters,
            (std::vector<std::string>{"class_", "int_", "NULL_", "x_x", "p"}));
  ASSERT_TRUE(library.compile());
  const test::Finished cpp =
      test::run_command("cd '" + library.folder().string() +
                        "' && echo '#include \"model.h\"' > h.cpp && c++ -Wall -Wextra "
                        "-Wpedantic -Werror -c h.cpp -o h.o");
  EXPECT_EQ(cpp.status, 0) << cpp.messages;
  const Start start = find_start(model.system());
  expect_near(library.run("start").at("a"), start.a, 1e-14, "a");
}

TEST(GeneratedC, CompilesWithClangWhereItIs) {
  if (find_program("clang").empty()) GTEST_SKIP() << "there is no clang";
  EXPECT_TRUE(GeneratedLibrary(load("slider_crank")).compile("clang"));
  EXPECT_TRUE(GeneratedLibrary(load_text(every_function)).compile("clang"));
}

TEST(GeneratedC, NeedsNothingButMathematicalFunctions) {
  const GeneratedLibrary library(load_text(every_function), {.derivatives = true});
  ASSERT_TRUE(library.compile());
  const test::Finished symbols =
      test::run_command("cd '" + library.folder().string() + "' && nm -u model.o | awk '{print $2}' | sort");
  std::istringstream names(symbols.output);
  const std::vector<std::string> allowed{"acos",   "asin", "atan",  "atan2", "cos",  "cosh", "erf",
                                         "exp",    "fabs", "floor", "fmax",  "fmin", "log",  "memcpy",
                                         "memset", "pow",  "sin",   "sinh",  "sqrt", "tan",  "tanh"};
  for (std::string name; names >> name;)
    EXPECT_NE(std::find(allowed.begin(), allowed.end(), name), allowed.end()) << name;
}

TEST(GeneratedC, RefusesWhatHasNoSuchForm) {
  const auto message = [](const LoadedModel& model, const session::CodegenOptions& options = {}) {
    try {
      session::codegen(model, options);
    } catch (const Error& error) {
      return error.message();
    }
    return std::string("none");
  };
  EXPECT_EQ(message(load("ellipse")),
            "a kinematic model has no equations of motion that could be written as C");
  EXPECT_EQ(message(load("bouncing_ball")),
            "the model has the contact 'floor': a motion with events or friction cannot be written as C");
  const std::string of_data =
      "[coordinates]\nx = 1\n[inputs]\nu = { times = [0, 1], values = [0, 1] }\n"
      "[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"u\"\n[solve]\nduration = 1\n";
  EXPECT_EQ(message(load_text(of_data)),
            "the input 'u' is given by data, which cannot be written as C; make 'u' a parameter, which the "
            "caller of the library sets, or of a unit --input u");
  try {
    session::codegen(load_text(of_data, {}, "driven.toml"));
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), (SourceLocation{"driven.toml", 4, 1}));
  }
  EXPECT_EQ(message(load("pendulum"), {.order = 61}), "the order must be between 2 and 60, not 61");
  EXPECT_EQ(message(load("pendulum"), {.tolerance = 2}), "the tolerance must be between 0 and 1, not 2");
}

TEST(GeneratedC, IsWrittenWholeOrNotAtAll) {
  const test::TemporaryFolder folder;
  const std::filesystem::path place = folder.path() / "crank";
  session::write_folder(place, {{"model.h", "a"}, {"model.c", "b"}});
  session::write_folder(place, {{"model.h", "c"}, {"model.c", "d"}});
  EXPECT_EQ(test::read_file(place / "model.h"), "c");
  folder.write("crank/notes.txt", "mine");
  EXPECT_THROW(session::write_folder(place, {{"model.h", "e"}, {"model.c", "f"}}), Error);
  EXPECT_EQ(test::read_file(place / "model.h"), "c");
  EXPECT_THROW(session::write_folder(folder.path() / "not" / "there", {{"model.h", "e"}}), Error);
  const auto entries = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1) << "a draft remained";
}

}  // namespace
}  // namespace dalembert
