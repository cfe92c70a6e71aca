// Other values of parameters without reading or compiling again; the numbers that follow from a model and a
// run.
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/text.hpp>
#include <dalembert/session/check.hpp>
#include <dalembert/session/equations.hpp>
#include <dalembert/session/motion_curve.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/session/run_output.hpp>
#include <dalembert/session/state_matrices.hpp>

#include "session/failure.hpp"
#include "temporary_folder.hpp"

namespace dalembert::session {
namespace {

using ::testing::IsSubstring;

LoadedModel with(const LoadedModel& model, const std::string& name, double value) {
  return model.with_parameters(std::vector<NamedValue>{{name, value}});
}

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(OtherParameters, GiveWhatAModelReadWithThemGives) {
  for (const char* name : {"slider_crank", "slider_crank_bodies"}) {
    const LoadedModel model = load(name);
    const LoadedModel other = with(model, "l1", 0.3), fresh = load(name, {"l1=0.3"});
    EXPECT_EQ(&other.system().equations(), &model.system().equations()) << "derived again";
    EXPECT_EQ(other.row_program(), model.row_program()) << "compiled again";
    const std::array duration{give("duration", 0.5)};
    EXPECT_EQ(run(other, duration).numbers, run(fresh, duration).numbers);
    EXPECT_EQ(to_text(check(other)), to_text(check(fresh)));
    EXPECT_EQ(to_text(equations(other, {.numbers = true})), to_text(equations(fresh, {.numbers = true})));
    EXPECT_EQ(other.source().settings, fresh.source().settings);
    EXPECT_EQ(run(model, duration).numbers, run(load(name), duration).numbers);
  }
}

TEST(OtherParameters, ReplaceEachOther) {
  const LoadedModel twice = with(with(load("pendulum"), "l", 3), "l", 0.5);
  EXPECT_EQ(twice.source().settings, std::vector<std::string>{"l=0.5"});
  EXPECT_EQ(run(twice).numbers, run(load("pendulum", {"l=0.5"})).numbers);
}

TEST(OtherParameters, OfAKinematicModelAreRead) {
  const std::string circle = R"toml(
kind = "kinematic"
[parameters]
r = 1
[coordinates]
x = "r"
y = 0
[constraints]
holonomic = { circle = "x^2 + y^2 = r^2" }
[kinematics]
c = "1"
C = []
K = [["-2"]]
[solve]
duration = 0.1
)toml";
  const LoadedModel other = with(load_text(circle), "r", 2);
  EXPECT_EQ(run(other).numbers, run(load_text(circle, {"r=2"})).numbers);
}

TEST(OtherParameters, MustBeThereAndFinite) {
  const LoadedModel model = load("pendulum");
  EXPECT_PRED_FORMAT2(IsSubstring, "no parameter 'll'", failure([&] { with(model, "ll", 1); }).message());
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_PRED_FORMAT2(IsSubstring, "'l' must be a finite number",
                      failure([&] { with(model, "l", infinite); }).message());
}

TEST(OtherStarts, GiveWhatAModelReadWithThemGives) {
  struct Case {
    const char* model;
    std::vector<NamedValue> start;
  };
  const std::vector<Case> cases{{"pendulum", {{"theta", 1.5}, {"theta'", -0.25}}},
                                {"slider_crank", {{"theta1", 0.3}}},
                                {"slider_crank_bodies", {{"crank.angle", 0.3}}},
                                {"andrews", {{"beta'", 1.0}}}};
  for (const auto& [name, start] : cases) {
    const LoadedModel model = load(name), other = model.with_start(start), again = model.with_start(start);
    std::vector<std::string> settings;
    for (const auto& [of, value] : start) settings.push_back(of + "=" + shortest(value));
    const LoadedModel fresh = load(name, settings);
    const std::array duration{give("duration", 0.02)};
    EXPECT_EQ(run(other, duration).numbers, run(fresh, duration).numbers) << name;
    EXPECT_EQ(to_text(check(other)), to_text(check(fresh)));
    EXPECT_EQ(other.source().settings, fresh.source().settings);
    EXPECT_EQ(&other.system().equations(), &again.system().equations()) << "derived again";
    EXPECT_EQ(other.model()->parameters.size(), model.model()->parameters.size());
    EXPECT_EQ(run(model, duration).numbers, run(load(name), duration).numbers);
  }
}

TEST(OtherStarts, KeepOtherParametersInAnyOrder) {
  const LoadedModel model = load("pendulum");
  const std::vector<NamedValue> first{{"theta", 0.5}}, second{{"theta'", 2.0}};
  const Motion fresh = run(load("pendulum", {"l=3", "theta=0.5", "theta'=2"}));
  EXPECT_EQ(run(with(model, "l", 3).with_start(first).with_start(second)).numbers, fresh.numbers);
  EXPECT_EQ(run(with(model.with_start(second).with_start(first), "l", 3)).numbers, fresh.numbers);
  EXPECT_EQ(run(with(with(model, "l", 7).with_start(second), "l", 3).with_start(first)).numbers,
            fresh.numbers);
  EXPECT_EQ(run(model.with_start(first)).numbers, run(load("pendulum", {"theta=0.5"})).numbers);
}

TEST(OtherStarts, MustBeOfCoordinatesAndFinite) {
  const LoadedModel model = load("pendulum");
  const auto start = [&](const char* name, double value) {
    return failure([&] { model.with_start(std::vector<NamedValue>{{name, value}}); }).message();
  };
  EXPECT_PRED_FORMAT2(IsSubstring, "no coordinate 'l'", start("l", 1));
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_PRED_FORMAT2(IsSubstring, "theta must be a finite number", start("theta", infinite));
  const LoadedModel ellipse = load("ellipse");
  EXPECT_EQ(run(ellipse.with_start(std::vector<NamedValue>{{"x", 0.5}})).numbers,
            run(load("ellipse", {"x=0.5"})).numbers);
}

TEST(FilesOfAMotion, AreThoseOfItsRun) {
  const test::TemporaryFolder folder;
  const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
  for (const LoadedModel& model :
       {load("slider_crank"), with(load("slider_crank"), "l1", 0.25), load("ellipse")}) {
    SolveOptions options = options_of(*model.model());
    options.duration = 0.2;
    OutputOptions outputs;
    outputs.files = {file("a.csv")};
    outputs.plots = {file("a.svg")};
    run_to_files(model, options, outputs);
    outputs.files = {file("b.csv")};
    outputs.plots = {file("b.svg")};
    write_outputs(model, run(model, options), outputs);
    EXPECT_EQ(content(folder.path() / "a.csv"), content(folder.path() / "b.csv"));
    EXPECT_EQ(content(folder.path() / "a.svg"), content(folder.path() / "b.svg"));
  }
}

TEST(AWatcherOfRows, SeesThemAndStopsTheRun) {
  const LoadedModel model = load("pendulum");
  SolveOptions options = options_of(*model.model());
  options.output_step = 0.25;
  std::vector<double> seen;
  const Motion motion = run_watched(model, options, [&](std::span<const double> row) {
    seen.insert(seen.end(), row.begin(), row.end());
    return row[0] < 1;
  });
  EXPECT_EQ(motion.report().outcome, Outcome::interrupted);
  EXPECT_EQ(motion.column("t").back(), 1);
  EXPECT_EQ(seen, motion.numbers);
}

TEST(StateMatrices, SolveTheEquationsOfMotion) {
  const LoadedModel model = load("slider_crank");
  const Motion motion = run(model, {give("duration", 1.0)});
  const std::size_t n = 2, last = motion.samples() - 1;
  const auto part = [&](ColumnGroup group) {
    std::vector<double> values;
    for (std::size_t i = 0; i < motion.group(group).second; ++i)
      values.push_back(motion.at(last, motion.group(group).first + i));
    return values;
  };
  const std::vector<double> a = part(ColumnGroup::a), lambda = part(ColumnGroup::lambda);
  StateMatrices at(model);
  at.eval(1.0, part(ColumnGroup::q), part(ColumnGroup::v));
  for (std::size_t i = 0; i < n; ++i)
    EXPECT_NEAR(at.M[n * i] * a[0] + at.M[n * i + 1] * a[1], at.f[i] - at.C[i] * lambda[0], 1e-10);
  EXPECT_NEAR(at.C[0] * a[0] + at.C[1] * a[1], at.gamma[0], 1e-10);
  EXPECT_NEAR(at.g[0], 0, 1e-14);
  EXPECT_EQ(at.c[0], 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "no mass matrix",
                      failure([] { StateMatrices of_kinematic(load("ellipse")); }).message());
}

// Many times per step, in any order and direction, against the equations solved at each.
TEST(MotionCurve, IsTheDenseOutputToRoundOff) {
  for (const char* name : {"pendulum", "slider_crank", "pendulum_cartesian"}) {
    const LoadedModel model = load(name);
    const std::size_t n = model.system().n();
    for (const double duration : {1.0, -1.0}) {
      DenseOutput motion(model.system());
      SolveOptions options = options_of(*model.model());
      options.duration = duration;
      options.dense_output = &motion;
      run(model, options);
      std::vector<double> times;
      constexpr int count = 20000;
      for (int i = 0; i <= count; ++i) times.push_back(motion.start() + duration * i / count);
      std::vector<double> rows(times.size() * 2 * n);
      MotionCurve(motion, n).eval(times, rows);
      for (std::size_t i = 0; i < times.size(); i += 37) {
        const DenseOutput::State exact = motion.at(times[i]);
        for (std::size_t k = 0; k < n; ++k) {
          EXPECT_NEAR(rows[i * 2 * n + k], exact.q[k], 1e-14 * (1 + std::abs(exact.q[k]))) << name;
          EXPECT_NEAR(rows[i * 2 * n + n + k], exact.v[k], 3e-13 * (1 + std::abs(exact.v[k]))) << name;
        }
      }
    }
  }
}

TEST(MotionCurve, RefusesTimesOutsideTheRun) {
  const LoadedModel model = load("pendulum");
  DenseOutput motion(model.system());
  SolveOptions options = options_of(*model.model());
  options.dense_output = &motion;
  run(model, options);
  std::vector<double> row(2);
  for (const double t : {-1.0, 1e9, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_PRED_FORMAT2(IsSubstring, "outside the run",
                        failure([&] { MotionCurve(motion, 1).eval(std::array{t}, row); }).message());
}

}  // namespace
}  // namespace dalembert::session
