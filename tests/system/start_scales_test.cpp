// A start does not depend on units, nor on the last digits of directions.
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>

#include "system/models.hpp"

namespace dalembert {
namespace {

System of_text(const std::string& text) { return System(read_model_text(text)); }

double position_of(const System& system, const Start& start, const std::string& name) {
  for (std::size_t i = 0; i < system.n(); ++i)
    if (system.coordinate_name(i) == name) return start.q[i];
  ADD_FAILURE() << name;
  return NAN;
}

double velocity_of(const System& system, const Start& start, const std::string& name) {
  for (std::size_t i = 0; i < system.n(); ++i)
    if (system.coordinate_name(i) == name) return start.v[i];
  ADD_FAILURE() << name;
  return NAN;
}

System hanging(const std::string& joint) {
  return of_text(R"toml(
space = "space"
[[body]]
name = "b"
mass = 1
inertia = [0.02, 0.025, 0.03]
position = [0, 0, -1]
[[joint]]
name = "j"
bodies = ["ground", "b"]
)toml" + joint);
}

// Axes (1, 0, 0) and (ε, 1, 0) at right angles: sin φ = −ε about z is enough, e3 = sin(φ/2).
TEST(StartScales, AUniversalJointTurnsAboutTheThirdAxisAlone) {
  for (const double off : {1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5}) {
    const System system =
        hanging(fmt::format("type = \"universal\"\npoint = [0, 0, 0]\naxes = [[1, 0, 0], [{}, {:.17g}, 0]]\n",
                            off, std::sqrt(1 - off * off)));
    const Start start = find_consistent_state(system);
    EXPECT_NEAR(std::abs(position_of(system, start, "b.e3")), std::asin(off) / 2, 1e-4 * off + 1e-15) << off;
    for (const char* free : {"b.x", "b.y", "b.e1", "b.e2"})
      EXPECT_NEAR(position_of(system, start, free), 0, 1e-3 * off * off + 1e-14 * off) << free << " " << off;
    EXPECT_NEAR(position_of(system, start, "b.z"), -1, 1e-15) << off;
    EXPECT_LT(std::abs(start.g.back()), 1e-15) << off;
  }
}

TEST(StartScales, OtherJointsWhoseAxesAreOffMoveByNoMoreThanThat) {
  for (const char* type : {"revolute", "cylindrical", "prismatic"}) {
    for (const double off : {1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6}) {
      const System system = hanging(fmt::format(
          "type = \"{}\"\npoints = [[0, 0, 0], [0, 0, 1]]\naxes = [[1, 0, 0], [1, {}, 0]]\n", type, off));
      const Start start = find_consistent_state(system);
      const std::vector<double> given = system.given_positions<double>();
      for (std::size_t i = 0; i < system.n(); ++i)
        EXPECT_LE(std::abs(start.q[i] - given[i]), 2 * off)
            << type << " " << system.coordinate_name(i) << off;
    }
  }
}

// The product of these axes is 1.8e-17 in exact numbers.
TEST(StartScales, AxesOfSixteenDigitsAreAtRightAnglesAndFitFixedBodies) {
  const std::string joint = R"toml(
type = "universal"
point = [0, 0, 0]
axes = [[0.48739703087601854, -0.8731804706320689, 0.0], [0.6466959542908839, 0.36097656624494606, 0.6719228090531016]]
)toml";
  EXPECT_TRUE(find_consistent_state(hanging(joint)).changes.empty());
  const System fixed = of_text(R"toml(
space = "space"
[[body]]
name = "b"
mass = 1
inertia = [0.02, 0.025, 0.03]
position = [0, 0, -1]
fixed = true
[[joint]]
name = "j"
bodies = ["ground", "b"]
)toml" + joint);
  EXPECT_TRUE(find_consistent_state(fixed).changes.empty());
}

TEST(StartScales, AFixedBodyThatIsOffByMoreThanRoundingIsRefused) {
  const System fixed = of_text(R"toml(
space = "space"
[[body]]
name = "b"
mass = 1
inertia = [0.02, 0.025, 0.03]
position = [0, 0, -1]
fixed = true
[[joint]]
name = "j"
type = "universal"
bodies = ["ground", "b"]
point = [0, 0, 0]
axes = [[1, 0, 0], [1e-13, 1, 0]]
)toml");
  EXPECT_THROW(find_consistent_state(fixed), Error);
}

// Two bodies in space with lengths in units of L and masses in units of m; the second turns about its hinge
// as slowly as its kinetic energy likes.
std::string two_bodies(double L, double m) {
  const double J = m * L * L;
  return fmt::format(R"toml(
space = "space"
[[body]]
name = "a"
mass = {1}
inertia = [{2}, {3}, {4}]
position = [{5}, 0, 0]
angular_velocity = [1, 2, 3]
[[body]]
name = "b"
mass = {1}
inertia = [{2}, {3}, {4}]
position = [{0}, {6}, 0]
[[joint]]
name = "s"
type = "spherical"
bodies = ["ground", "a"]
point = [0, 0, 0]
[[joint]]
name = "u"
type = "revolute"
bodies = ["a", "b"]
point = [{0}, 0, 0]
axis = [0, 0.6, 0.8]
[[force]]
type = "gravity"
acceleration = [0, 0, {7}]
)toml",
                     L, m, 0.02 * J, 0.025 * J, 0.03 * J, 0.5 * L, 0.3 * L, -9.81 * L);
}

// With the rate s about the hinge h: ω = ω_a + s h, v = ω_a × r + ω × c, and
// s = −(v₀·(h × c) + h·J ω_a)/(|h × c|² + h·J h), v₀ at s = 0; all for L = m = 1.
TEST(StartScales, VelocitiesThatWereNotGivenHaveTheLeastEnergyInAnyUnits) {
  const Eigen::Vector3d h(0, 0.6, 0.8), w(1, 2, 3), r(1, 0, 0), c(0, 0.3, 0), J(0.02, 0.025, 0.03);
  const Eigen::Vector3d v0 = w.cross(r + c), v1 = h.cross(c);
  const double s = -(v0.dot(v1) + h.dot(J.cwiseProduct(w))) / (v1.dot(v1) + h.dot(J.cwiseProduct(h)));
  for (const double L : {1.0, 1e-3, 1e-6, 1e-9, 1e4}) {
    for (const double m : {1.0, 1e-9, 1e-15, 1e12}) {
      const System system = of_text(two_bodies(L, m));
      const Start start = find_start(system);
      const Eigen::Vector3d rates = (w + s * h) / 2;  // of the quaternion (1, 0, 0, 0)
      EXPECT_NEAR(velocity_of(system, start, "b.e1"), rates[0], 1e-14) << L << " " << m;
      EXPECT_NEAR(velocity_of(system, start, "b.e2"), rates[1], 1e-14) << L << " " << m;
      EXPECT_NEAR(velocity_of(system, start, "b.e3"), rates[2], 1e-14) << L << " " << m;
    }
  }
}

TEST(StartScales, MassesAndLengthsOfAnySizeAreRegular) {
  const System unit = of_text(two_bodies(1, 1));
  const Start expected = find_start(unit);
  for (const double L : {1.0, 1e-3, 1e-7, 1e5}) {
    for (const double m : {1.0, 1e-9, 1e-16, 1e-21, 1e20}) {
      const System system = of_text(two_bodies(L, m));
      const Start start = find_start(system);
      const Structure structure = analyse_structure(system, start);
      EXPECT_TRUE(structure.inertia.missing.empty()) << L << " " << m;
      EXPECT_EQ(structure.degrees_of_freedom, 4U) << L << " " << m;
      EXPECT_EQ(structure.index, 3) << L << " " << m;
      for (std::size_t i = 0; i < system.n(); ++i) {
        const bool is_length = system.coordinate_name(i).find(".e") == std::string::npos;
        EXPECT_NEAR(start.a[i] / (is_length ? L : 1), expected.a[i], 1e-11)
            << system.coordinate_name(i) << " " << L << " " << m;
      }
    }
  }
}

TEST(StartScales, APlaneChainOfBarsOfAMicrometreIsRegular) {
  const auto chain = [](double L, double m) {
    return of_text(fmt::format(R"toml(
space = "plane"
[[body]]
name = "a"
mass = {1}
inertia = {2}
position = [{3}, 0]
angular_velocity = 2
[[body]]
name = "b"
mass = {1}
inertia = {4}
position = [{0}, {5}]
[[joint]]
name = "p"
type = "revolute"
bodies = ["ground", "a"]
point = [0, 0]
[[joint]]
name = "q"
type = "revolute"
bodies = ["a", "b"]
point = [{0}, 0]
[[force]]
type = "gravity"
acceleration = [0, {6}]
)toml",
                               L, m, 0.1 * m * L * L, 0.5 * L, 0.07 * m * L * L, -0.3 * L, -9.81 * L));
  };
  const Start expected = find_start(chain(1, 1));
  for (const double L : {1e-6, 1e-9}) {
    for (const double m : {2e-15, 1e-20}) {
      const System system = chain(L, m);
      const Start start = find_start(system);
      EXPECT_TRUE(analyse_structure(system, start).inertia.missing.empty());
      for (const std::size_t angle : {2U, 5U})
        EXPECT_NEAR(start.a[angle], expected.a[angle], 1e-12) << L << m;
    }
  }
}

TEST(StartScales, ACoordinateWithoutInertiaIsStillNamedBesideLightOnes) {
  const System system(ModelBuilder("light")
                          .coordinate("x", {.position = 1})
                          .coordinate("y", {.position = 0})
                          .kinetic("1e-18*x'^2/2")
                          .potential("x*y")
                          .build());
  try {
    find_start(system);
    FAIL();
  } catch (const Error& error) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "`y` has no inertia", error.message());
  }
}

TEST(StartScales, PointMassesOnRodsMayBeOfAnyMass) {
  for (const double m : {1.0, 1e-14, 1e-16, 1e-25, 1e20}) {
    const System system(ModelBuilder("rods")
                            .parameter("m", m)
                            .coordinate("x", {.position = 1})
                            .coordinate("y", {.position = 0})
                            .coordinate("u", {.position = 1})
                            .coordinate("w", {.position = -1})
                            .kinetic("m/2*(x'^2 + y'^2 + 2*u'^2 + 2*w'^2)")
                            .potential("m*9.81*(y + 2*w)")
                            .holonomic("a", "x^2 + y^2 = 1")
                            .holonomic("b", "(x - u)^2 + (y - w)^2 = 1")
                            .build());
    const Start start = find_start(system);
    EXPECT_NEAR(start.a[0], 0, 1e-15) << m;      // the first rod lies flat, the second hangs from its end:
    EXPECT_NEAR(start.a[1], -9.81, 1e-14) << m;  // everything falls together
    EXPECT_NEAR(start.a[3], -9.81, 1e-14) << m;
  }
}

// Equal cranks, folded up: the row of `y` is (cos a, −cos b) = 6e-17, and carries nothing.
TEST(StartScales, ARowThatIsRoundingErrorsHasNoMultiplier) {
  const System system(ModelBuilder("cranks")
                          .coordinate("a", {.position = "pi/2", .velocity = 1})
                          .coordinate("b", {.position = "pi/2", .velocity = 1})
                          .coordinate("s", {.position = 0})
                          .kinetic("a'^2/2 + b'^2/3 + s'^2")
                          .holonomic("x", "cos(a) + cos(b) = s")
                          .holonomic("y", "sin(a) = sin(b)")
                          .build());
  const Start start = find_start(system);
  EXPECT_EQ(start.lambda[1], 0);
  EXPECT_NEAR(start.lambda[0], 0, 1e-15);
}

TEST(FlatDisk, IsRefusedByName) {
  const auto disk = [](const std::string& axis) {
    return of_text(R"toml(
space = "space"
[[body]]
name = "disk"
mass = 1
inertia = [0.01, 0.01, 0.02]
position = [0.5, 0, "0.2*sin(1.2)"]
rotation = { axis = [1, 0, 0], angle = "1.2" }
[[joint]]
name = "roll"
type = "rolling"
bodies = ["ground", "disk"]
point = [0, 0, 0]
axis = [0, 0, 1]
radius = 0.2
disk_axis = )toml" +
                   axis + "\n");
  };
  try {
    disk("[0, 0, 1]");
    FAIL();
  } catch (const Error& error) {
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "'roll' lies flat on the plane", error.message());
    EXPECT_EQ(error.where().line, 16);
  }
  // its own axis, in space at the start: R (0, 0, 1)
  EXPECT_TRUE(find_consistent_state(disk("[0, \"-sin(1.2)\", \"cos(1.2)\"]")).changes.empty());
}

}  // namespace
}  // namespace dalembert
