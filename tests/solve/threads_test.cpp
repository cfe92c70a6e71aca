// A run has the same numbers on any number of threads.
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/solve/adomian_step.hpp>

namespace dalembert {
namespace {

// Point masses on rods of length 0.1, level at rest, as tools/make_chain writes it.
std::string chain_text(int links) {
  std::string coordinates, kinetic, potential, constraints;
  for (int k = 1; k <= links; ++k) {
    coordinates += fmt::format("x{} = {{ position = {} }}\ny{} = {{ position = 0 }}\n", k, 0.1 * k, k);
    kinetic += fmt::format("{}0.05*(x{}'^2 + y{}'^2)", k > 1 ? " + " : "", k, k);
    potential += fmt::format("{}0.981*y{}", k > 1 ? " + " : "", k);
    constraints += k == 1 ? "rod1 = \"x1^2 + y1^2 - 0.01\"\n"
                          : fmt::format("rod{0} = \"(x{0} - x{1})^2 + (y{0} - y{1})^2 - 0.01\"\n", k, k - 1);
  }
  return fmt::format(
      "title = \"Chain\"\n[coordinates]\n{}\n[energy]\nkinetic = \"{}\"\npotential = \"{}\"\n"
      "[constraints.holonomic]\n{}",
      coordinates, kinetic, potential, constraints);
}

// Rods in the plane, hinged one to the other, the first to the ground.
std::string bodies_text(int bodies) {
  std::string text = "title = \"Hinged rods\"\nspace = \"plane\"\n";
  for (int k = 1; k <= bodies; ++k) {
    text += fmt::format(
        "[[body]]\nname = \"b{}\"\nshape = \"rod\"\nlength = 0.2\ndensity = 2\nposition = [{}, 0]\n", k,
        0.2 * k - 0.1);
  }
  for (int k = 1; k <= bodies; ++k) {
    const std::string first = k == 1 ? "ground" : fmt::format("b{}", k - 1);
    text += fmt::format(
        "[[joint]]\nname = \"h{0}\"\ntype = \"revolute\"\nbodies = [\"{1}\", \"b{0}\"]\n"
        "points = [[{2}, 0], [-0.1, 0]]\n",
        k, first, k == 1 ? 0.0 : 0.1);
  }
  return text + "[[force]]\ntype = \"gravity\"\n";
}

struct End {
  std::vector<double> q, v, lambda;
  double defect;
  bool operator==(const End&) const = default;
};

End run(const System& system, int threads, int steps) {
  std::vector<std::size_t> active(system.m());
  std::iota(active.begin(), active.end(), std::size_t{0});
  StepSettings settings{};
  settings.log_tolerance = std::log(1e-9);
  settings.threads = threads;
  AdomianStep<double> step(system, active, settings);
  EXPECT_EQ(step.threads(), threads);
  EXPECT_TRUE(step.set_state(0, system.given_positions<double>(), system.given_velocities<double>()));
  for (int i = 0; i < steps; ++i) {
    step.expand();
    EXPECT_EQ(step.advance(0.5 * step.proposed_step()), AdomianStep<double>::Check::good);
  }
  return {{step.q().begin(), step.q().end()},
          {step.v().begin(), step.v().end()},
          {step.lambda().begin(), step.lambda().end()},
          step.defect()};
}

void expect_same_on_threads(const std::string& text) {
  const System system(read_model_text(text));
  const End alone = run(system, 1, 3);
  for (int threads = 2; threads <= 4; ++threads)
    EXPECT_TRUE(run(system, threads, 3) == alone) << threads << " threads";
}

TEST(Threads, AChainOfAThousandLinksMovesAlikeOnAnyNumber) { expect_same_on_threads(chain_text(1000)); }

TEST(Threads, ThreeHundredHingedBodiesMoveAlikeOnAnyNumber) { expect_same_on_threads(bodies_text(300)); }

TEST(Threads, SmallSystemsGetOne) {
  const System system(read_model_text(chain_text(3)));
  EXPECT_EQ(threads_for(system, 0), 1);
  EXPECT_EQ(threads_for(system, 4), 1);
}

}  // namespace
}  // namespace dalembert
