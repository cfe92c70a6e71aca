// The same contact, the same friction, in hundreds of forms: factors, brackets, sums, products, definitions,
// parameters in all places. What the program of the forces makes of them must not matter.
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>

#include "laws/simulate.hpp"

namespace dalembert {
namespace {

using testing::Simulation;

struct Form {
  std::string force;
  std::string definitions;
};

Simulation run(const std::string& text, const std::string& method, double tolerance) {
  const System system(read_model_text(text));
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.tolerance = tolerance;
  options.output_times = {0.25 * options.duration, 0.5 * options.duration, options.duration};
  return testing::simulate(system, options);
}

// A mass with speed −1 over a wall at 0.1 with spring k and damper c that only push, and its weight.
std::string contact_model(const Form& form) {
  return fmt::format(R"toml(
[parameters]
k = 200
c = 1
d = 0.1
[coordinates]
z = {{ position = 0.2, velocity = -1 }}
[definitions]
{}
[energy]
kinetic = "z'^2/2"
potential = "9.81*z"
[forces]
z = "{}"
[solve]
duration = 1.2
)toml",
                     form.definitions, form.force);
}

// Ways to write P = k (d − z) − c z'.
std::vector<std::string> contact_arguments() {
  std::vector<std::string> springs{"k*(d - z)",         "k*d - k*z",        "-k*(z - d)",   "-(k*z - k*d)",
                                   "(d - z)*k",         "k*d*(1 - z/d)",    "k*(d + (-z))", "2*k*(d - z)/2",
                                   "(k/3)*(3*d - 3*z)", "k*(2*d - (z + d))"};
  std::vector<std::string> dampers{" - c*z'", " + (-c)*z'", " - z'*c", " - c*(2*z' - z')", " - c*z'*(d/d)"};
  std::vector<std::string> all;
  for (const std::string& spring : springs) {
    for (const std::string& damper : dampers) all.push_back(spring + damper);
  }
  for (const char* other :
       {"k*((d - z) - c/k*z')", "c*(k/c*(d - z) - z')", "-(c*z' + k*(z - d))", "k*(d - z - c*z'/k)"}) {
    all.emplace_back(other);
  }
  return all;
}

// Ways to write max(P, 0).
std::vector<Form> contact_forms(const std::string& P) {
  return {{fmt::format("max({}, 0)", P), ""},
          {fmt::format("max(0, {})", P), ""},
          {fmt::format("-min(0, -({}))", P), ""},
          {fmt::format("({0} + abs({0}))/2", P), ""},
          {fmt::format("({0})*(1 + sign({0}))/2", P), ""},
          {"max(push, 0)", fmt::format("push = \"{}\"", P)},
          {"k*max(push, 0)", fmt::format("push = \"({})/k\"", P)},
          {"side*push", fmt::format("push = \"{}\"\nside = \"(1 + sign(push))/2\"", P)}};
}

TEST(SwitchForms, AContactIsTheSameHoweverItIsWritten) {
  const Simulation reference = run(contact_model({"max(k*(d - z) - c*z', 0)", ""}), "dop853", 1e-12);
  std::size_t count = 0;
  for (const std::string& P : contact_arguments()) {
    for (const Form& form : contact_forms(P)) {
      const Simulation result = run(contact_model(form), "adomian", 1e-12);
      ASSERT_EQ(result.report.outcome, Outcome::finished) << form.force << ": " << result.report.reason;
      EXPECT_LT(result.report.max_energy_error, 1e-12) << form.force;
      for (std::size_t i = 0; i < reference.samples.size(); ++i) {
        EXPECT_NEAR(result.samples[i].q[0], reference.samples[i].q[0], 1e-9) << form.force;
        EXPECT_NEAR(result.samples[i].v[0], reference.samples[i].v[0], 2e-8) << form.force;
      }
      ++count;
    }
  }
  EXPECT_GT(count, 400U);
}

// A pendulum whose bearing rubs: slip = l th' (cos th + 1), which has the sign of th'.
std::string friction_model(const std::string& force, const std::string& definitions = "") {
  return fmt::format(R"toml(
[parameters]
l = 0.5
mu = 0.1
[coordinates]
th = {{ position = 1, velocity = 0.3 }}
[definitions]
{}
[energy]
kinetic = "th'^2/2"
potential = "-4*cos(th)"
[forces]
th = "{}"
[solve]
duration = 5
)toml",
                     definitions, force);
}

TEST(SwitchForms, FrictionIsTheSameHoweverItsSlipIsWritten) {
  const Simulation reference = run(friction_model("-mu*sign(th')"), "adomian", 1e-14);
  const std::vector<std::string> slips{
      "l*th'*(cos(th) + 1)",        "l*th'*cos(th) + l*th'",      "th'*(l*cos(th) + l)",
      "l*(th' + th'*cos(th))",      "2*l*th'*cos(th/2)^2",        "(l*cos(th) + l)*th'",
      "th'*cos(th)*l + l*th'",      "l*th' - l*(-th')*cos(th)",   "l*(2*th' - th')*(cos(th) + 1)",
      "(l*th'*cos(th) + l*th')/mu", "mu*l*th'*cos(th) + mu*l*th'"};
  const std::vector<std::pair<std::string, std::string>> frames{{"-mu*sign({})", ""},
                                                                {"mu*sign(-({}))", ""},
                                                                {"-mu*abs({0})/({0})", ""},
                                                                {"-(mu/2)*(sign({0}) + sign({0}))", ""},
                                                                {"-mu*s", "s = \"sign({})\""},
                                                                {"-mu*max(-1, min(1, 1e9*sign({})))", ""},
                                                                {"-mu*sign(slip)", "slip = \"{}\""}};
  for (const std::string& slip : slips) {
    for (const auto& [force, definition] : frames) {
      const std::string text =
          friction_model(fmt::format(fmt::runtime(force), slip), fmt::format(fmt::runtime(definition), slip));
      const Simulation result = run(text, "adomian", 1e-14);
      if (force.find("abs") != std::string::npos && result.report.outcome != Outcome::finished) {
        EXPECT_NE(result.report.reason, "") << slip;  // 0/0 on the switch itself
        continue;
      }
      ASSERT_EQ(result.report.outcome, Outcome::finished) << force << slip << ": " << result.report.reason;
      EXPECT_LT(result.report.max_energy_error, 1e-13) << force << slip;
      EXPECT_NEAR(result.samples.back().q[0], reference.samples.back().q[0], 1e-12) << force << slip;
      EXPECT_NEAR(result.samples.back().v[0], reference.samples.back().v[0], 1e-12) << force << slip;
    }
  }
}

TEST(SwitchForms, ACallOfAnyLengthIsHeld) {
  std::string definitions = "a1 = \"sin(x)\"\n";
  for (int i = 2; i <= 18; ++i) definitions += fmt::format("a{0} = \"a{1} + sin(a{1})\"\n", i, i - 1);
  const std::string text = fmt::format(R"toml(
[coordinates]
x = {{ position = 0.1, velocity = 1 }}
[definitions]
{}
[energy]
kinetic = "x'^2/2"
[forces]
x = "-max(1, a18)"
[solve]
duration = 1
)toml",
                                       definitions);
  const Simulation result = run(text, "adomian", 1e-12);
  const Simulation other = run(text, "dop853", 1e-12);
  ASSERT_EQ(result.report.outcome, Outcome::finished) << result.report.reason;
  // the slope of a18 is 2^18 = 2.6e5, so is what becomes of rounding errors of x
  EXPECT_NEAR(result.samples.back().q[0], other.samples.back().q[0], 1e-8);
  EXPECT_LT(result.report.max_energy_error, 1e-7);
  for (const std::string& note : result.report.warnings) EXPECT_LT(note.size(), 300U);
}

}  // namespace
}  // namespace dalembert
