// Forces that act between two places where neither they nor any of their derivatives are felt: steps of the
// Adomian method are no longer than it is proven that nothing happens within them.
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/solve/batch.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

const double pi = std::acos(-1.0);

// A pulse of width 1 about 0 as text, and its integral.
struct Shape {
  const char* name;
  const char* text;
  double (*integral)(double);
};

const Shape shapes[] = {
    {"Gaussian", "exp(-({0})^2)", [](double u) { return std::sqrt(pi) / 2 * std::erf(u); }},
    {"sech2", "1 - tanh({0})^2", [](double u) { return std::tanh(u); }},
    {"Lorentzian", "1/(1 + ({0})^2)", [](double u) { return std::atan(u); }},
    {"window", "tanh({0} + 1) - tanh({0} - 1)",
     [](double u) {
       const auto log_cosh = [](double x) { return std::abs(x) + std::log1p(std::exp(-2 * std::abs(x))); };
       return log_cosh(u + 1) - log_cosh(u - 1);
     }},
    {"logistic", "1/(1 + exp(-{0}))/(1 + exp({0}))", [](double u) { return 0.5 * std::tanh(u / 2); }},
};

struct Pulse {
  const Shape* shape;
  double width, centre, size;

  std::string of(const std::string& variable) const {
    return fmt::format(
        "{}*({})", size,
        fmt::format(fmt::runtime(shape->text), fmt::format("(({} - {})/{})", variable, centre, width)));
  }
  double integral(double from, double to) const {
    const auto at = [&](double x) { return shape->integral((x - centre) / width); };
    return size * width * (at(to) - at(from));
  }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double from, double to) { return std::uniform_real_distribution(from, to)(engine_); }
  double power_of_ten(double from, double to) { return std::pow(10, between(from, to)); }

 private:
  std::mt19937 engine_;
};

testing::Simulation run_text(const std::string& model, const SolveOptions& options) {
  const testing::Simulation result = testing::simulate(System(read_model_text(model)), options);
  // a drive with a pulse of width 1e-5 is doubted; the callers compare the motion
  EXPECT_TRUE(reached_end(result.report.outcome)) << result.report.reason << "\n" << model;
  return result;
}
SolveOptions to_the_end(double duration = 10) {
  SolveOptions options;
  options.duration = duration;
  options.output_times = {duration};
  return options;
}

std::string particle(const std::string& force, double velocity) {
  return fmt::format(
      "[coordinates]\nx = {{ position = 0, velocity = {} }}\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = "
      "\"{}\"\n",
      velocity, force);
}

TEST(HiddenPulses, OfTimeGiveTheirImpulse) {
  Random random(1);
  for (const Shape& shape : shapes) {
    for (int i = 0; i < 12; ++i) {
      const Pulse pulse{&shape, random.power_of_ten(-5, 0), random.between(1, 9), random.power_of_ten(-3, 4)};
      // exp overflows beyond 709; from rest, differences of rounded numbers are followed in small steps
      if (std::string(shape.name) == "logistic" && pulse.width < 0.015) continue;
      const bool from_rest = i % 3 == 0 && std::string(shape.name) == "Gaussian";
      const double velocity = from_rest ? 0 : random.between(-3, 3);
      const auto end = run_text(particle(pulse.of("t"), velocity), to_the_end()).samples.back();
      const double impulse = pulse.integral(0, 10);
      EXPECT_NEAR(end.v[0], velocity + impulse, 1e-10 * (std::abs(velocity) + impulse))
          << shape.name << " of width " << pulse.width << " at " << pulse.centre;
    }
  }
}

TEST(HiddenPulses, OfAPlaceTakeTheirEnergy) {
  Random random(2);
  for (const Shape& shape : shapes) {
    for (int i = 0; i < 8; ++i) {
      Pulse pulse{&shape, random.power_of_ten(-5, -1), random.between(2, 8), 0};
      if (std::string(shape.name) == "logistic" && pulse.width < 0.015) continue;
      pulse.size = random.between(-0.1, 0.1) / pulse.width;
      const auto end = run_text(particle(pulse.of("x"), 1), to_the_end()).samples.back();
      EXPECT_NEAR(end.v[0] * end.v[0], 1 + 2 * pulse.integral(0, end.q[0]), 1e-10)
          << shape.name << " of width " << pulse.width << " at " << pulse.centre;
    }
  }
}

TEST(HiddenPulses, StepsOfAPotentialChangeTheVelocity) {
  Random random(3);
  for (int i = 0; i < 12; ++i) {
    const double width = random.power_of_ten(-5, -1), place = random.between(2, 8);
    const std::string model = fmt::format(
        "[coordinates]\nx = {{ position = 0, velocity = 1 }}\n[energy]\nkinetic = \"x'^2/2\"\npotential = "
        "\"0.2*tanh((x - {})/{})\"\n",
        place, width);
    const auto end = run_text(model, to_the_end()).samples.back();
    EXPECT_NEAR(end.v[0], std::sqrt(1 - 0.4 * (1 + std::tanh((end.q[0] - place) / width))), 1e-10)
        << width << " at " << place;
  }
}

// x = a exp(−((t − c)/w)²) and y'' = x'²: y' gains ∫ x'² dt = a² √(π/2) / w.
TEST(HiddenPulses, OfADriveMoveWhatFollowsIt) {
  Random random(4);
  for (int i = 0; i < 12; ++i) {
    const double width = random.power_of_ten(-5, -1), centre = random.between(2, 8);
    const double size = random.between(0.1, 1) * width;
    const std::string model = fmt::format(
        "[coordinates]\nx = {{ position = 0, guess = true }}\ny = {{ position = 0, velocity = 0.001 }}\n"
        "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n[forces]\ny = \"x'^2\"\n"
        "[constraints]\nholonomic = {{ drive = \"x - {}*exp(-((t - {})/{})^2)\" }}\n",
        size, centre, width);
    const double gain = size * size * std::sqrt(pi / 2) / width;
    EXPECT_NEAR(run_text(model, to_the_end()).samples.back().v[1], 0.001 + gain, 1e-9 * (0.001 + gain))
        << width << " at " << centre;
  }
}

// cos²⁰⁰: a pulse each half turn, zero to many orders between. Its mean is C(200, 100)/2²⁰⁰.
TEST(HiddenPulses, OfHighPowersAreMet) {
  const double mean = std::exp(std::lgamma(201) - 2 * std::lgamma(101) - 200 * std::log(2.0));
  for (const double rate : {1.0, 3.7, 8.0}) {
    const double duration = 10 * pi / rate;
    const auto end =
        run_text(particle(fmt::format("cos({}*t - 1)^200", rate), 0.3), to_the_end(duration)).samples.back();
    EXPECT_NEAR(end.v[0], 0.3 + mean * duration, 1e-11) << rate;
  }
}

TEST(HiddenPulses, AreMetBackwardsInTimeAndAtLooseTolerances) {
  const Pulse pulse{&shapes[0], 0.003, 4.3, 100};
  for (const double tolerance : {1e-3, 1e-6, 1e-12}) {
    SolveOptions options = to_the_end();
    options.tolerance = tolerance;
    const double impulse = pulse.integral(0, 10);
    EXPECT_NEAR(run_text(particle(pulse.of("t"), 1), options).samples.back().v[0], 1 + impulse,
                30 * tolerance);
    options.start = 10;
    options.duration = -10;
    options.output_times = {0};
    EXPECT_NEAR(run_text(particle(pulse.of("t"), 1), options).samples.back().v[0], 1 - impulse,
                30 * tolerance);
  }
}

TEST(HiddenPulses, AreMetWithManyDigits) {
  const Pulse pulse{&shapes[0], 0.005, 5.237, 200};
  SolveOptions options = to_the_end();
  options.digits = 30;
  const System system(read_model_text(particle(pulse.of("t"), 1)));
  Real end;
  const RunReport report = solve(system, options, SampleSink<Real>([&](const Sample<Real>& sample) {
                                   end = sample.v[0];
                                   return true;
                                 }));
  EXPECT_EQ(report.outcome, Outcome::finished);
  EXPECT_NEAR(static_cast<double>(end), 1 + pulse.integral(0, 10), 1e-14);
}

// Each lane has its pulse at another time.
TEST(HiddenPulses, AreMetInLanes) {
  const System system(read_model_text(
      "[parameters]\nc = 5\n[coordinates]\nx = { position = 0, velocity = 1 }\n[energy]\nkinetic = "
      "\"x'^2/2\"\n[forces]\nx = \"exp(-((t - c)/0.01)^2)\"\n"));
  std::vector<BatchCase> cases;
  for (const double centre : {1.3, 2.9, 4.1, 5.5, 6.6, 7.7, 8.9}) cases.push_back({{}, {}, {{"c", centre}}});
  SolveOptions options;
  options.duration = 10;
  const BatchReport report = solve_batch(system, cases, options);
  for (const CaseReport& one : report.cases) EXPECT_NEAR(one.v[0], 1 + 0.01 * std::sqrt(pi), 1e-12);
}

// y' = 3.53774: tanh(400 x') is −1 before x' = 0 and 1 behind it, and its square dips between.
TEST(HiddenPulses, ADipOfASmoothForceIsMet) {
  const std::string model = R"toml(
[coordinates]
x = { position = 0.8, velocity = 0 }
y = { position = 0, velocity = 0 }
[definitions]
s = "tanh(400*x')^2 + tanh(18.5*cos(y/10))^2"
[energy]
kinetic = "(x'^2 + y'^2)/2"
potential = "x^2/2"
[forces]
x = "-0.05/sqrt(max(1, s))"
y = "1/sqrt(max(1, s))"
)toml";
  SolveOptions options = to_the_end(5);
  const double adomian = run_text(model, options).samples.back().v[1];
  options.method = "dop853";
  options.tolerance = 1e-12;
  options.max_step = 1e-3;
  EXPECT_NEAR(adomian, run_text(model, options).samples.back().v[1], 1e-8);
  EXPECT_NEAR(adomian, 3.53774, 5e-6);
}

// What sleeps costs no steps.
TEST(HiddenPulses, ThatAreFarAwayShortenNoStep) {
  const std::string swing = "[coordinates]\nx = 1\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n";
  const auto steps = [&](const std::string& force) {
    return run_text(swing + "[forces]\nx = \"" + force + "\"\n", to_the_end()).report.steps;
  };
  const auto without = steps("0.1");
  EXPECT_EQ(steps("0.1 + 200*exp(-((t - 30)/0.005)^2)"), without);
  EXPECT_EQ(steps("0.1*tanh(1000*(x + 5))"), without);
}

}  // namespace
}  // namespace dalembert
