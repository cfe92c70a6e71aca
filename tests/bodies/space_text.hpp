// Models in space as text, and what the tests of joints and force elements ask of each: structure, energy,
// Newton and Euler.
#pragma once

#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <dalembert/system/structure.hpp>

#include "bodies/motion.hpp"

namespace dalembert::testing {

using Eigen::Vector3d;

inline System system_of(const std::string& text) {
  return System(read_model_text("space = \"space\"\n" + text));
}

inline Motion run_text(const std::string& text, double duration, double output_step) {
  Motion m = run(system_of(text), duration, output_step);
  EXPECT_EQ(m.report.outcome, Outcome::finished) << m.report.reason;
  return m;
}

inline void expect_structure(const std::string& text, std::size_t freedom, std::size_t nonholonomic = 0) {
  const System system = system_of(text);
  const Structure structure = analyse_structure(system, find_consistent_state(system));
  EXPECT_EQ(structure.degrees_of_freedom, freedom);
  EXPECT_EQ(system.m(), system.n() - freedom);
  EXPECT_EQ(system.m() - system.holonomic(), nonholonomic);
  EXPECT_TRUE(structure.redundant.empty());
}

// To 1e-12 of the energy that is exchanged.
inline void expect_energy_stays(const std::string& text, double exchanged) {
  const Motion m = run_text(text, 10, 1);
  for (const double e : m["energy"]) EXPECT_NEAR(e, m["energy"][0], 1e-12 * exchanged);
}

inline Vector3d vector_of(const Motion& m, const std::string& name, const std::string& prime, std::size_t i) {
  const auto component = [&](const char* axis) {
    const auto it = m.columns.find(name + axis + prime);
    return it == m.columns.end() ? 0 : it->second[i];
  };
  return {component("x"), component("y"), component("z")};
}

inline const std::string outputs = R"toml(
[outputs]
w1 = "body.omega_1"
w2 = "body.omega_2"
w3 = "body.omega_3"
a1 = "body.omega_1'"
a2 = "body.omega_2'"
a3 = "body.omega_3'"
axis1_x = "body.x_x"
axis1_y = "body.x_y"
axis1_z = "body.x_z"
axis2_x = "body.y_x"
axis2_y = "body.y_y"
axis2_z = "body.y_z"
axis3_x = "body.z_x"
axis3_y = "body.z_y"
axis3_z = "body.z_z"
)toml";

inline Eigen::Matrix3d rotation(const Motion& m, std::size_t i) {
  Eigen::Matrix3d R;
  R << vector_of(m, "axis1_", "", i), vector_of(m, "axis2_", "", i), vector_of(m, "axis3_", "", i);
  return R;
}

// J ω' + ω × J ω in space directions, for principal moments J.
inline Vector3d euler(const Motion& m, const Vector3d& J, std::size_t i) {
  const Vector3d w(m["w1"][i], m["w2"][i], m["w3"][i]);
  const Vector3d a(m["a1"][i], m["a2"][i], m["a3"][i]);
  return rotation(m, i) * (J.cwiseProduct(a) + w.cross(J.cwiseProduct(w)));
}

inline const std::string gravity = "[[force]]\ntype = \"gravity\"\n";

// A body on the ground by one joint, with a spring or friction in it.
inline std::string jointed(const std::string& type, const std::string& spring) {
  return R"toml(
[[body]]
name = "body"
mass = 2
inertia = [0.3, 0.2, 0.1]
position = [0, 0, 0.3]

[[joint]]
name = "pin"
type = ")toml" +
         type +
         R"toml("
bodies = ["ground", "body"]
point = [0, 0, 0]
axis = [0, 0, 1]
)toml" + spring;
}

}  // namespace dalembert::testing
