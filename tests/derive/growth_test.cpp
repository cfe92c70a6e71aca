// Long chains stay small: sub-expressions are shared.
#include <array>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {
namespace {

Model chain_by_angles(int links) {
  const std::string command =
      "'" DALEMBERT_SOURCE_DIR "/tools/make_chain' " + std::to_string(links) + " --angles";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error("cannot run tools/make_chain");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), count);
  }
  if (pclose(pipe) != 0) throw Error("tools/make_chain failed");
  return read_model_text(text);
}

double work(const Program& program) {
  return static_cast<double>(program.instructions.size() + program.terms.size());
}

TEST(Growth, InstructionsOfAChainGrowNoFasterThanTheSquareOfItsLinks) {
  double before = 0;
  for (const int links : {5, 10, 20, 40}) {
    const System system(chain_by_angles(links));
    const double per_square = work(system.dynamics().program) / (links * links);
    if (before > 0) {
      EXPECT_LE(per_square, before) << links << " links";
    }
    before = per_square;
  }
}

// The work of deriving and compiling is that of making expressions.
TEST(Growth, ExpressionsOfAChainGrowNoFasterThanTheSquareOfItsLinks) {
  double before = 0;
  for (const int links : {5, 10, 20, 40}) {
    const System system(chain_by_angles(links));
    const auto nodes = static_cast<double>(system.equations().graph().size());
    if (before > 0) {
      EXPECT_LE(nodes / (links * links), before) << links << " links";
    }
    before = nodes / (links * links);
  }
}

// sin a sin b + cos a cos b is cos(a − b).
TEST(Growth, EnergyOfTurningBodiesTakesNoMoreInstructionsThanEquationsByHand) {
  const System by_energy(read_model(find_model("double_pendulum")));
  const System by_hand(read_model_text(R"toml(
title = "Double pendulum, its equations by hand"
[parameters]
m1 = 1
m2 = 1
l1 = 1
l2 = 1
g = 9.81
[coordinates]
theta1 = { position = "pi/2" }
theta2 = { position = "pi/2" }
[equations]
mass = [["(m1 + m2)*l1^2", "m2*l1*l2*cos(theta1 - theta2)"], ["m2*l1*l2*cos(theta1 - theta2)", "m2*l2^2"]]
force = [
  "-m2*l1*l2*theta2'^2*sin(theta1 - theta2) - (m1 + m2)*g*l1*sin(theta1)",
  "m2*l1*l2*theta1'^2*sin(theta1 - theta2) - m2*g*l2*sin(theta2)",
]
)toml"));
  EXPECT_LE(work(by_energy.dynamics().program), work(by_hand.dynamics().program));
}

}  // namespace
}  // namespace dalembert
