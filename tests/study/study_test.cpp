// Rows of studies against closed forms, and where they are computed, stopped and resumed.
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/table_file.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/study/executor.hpp>
#include <dalembert/study/row_log.hpp>
#include <dalembert/study/sweep.hpp>

#include "temporary_folder.hpp"

namespace dalembert::study {
namespace {

using Clock = std::chrono::system_clock;
const double pi = std::acos(-1.0);

StudyDescription describe(const std::string& text, const Variation& variation,
                          std::vector<std::string> collect, std::vector<GivenOption> options = {}) {
  return {{text, "model", {}, {}}, variation, std::move(collect), std::move(options)};
}

std::vector<std::vector<double>> rows_of(const Study& study) {
  std::vector<std::vector<double>> rows;
  for (std::uint64_t i = 0; i < study.blocks(); ++i) {
    const RowBlock block = study.run(i, [] { return true; }).value();
    const std::size_t width = study.columns().size();
    for (std::size_t k = 0; k < block.count; ++k)
      rows.emplace_back(block.values.begin() + static_cast<std::ptrdiff_t>(k * width),
                        block.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
  }
  return rows;
}

// x = A cos(w t)
const std::string oscillator = R"toml(
[parameters]
A = 1
w = 1
[coordinates]
x = "A"
[energy]
kinetic = "x'^2/2"
potential = "w^2*x^2/2"
[outputs]
double = "2*x"
[solve]
duration = 7
)toml";

TEST(StudyOfOscillators, HasExactExtremesIntegralsAndEnds) {
  const Study study(describe(oscillator, {.vary = {"A=0.5:3:5", "w=1:2:5"}},
                             {"max(x), argmax(x), min(x'), argmin(x'), integral(x^2), mean(double), end(x'')",
                              "max(abs(x)), integral(abs(x)), end(energy)"}));
  for (const std::vector<double>& row : rows_of(study)) {
    const double A = row[0], w = row[1], T = 7;
    EXPECT_NEAR(row[2], A, 1e-13 * A);
    EXPECT_EQ(row[3], 0);
    EXPECT_NEAR(row[4], -A * w, 1e-13 * A * w);
    const double quarter = pi / (2 * w), period = 2 * pi / w;
    EXPECT_NEAR(std::remainder(row[5] - quarter, period), 0, 1e-6);  // flat: its place is less sharp
    EXPECT_NEAR(row[6], A * A / 2 * (T + std::sin(2 * w * T) / (2 * w)), 1e-13 * A * A * T);
    EXPECT_NEAR(row[7], 2 * A * std::sin(w * T) / w / T, 1e-13 * A);
    EXPECT_NEAR(row[8], -A * w * w * std::cos(w * T), 2e-13 * A * w * w);
    EXPECT_NEAR(row[9], A, 1e-13 * A);
    // ∫|cos| = 2 per half period, and the rest from the last maximum of |x| on
    const double halves = std::floor(w * T / pi + 0.5), rest = std::sin(w * T - halves * pi);
    EXPECT_NEAR(row[10], A / w * (2 * halves + rest), 1e-12 * A);
    EXPECT_NEAR(row[11], A * A * w * w / 2, 1e-13 * A * A * w * w);
    EXPECT_EQ(row[12], 0);  // finished
    EXPECT_EQ(row[13], 7);
  }
}

// x = t v: functions that are wilder than the motion, whose series end long before a step does.
TEST(StudyOfAUniformMotion, HasExtremesAndIntegralsOfFunctionsThatAreWilderThanTheMotion) {
  const std::string uniform = R"toml(
[coordinates]
x = { position = 0, velocity = 1 }
[energy]
kinetic = "x'^2/2"
[solve]
duration = 2
)toml";
  const Study study(describe(uniform, {.vary = {"x'=1,2"}},
                             {"max(sin(1000*x)), integral(sin(150*x)^2), integral(1/(1 + 1e6*(x - 1.03)^2))",
                              "integral(abs(sin(1000*x))), max(x*sin(1000*x))"}));
  for (const std::vector<double>& row : rows_of(study)) {
    const double v = row[0], w = 150 * v, end = 2 * v;
    EXPECT_NEAR(row[1], 1, 1e-9);
    EXPECT_NEAR(row[2], 1 - std::sin(4 * w) / (4 * w), 1e-9);
    EXPECT_NEAR(row[3], (std::atan(1e3 * (end - 1.03)) + std::atan(1030.0)) / 1e3 / v, 1e-9);
    const double halves = std::floor(1000 * end / pi);
    EXPECT_NEAR(row[4], (2 * halves + 1 - std::cos(1000 * end - halves * pi)) / 1e3 / v, 1e-9);
    EXPECT_LT(row[5], end);
    EXPECT_GT(row[5], end - 2 * pi / 1000);
  }
}

TEST(StudyOfUnits, HasThoseOfParametersThatVary) {
  const std::string text = R"toml(
[parameters]
m = { value = 2, unit = "kg" }
k = { value = 8, unit = "N/m" }
w = "sqrt(k/m)"
[units]
system = "SI"
[coordinates]
x = { position = 1, unit = "m" }
[energy]
kinetic = "m*x'^2/2"
potential = "m*w^2*x^2/2"
[solve]
duration = 1
)toml";
  const Study study(describe(
      text, {.vary = {"k=7,9", "x=1,2", "w=2"}, .samples = {"m=uniform(1,2)"}, .runs = 2}, {"max(x)"}));
  std::vector<std::string> units;
  for (const StudyColumn& column : study.columns()) units.push_back(column.name + " " + column.unit);
  units.resize(5);
  EXPECT_EQ(units, (std::vector<std::string>{"k N/m", "x m", "w rad/s", "m kg", "max(x) m"}));
}

double agm(double a, double b) {
  for (int i = 0; i < 40; ++i) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return a;
}

// θ'' = −sin θ from amplitude α: period 2π / agm(1, cos(α/2)), largest velocity 2 sin(α/2).
TEST(StudyOfPendulums, HasThePeriodsOfTheEllipticIntegral) {
  const std::string pendulum = R"toml(
[coordinates]
theta = 1
[energy]
kinetic = "theta'^2/2"
potential = "-cos(theta)"
[[event]]
name = "lowest"
when = "theta"
[solve]
duration = 30
)toml";
  const Study study(describe(pendulum, {.vary = {"theta=0.1:3:30"}},
                             {"time(lowest), count(lowest), max(theta'), min(theta)"}));
  for (const std::vector<double>& row : rows_of(study)) {
    const double period = 2 * pi / agm(1, std::cos(row[0] / 2));
    EXPECT_NEAR(row[1], period / 4, 1e-13 * period);
    EXPECT_EQ(row[2], std::floor((30 - period / 4) / (period / 2)) + 1);
    EXPECT_NEAR(row[3], 2 * std::sin(row[0] / 2), 1e-13 * row[3]);
    EXPECT_NEAR(row[4], -row[0], 1e-13 * row[0]);
  }
}

TEST(StudyOfPendulums, InLanesHasTheSameExtremes) {
  const std::string text = R"toml(
[parameters]
l = 1
[coordinates]
x = { position = 0.6 }
y = { position = -0.8, guess = true }
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "y"
[constraints]
holonomic = { rod = "x^2 + y^2 - l^2" }
[solve]
duration = 20
)toml";
  const Study study(
      describe(text, {.vary = {"x=0.1:0.9:17"}}, {"max(y), max(x'^2 + y'^2), max(lambda(rod))"}));
  for (const std::vector<double>& row : rows_of(study)) {
    const double height = 1 - std::sqrt(1 - row[0] * row[0]);
    EXPECT_NEAR(row[1], height - 1, 1e-13);
    EXPECT_NEAR(row[2], 2 * height, 1e-13);
    // M a = f − Cᵀ λ: tension 2 λ l = v² + cos α at the lowest point
    EXPECT_NEAR(row[3], (2 * height + 1) / 2, 1e-12);
  }
}

TEST(Study, RowIsTheRunWithItsSettings) {
  const session::ModelSource source = session::find_source("slider_crank");
  const Study study({source,
                     {.vary = {"theta1=0.2:1:3", "l2=1,1.2"}},
                     {"end(theta2), end(theta1')"},
                     {give("duration", 0.5)}});
  const auto rows = rows_of(study);
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    session::ModelSource own = source;
    own.settings = settings_of(study.plan(), i);
    const session::Motion motion = session::run(session::LoadedModel(own), {give("duration", 0.5)});
    EXPECT_NEAR(rows[i][2], motion.column("theta2").back(), 1e-12);
    EXPECT_NEAR(rows[i][3], motion.column("theta1'").back(), 1e-11);
  }
}

TEST(Study, VariesTheStartOfOneOfManyCoordinates) {
  const Study study({session::find_source("slider_crank_bodies"),
                     {.vary = {"crank.angle=0.3,0.5"}},
                     {"end(crank.x)"},
                     {give("duration", 0.01)}});
  const auto rows = rows_of(study);
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    const session::LoadedModel alone = session::load("slider_crank_bodies", settings_of(study.plan(), i));
    EXPECT_NEAR(rows[i][1], session::run(alone, {give("duration", 0.01)}).column("crank.x").back(), 1e-12);
  }
}

TEST(Study, KeepsRunsThatFailAsRows) {
  const Study study(describe(oscillator, {.vary = {"w=1,1e200,2"}}, {"max(x)"}));
  const RowBlock block = study.run(0, [] { return true; }).value();
  const std::size_t width = study.columns().size();
  EXPECT_EQ(block.values[0 * width + study.outcome_column()], 0);
  EXPECT_NE(block.values[1 * width + study.outcome_column()], 0);
  EXPECT_EQ(block.values[2 * width + study.outcome_column()], 0);
  EXPECT_NEAR(block.values[2 * width + 1], 1, 1e-13);
  ASSERT_EQ(block.reasons.size(), 1U);
  EXPECT_EQ(block.reasons[0].first, 1U);
  EXPECT_FALSE(block.reasons[0].second.empty());
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const Variation random_oscillators{.samples = {"A=normal(1,0.2)", "w=uniform(1,3)"}, .runs = 1000, .seed = 5};

// A ball that rests on the floor presses with its own weight, whatever mass a row gives it.
TEST(Study, KeepsItsValuesWhenContactsClose) {
  const Study study(describe(R"toml(
[parameters]
m = 1
[coordinates]
y = 1
[energy]
kinetic = "m*y'^2/2"
potential = "m*10*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.5
[outputs]
push = "lambda(floor)"
[solve]
duration = 3
)toml",
                             {.vary = {"m=1,3"}}, {"end(push)"}));
  for (const std::vector<double>& row : rows_of(study)) EXPECT_NEAR(row[1], 10 * row[0], 1e-11);
}

// Pushed up an incline with v, it slides for v/(g (sin α + μ cos α)) and is then held, or slides back.
TEST(Study, CollectsTheForceOfFriction) {
  const Study study(describe(R"toml(
[parameters]
mu = 1
[coordinates]
x = { position = 0, velocity = 2 }
y = 0
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*(y*cos(0.3) + x*sin(0.3))"
[[contact]]
name = "plane"
gap = "y"
friction = "mu"
slip = "x'"
[solve]
duration = 1
)toml",
                             {.vary = {"mu=0.2,0.25,0.35,0.4"}},
                             {"end(lambda(plane.slip)), min(lambda(plane.slip)), "
                              "integral(lambda(plane.slip))"}));
  const double press = 9.81 * std::cos(0.3), pull = 9.81 * std::sin(0.3);
  for (const std::vector<double>& row : rows_of(study)) {
    const double mu = row[0], stops = 2 / (pull + mu * press), end = std::min(mu * press, pull);
    EXPECT_NEAR(row[1], end, 1e-12);
    EXPECT_NEAR(row[2], -mu * press, 1e-12);
    EXPECT_NEAR(row[3], -mu * press * stops + end * (1 - stops), 1e-12);
  }
}

// √x has no value behind the first quarter period: no number, and an end.
TEST(Study, GivesNoNumberForWhatHasNoValue) {
  const Study study(
      describe(oscillator, {.vary = {"A=1"}}, {"end(sqrt(x)), end(x)"}, {give("duration", 3.0)}));
  const auto rows = rows_of(study);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_TRUE(std::isnan(rows[0][1]));
  EXPECT_NEAR(rows[0][2], std::cos(3.0), 1e-13);
}

// u = t up to 1, then 2 − t: x'' = u.
const std::string driven = R"toml(
[inputs]
u = { times = [0, 1, 2], values = [0, 1, 0] }
[coordinates]
x = 0
[energy]
kinetic = "x'^2/2"
[forces]
x = "u"
[solve]
duration = 1.5
)toml";

TEST(Study, CollectsInputsAndTheirDerivatives) {
  const Study study(describe(driven, {.vary = {"x=1,2"}},
                             {"end(u), max(u), argmax(u), integral(u^2), end(u'), min(x*u), end(x)"}));
  for (const std::vector<double>& row : rows_of(study)) {
    EXPECT_NEAR(row[1], 0.5, 1e-15);
    EXPECT_NEAR(row[2], 1, 1e-15);
    EXPECT_NEAR(row[3], 1, 1e-15);
    EXPECT_NEAR(row[4], 1.0 / 3 + (1 - 0.125) / 3, 1e-15);
    EXPECT_NEAR(row[5], -1, 1e-15);
    EXPECT_NEAR(row[6], 0, 1e-15);
    // x(1) = x0 + 1/6, x'(1) = 1/2, then ∫∫ (1 − τ)
    const double tau = 0.5;
    EXPECT_NEAR(row[7], row[0] + 1.0 / 6 + tau / 2 + tau * tau / 2 - tau * tau * tau / 6, 1e-14);
  }
}

TEST(Study, RefusesToLeaveTheDataOfAnInput) {
  const Study study(describe(driven, {.vary = {"x=1,2"}}, {"end(x)"}, {give("duration", 2.5)}));
  const RowBlock block = study.run(0, [] { return true; }).value();
  ASSERT_EQ(block.reasons.size(), 2U);
  for (const auto& [row, reason] : block.reasons)
    EXPECT_NE(reason.find("leaves the data of the input 'u'"), std::string::npos) << reason;
  EXPECT_EQ(block.values[study.outcome_column()], static_cast<double>(Outcome::stopped_early));
}

TEST(Sweep, WritesTheSameHdf5FileAtAnyTime) {
  const test::TemporaryFolder folder;
  const Study study(describe(oscillator, random_oscillators, {"max(x'), integral(x)"}));
  ThreadExecutor executor(2);
  const auto second = [] { return std::chrono::time_point_cast<std::chrono::seconds>(Clock::now()); };
  const std::string first = folder.path() / "a.h5", later = folder.path() / "b.h5";
  EXPECT_TRUE(sweep(study, executor, {.files = {first}}).is_complete());
  const auto then = second();
  while (second() == then) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(sweep(study, executor, {.files = {later}}).is_complete());
  EXPECT_EQ(content(first), content(later));
  EXPECT_FALSE(content(first).empty());
}

TEST(Sweep, HasTheSameBitsOnAnyNumberOfThreadsAndWhenResumed) {
  const test::TemporaryFolder folder;
  const Study study(describe(oscillator, random_oscillators, {"max(x'), integral(x)"}));
  std::vector<std::string> files;
  for (const int threads : {1, 2, 3}) {
    ThreadExecutor executor(threads);
    files.push_back(folder.path() / (std::to_string(threads) + ".csv"));
    EXPECT_TRUE(sweep(study, executor, {.files = {files.back()}}).is_complete());
    EXPECT_EQ(content(files.back()), content(files.front()));
  }
  // stopped after some blocks, then a record that is cut
  const std::string file = folder.path() / "stopped.csv";
  ThreadExecutor executor(2);
  int blocks = 0;
  SweepOptions options{.files = {file}};
  options.progress = [&](const SweepProgress&) { ++blocks; };
  options.go_on = [&] { return blocks < 3; };
  const SweepReport stopped = sweep(study, executor, options);
  EXPECT_FALSE(stopped.is_complete());
  EXPECT_GT(stopped.rows, 0U);
  EXPECT_LT(stopped.rows, 1000U);
  EXPECT_NE(content(file).find("# state: partial"), std::string::npos);
  EXPECT_THROW(sweep(study, executor, {.files = {file}}), Error);  // without resume
  const auto size = std::filesystem::file_size(file + ".rows");
  std::filesystem::resize_file(file + ".rows", size - 100);
  const Study other(describe(oscillator, random_oscillators, {"max(x)"}));
  EXPECT_THROW(sweep(other, executor, {.files = {file}, .resume = true}), Error);
  const SweepReport resumed = sweep(study, executor, {.files = {file}, .resume = true});
  EXPECT_TRUE(resumed.is_complete());
  EXPECT_EQ(resumed.computed, 1000 - stopped.rows + Study::block_rows);
  EXPECT_EQ(content(file), content(files.front()));
  EXPECT_FALSE(std::filesystem::exists(file + ".rows"));
  const SweepReport again = sweep(study, executor, {.files = {file}, .resume = true});
  EXPECT_TRUE(again.is_complete());
  EXPECT_EQ(again.computed, 0U);
}

TEST(Sweep, IsRepeatedFromItsFile) {
  const test::TemporaryFolder folder;
  const Study study(describe(oscillator, random_oscillators, {"max(x')"}));
  ThreadExecutor executor(1);
  for (const char* name : {"a.csv", "a.h5"}) {
    const std::string file = folder.path() / name;
    sweep(study, executor, {.files = {file}});
    const Study again(from_json(read_table_text(file, "study")));
    EXPECT_EQ(settings_of(again.plan(), 123), settings_of(study.plan(), 123));
    EXPECT_EQ(to_json(again.description()), to_json(study.description()));
  }
}

// sin x1 + a sin² x2 + b x3⁴ sin x1, each in (−π, π), with a = 7, b = 0.1: its variance and parts are known
// (Ishigami & Homma 1990).
TEST(SobolIndices, AreThoseOfIshigamisFunction) {
  const std::string ishigami = R"toml(
[parameters]
x1 = 0
x2 = 0
x3 = 0
[coordinates]
s = 0
[energy]
kinetic = "s'^2/2"
[outputs]
f = "sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)"
[solve]
duration = 1
)toml";
  const test::TemporaryFolder folder;
  const Study study(describe(ishigami,
                             {.samples = {"x1=uniform(-pi,pi)", "x2=uniform(-pi,pi)", "x3=uniform(-pi,pi)"},
                              .runs = 4096,
                              .sobol = true,
                              .indices = true},
                             {"end(f)"}));
  ThreadExecutor executor(2);
  const SweepReport report = sweep(study, executor, {.files = {folder.path() / "i.csv"}});
  ASSERT_TRUE(report.is_complete());
  ASSERT_EQ(report.rows, 5U * 4096);
  const double a = 7, b = 0.1, p4 = std::pow(pi, 4), p8 = p4 * p4;
  const double V1 = std::pow(1 + b * p4 / 5, 2) / 2, V2 = a * a / 8, V13 = b * b * p8 * (1.0 / 18 - 1.0 / 50);
  const double V = V1 + V2 + V13;
  const std::vector<SobolIndex>& indices = report.columns.back().indices;
  ASSERT_EQ(indices.size(), 3U);
  const std::array<double, 3> first{V1 / V, V2 / V, 0}, total{(V1 + V13) / V, V2 / V, V13 / V};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(indices[i].first, first[i], 0.01);
    EXPECT_NEAR(indices[i].total, total[i], 0.01);
    EXPECT_LT(std::abs(indices[i].first - first[i]), 4 * indices[i].first_error);
  }
}

}  // namespace
}  // namespace dalembert::study
