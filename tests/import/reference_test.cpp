// Accelerations of robots at random states against those of Pinocchio, which tools/make_urdf_reference
// computed and kept in tests/data/urdf/reference.json.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "import/robot_motion.hpp"

namespace dalembert {
namespace {

const std::string folder = DALEMBERT_SOURCE_DIR "/tests/data/urdf/";

std::string text_of(const std::string& file) {
  std::ifstream stream(folder + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Eigen::Vector3d vector_of(const nlohmann::json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
}

UrdfOptions options_of(const nlohmann::json& state) {
  UrdfOptions options;
  options.start = state.at("start").get<JointValues>();
  options.velocities = state.at("velocities").get<JointValues>();
  options.base_pose = state.at("base_pose").get<std::array<double, 6>>();
  options.base_velocity = state.at("base_velocity").get<std::array<double, 6>>();
  if (state.contains("floating"))
    options.base = state.at("floating") ? UrdfOptions::Base::floating : UrdfOptions::Base::fixed;
  return options;
}

TEST(RobotsFromUrdf, HaveTheAccelerationsOfPinocchio) {
  if (!test::has_urdf()) GTEST_SKIP() << "built without urdfdom";
  const nlohmann::json reference = nlohmann::json::parse(text_of("reference.json"));
  ASSERT_GE(reference.at("states").size(), 16U);
  constexpr double tolerance = 1e-10;
  for (const auto& state : reference.at("states")) {
    const std::string file = state.at("file");
    const auto computed = test::accelerations(import_urdf(text_of(file), options_of(state)).model);
    ASSERT_EQ(computed.size(), state.at("bodies").size()) << file;
    double scale = 0;
    for (const auto& [name, expected] : state.at("bodies").items()) {
      for (const char* part : {"center", "angular"})
        scale = std::max(scale, vector_of(expected.at(part)).cwiseAbs().maxCoeff());
    }
    for (const auto& [name, expected] : state.at("bodies").items()) {
      ASSERT_TRUE(computed.contains(name)) << file << ": " << name;
      const auto& [center, angular] = computed.at(name);
      EXPECT_LT((center - vector_of(expected.at("center"))).norm(), tolerance * scale)
          << file << ": " << name;
      EXPECT_LT((angular - vector_of(expected.at("angular"))).norm(), tolerance * scale)
          << file << ": " << name;
    }
  }
}

}  // namespace
}  // namespace dalembert
