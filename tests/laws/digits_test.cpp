// Runs with many digits: times are the decimal numbers that were written, and all digits asked for are right.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/digits.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert {
namespace {

struct Kept {
  Real t;
  std::vector<Real> q;
};

std::vector<Kept> run(const std::string& text, const SolveOptions& options) {
  const System system(read_model_text(text));
  std::vector<Kept> samples;
  const RunReport report = solve(system, options, SampleSink<Real>([&](const Sample<Real>& s) {
                                   samples.push_back({s.t, {s.q.begin(), s.q.end()}});
                                   return true;
                                 }));
  EXPECT_EQ(report.outcome, Outcome::finished) << report.reason;
  return samples;
}

SolveOptions with_digits(int digits) {
  SolveOptions options;
  options.digits = digits;
  return options;
}

double relative_difference(const Real& x, const Real& y) {
  return static_cast<double>(abs(Real(x - y)) / abs(y));
}

// x'' = t: x = x0 + t³/6 from t = 0, at times that doubles do not have
TEST(Digits, TimesAreTheDecimalNumbersThatWereWritten) {
  const std::string text = R"toml([coordinates]
x = { position = 0, velocity = 0 }
[energy]
kinetic = "x'^2/2"
[forces]
x = "t"
)toml";
  SolveOptions options = with_digits(40);
  const DigitsScope precision(working_digits(options));
  const auto expect_cubes = [&](const std::vector<const char*>& times) {
    const std::vector<Kept> samples = run(text, options);
    ASSERT_EQ(samples.size(), times.size());
    for (std::size_t k = 0; k < times.size(); ++k) {
      const Real t(times[k]);
      EXPECT_EQ(samples[k].t, t) << times[k];
      const Real exact = t * t * t / 6;
      EXPECT_LE(std::abs(static_cast<double>(Real(samples[k].q[0] - exact))), 1e-42) << times[k];
    }
  };
  options.duration = 0.3;
  options.output_step = 0.1;
  expect_cubes({"0", "0.1", "0.2", "0.3"});
  options.output_times = {0.07, 0.3};
  expect_cubes({"0.07", "0.3"});
}

TEST(Digits, AnEndThatIsASumIsReached) {
  const std::string text = R"toml([coordinates]
x = { position = 1, velocity = 0 }
[energy]
kinetic = "x'^2/2"
potential = "x^2/2"
)toml";
  SolveOptions options = with_digits(30);
  const DigitsScope precision(working_digits(options));
  options.start = 0.1;
  options.duration = 0.2;  // 0.1 + 0.2 is not 0.3 in doubles
  options.output_times = {options.start, options.start + options.duration};
  const std::vector<Kept> samples = run(text, options);
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_LE(std::abs(static_cast<double>(Real(samples[1].t - Real("0.3")))), 1e-35);
  const Real exact = cos(Real("0.2"));
  EXPECT_LE(relative_difference(samples[1].q[0], exact), 1e-30);
}

// A slider-crank with equal lengths, whose guide loses its rank whenever both stand upright, beside the same
// motion with one angle.
TEST(Digits, AllAreRightBehindSingularConfigurations) {
  const std::string start = "{ position = 0.4, velocity = 6 }\n";
  const std::string two = "[coordinates]\na = " + start + "b = " + start + R"toml([energy]
kinetic = "a'^2/6 + ((-sin(a)*a' - sin(b)*b'/2)^2 + (cos(a)*a' - cos(b)*b'/2)^2)/2 + b'^2/24 + (sin(a)*a' + sin(b)*b')^2/4"
potential = "9.81/2*sin(a) + 9.81*(sin(a) - sin(b)/2)"
[constraints]
holonomic = { guide = "sin(a) - sin(b)" }
)toml";
  const std::string one = "[coordinates]\na = " + start + R"toml([energy]
kinetic = "a'^2/6 + ((3/2*sin(a)*a')^2 + (cos(a)*a'/2)^2)/2 + a'^2/24 + sin(a)^2*a'^2"
potential = "9.81*sin(a)"
)toml";
  for (const int digits : {20, 30, 40}) {
    SolveOptions options = with_digits(digits);
    options.duration = 3;
    options.output_times = {0.34, 3};  // before the first and behind the fourth
    const std::vector<Kept> found = run(two, options);
    const std::vector<Kept> exact = run(one, options);
    ASSERT_EQ(found.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_LE(relative_difference(found[k].q[0], exact[k].q[0]), 10 * std::pow(10, -digits)) << digits;
    }
  }
}

}  // namespace
}  // namespace dalembert
