#include "import/random_robot.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "import/robot_motion.hpp"

namespace dalembert::test {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

Matrix3d from_rpy(const Vector3d& rpy) {
  return (AngleAxisd(rpy.z(), Vector3d::UnitZ()) * AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

bool has_value(const RandomLink& link) {
  return link.type == "revolute" || link.type == "continuous" || link.type == "prismatic";
}

std::string numbers(const Vector3d& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z()); }

}  // namespace

RandomRobot::RandomRobot(unsigned seed) : random_(seed) {
  const int count = 2 + static_cast<int>(seed % 7);
  for (int i = 0; i < count; ++i) add_link(i);
  add_mimics();
  place();
}

void RandomRobot::add_link(int number) {
  RandomLink link;
  link.name = fmt::format("link{}{}", one_of(4) ? " " : "", number);
  link.joint = fmt::format("joint{}", number);
  const std::vector<std::string> types{"revolute", "continuous", "prismatic", "fixed", "fixed", "planar"};
  link.type = types[static_cast<std::size_t>(uniform(0, 5.3))];
  link.origin = vector(0.5);
  link.rpy = one_of(3) ? Vector3d(0, M_PI_2, 0) : vector(3);
  link.axis = one_of(2) ? Vector3d(0, 0, 1) : vector(2);
  if (number > 0) link.parent = std::min(number - 1, static_cast<int>(uniform(0, number)));
  if (number == 1) link.type = "revolute";  // something moves
  add_inertia(link);
  if (has_value(link)) {
    link.damping = one_of(3) ? uniform(0, 0.5) : 0;
    link.q = uniform(-1, 1);
    link.v = uniform(-1, 1);
  }
  if (number == 0) {
    link.type = link.mass > 0 ? "floating" : "fixed";
    link.origin = link.rpy = Vector3d::Zero();
    link.q = link.v = link.damping = 0;
    if (link.mass > 0) {
      for (double& x : base_) x = uniform(-1, 1);
      for (double& x : base_velocity_) x = uniform(-1, 1);
    }
  }
  links_.push_back(link);
}

// Σ = tr(J)/2 − J of random points; sometimes an inertia that no body has; links without mass or inertia.
void RandomRobot::add_inertia(RandomLink& link) {
  link.center = vector(0.2);
  link.center_rpy = vector(1);
  const Matrix3d points = 0.2 * Matrix3d::NullaryExpr([this] { return uniform(-1, 1); });
  const Matrix3d second = points * points.transpose();
  link.J = second.trace() * Matrix3d::Identity() - second;
  if (one_of(6)) link.J = Vector3d(0.01, 0.012, 0.03).asDiagonal();
  link.mass = uniform(0.1, 3);
  const bool is_fixed = link.type == "fixed";
  if (one_of(is_fixed ? 3 : 8)) link.mass = 0;
  if (link.mass == 0 && (!is_fixed || one_of(2))) link.J.setZero();
}

void RandomRobot::add_mimics() {
  for (std::size_t i = 2; i < links_.size(); ++i) {
    RandomLink& link = links_[i];
    if (!has_value(link) || !one_of(4)) continue;
    link.mimics = 1;
    link.multiplier = uniform(-2, 2);
    link.offset = uniform(-0.5, 0.5);
    link.q = link.multiplier * links_[1].q + link.offset;
    link.v = link.multiplier * links_[1].v;
  }
}

void RandomRobot::place() {
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const RandomLink& link = links_[i];
    const bool root = link.parent < 0;
    const Vector3d axis = link.axis.normalized();
    const Matrix3d frame =
        root ? from_rpy({base_[3], base_[4], base_[5]}) : R_[link.parent] * from_rpy(link.rpy);
    Vector3d p =
        root ? Vector3d(base_[0], base_[1], base_[2]) : p_[link.parent] + R_[link.parent] * link.origin;
    Vector3d omega =
        root ? Vector3d(base_velocity_[3], base_velocity_[4], base_velocity_[5]) : omega_[link.parent];
    const bool turns = link.type == "revolute" || link.type == "continuous";
    if (link.type == "prismatic") p += link.q * (frame * axis);
    if (turns) omega += link.v * (frame * axis);
    joint_R_.push_back(frame);
    R_.push_back(turns ? Matrix3d(frame * AngleAxisd(link.q, axis)) : frame);
    p_.push_back(p);
    omega_.push_back(omega);
    center_.push_back(p + R_.back() * link.center);
    add_freedoms(i);
  }
}

void RandomRobot::add_freedoms(int i) {
  const RandomLink& link = links_[i];
  const Vector3d axis = joint_R_[i] * link.axis.normalized();
  if (link.type == "revolute" || link.type == "continuous") freedoms_.push_back({i, axis, true});
  if (link.type == "prismatic") freedoms_.push_back({i, axis, false});
  if (link.type == "planar") {
    const Vector3d across = axis.unitOrthogonal();
    freedoms_.insert(freedoms_.end(), {{i, across, false}, {i, axis.cross(across), false}, {i, axis, true}});
  }
  if (link.type == "floating") {
    for (const bool turns : {false, true}) {
      for (int k = 0; k < 3; ++k) freedoms_.push_back({i, Vector3d::Unit(k), turns});
    }
  }
}

// Accelerations of the links where the freedoms accelerate by `rates`.
RandomRobot::Motion RandomRobot::move(const VectorXd& rates) const {
  Motion motion;
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const RandomLink& link = links_[i];
    Vector3d a = Vector3d::Zero(), alpha = Vector3d::Zero();
    if (link.parent >= 0) {
      const Vector3d& w = omega_[link.parent];
      const Vector3d step = p_[i] - p_[link.parent];
      const Vector3d axis = link.v * (joint_R_[i] * link.axis.normalized());
      alpha = motion.angular[link.parent];
      a = motion.acceleration[link.parent] + alpha.cross(step) + w.cross(w.cross(step));
      if (link.type == "prismatic") a += 2 * w.cross(axis);
      if (link.type == "revolute" || link.type == "continuous") alpha += w.cross(axis);
    }
    for (std::size_t d = 0; d < freedoms_.size(); ++d) {
      if (freedoms_[d].link != i) continue;
      (freedoms_[d].turns ? alpha : a) += rates[static_cast<Eigen::Index>(d)] * freedoms_[d].axis;
    }
    motion.acceleration.push_back(a);
    motion.angular.push_back(alpha);
  }
  return motion;
}

bool RandomRobot::carries(int ancestor, int link) const {
  while (link > ancestor) link = links_[link].parent;
  return link == ancestor;
}

// Power of inertia and weight per unit of each freedom's rate: Σ F·∂v + N·∂ω over the links that it carries.
VectorXd RandomRobot::loads(const Motion& motion) const {
  VectorXd result = VectorXd::Zero(static_cast<Eigen::Index>(freedoms_.size()));
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const Vector3d arm = center_[i] - p_[i];
    const Vector3d& w = omega_[i];
    const Vector3d& alpha = motion.angular[i];
    const Vector3d a = motion.acceleration[i] + alpha.cross(arm) + w.cross(w.cross(arm));
    const Vector3d force = links_[i].mass * (a + Vector3d(0, 0, 9.81));
    const Matrix3d Q = R_[i] * from_rpy(links_[i].center_rpy);
    const Matrix3d J = Q * links_[i].J * Q.transpose();
    const Vector3d moment = J * alpha + w.cross(J * w);
    for (std::size_t d = 0; d < freedoms_.size(); ++d) {
      const auto& [link, axis, turns] = freedoms_[d];
      if (!carries(link, i)) continue;
      result[static_cast<Eigen::Index>(d)] +=
          turns ? moment.dot(axis) + force.dot(axis.cross(center_[i] - p_[link])) : force.dot(axis);
    }
  }
  return result;
}

// rates = G z with one column per freedom that nothing prescribes.
MatrixXd RandomRobot::followers() const {
  const auto n = static_cast<Eigen::Index>(freedoms_.size());
  std::map<int, VectorXd> columns;
  int other = 1000;
  for (Eigen::Index d = 0; d < n; ++d) {
    const int link = freedoms_[static_cast<std::size_t>(d)].link;
    const bool single = has_value(links_[link]);
    const int key = !single ? other++ : links_[link].mimics >= 0 ? links_[link].mimics : link;
    const auto [column, is_new] = columns.try_emplace(key, VectorXd::Zero(n));
    column->second[d] = links_[link].mimics >= 0 ? links_[link].multiplier : 1;
  }
  MatrixXd G(n, static_cast<Eigen::Index>(columns.size()));
  Eigen::Index next = 0;
  for (const auto& [key, column] : columns) G.col(next++) = column;
  return G;
}

MatrixXd RandomRobot::mass_matrix() const {
  const auto n = static_cast<Eigen::Index>(freedoms_.size());
  const VectorXd at_rest = loads(move(VectorXd::Zero(n)));
  MatrixXd M(n, n);
  for (Eigen::Index d = 0; d < n; ++d) M.col(d) = loads(move(VectorXd::Unit(n, d))) - at_rest;
  return M;
}

bool RandomRobot::is_determined() const {
  const MatrixXd G = followers();
  const VectorXd inertias =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(G.transpose() * mass_matrix() * G).eigenvalues();
  return inertias.minCoeff() > 1e-7 * inertias.maxCoeff();
}

std::vector<RandomRobot::LinkMotion> RandomRobot::accelerations() const {
  const auto n = static_cast<Eigen::Index>(freedoms_.size());
  VectorXd resisting = loads(move(VectorXd::Zero(n)));
  for (Eigen::Index d = 0; d < n; ++d) {
    const RandomLink& link = links_[freedoms_[static_cast<std::size_t>(d)].link];
    resisting[d] += link.damping * link.v;
  }
  const MatrixXd G = followers();
  const VectorXd z = (G.transpose() * mass_matrix() * G).ldlt().solve(-G.transpose() * resisting);
  const Motion motion = move(G * z);
  std::vector<LinkMotion> result;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Vector3d arm = center_[i] - p_[i];
    const Vector3d& alpha = motion.angular[i];
    result.push_back(
        {motion.acceleration[i] + alpha.cross(arm) + omega_[i].cross(omega_[i].cross(arm)), alpha});
  }
  return result;
}

std::vector<int> RandomRobot::bodies() const {
  std::vector<int> result;
  for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
    const bool fixed = links_[i].type == "fixed";
    result.push_back(!fixed ? i : links_[i].parent < 0 ? -1 : result[links_[i].parent]);
  }
  return result;
}

std::string RandomRobot::urdf() const {
  std::string text = "<robot name=\"random\">\n";
  for (const RandomLink& link : links_) {
    text += fmt::format(
        "<link name=\"{}\"><inertial><origin xyz=\"{}\" rpy=\"{}\"/><mass value=\"{:.17g}\"/><inertia "
        "ixx=\"{:.17g}\" "
        "ixy=\"{:.17g}\" ixz=\"{:.17g}\" iyy=\"{:.17g}\" iyz=\"{:.17g}\" "
        "izz=\"{:.17g}\"/></inertial></link>\n",
        link.name, numbers(link.center), numbers(link.center_rpy), link.mass, link.J(0, 0), link.J(0, 1),
        link.J(0, 2), link.J(1, 1), link.J(1, 2), link.J(2, 2));
    if (link.parent < 0) continue;
    text += fmt::format(
        "<joint name=\"{}\" type=\"{}\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{}\" "
        "rpy=\"{}\"/>"
        "<axis xyz=\"{}\"/><limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"1\"/><dynamics "
        "damping=\"{:.17g}\"/>",
        link.joint, link.type, links_[link.parent].name, link.name, numbers(link.origin), numbers(link.rpy),
        numbers(link.axis), link.damping);
    if (link.mimics >= 0)
      text += fmt::format("<mimic joint=\"{}\" multiplier=\"{:.17g}\" offset=\"{:.17g}\"/>",
                          links_[link.mimics].joint, link.multiplier, link.offset);
    text += "</joint>\n";
  }
  return text + "</robot>\n";
}

UrdfOptions RandomRobot::options() const {
  UrdfOptions options;
  options.base = links_.front().type == "floating" ? UrdfOptions::Base::floating : UrdfOptions::Base::fixed;
  options.base_pose = base_;
  options.base_velocity = base_velocity_;
  for (const RandomLink& link : links_) {
    if (link.parent < 0 || !has_value(link) || link.mimics >= 0) continue;
    options.start[link.joint] = link.q;
    options.velocities[link.joint] = link.v;
  }
  return options;
}

namespace {

std::string body_name(const RandomLink& link) {
  std::string name = link.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

// Robots that the laws leave undetermined are not counted.
void expect_agreement(const RandomRobot& robot, unsigned seed, int& compared) {
  const ImportedRobot imported = import_urdf(robot.urdf(), robot.options());
  if (!robot.is_determined()) return;
  ++compared;
  const auto computed = accelerations(imported.model);
  const auto expected = robot.accelerations();
  const std::vector<int> bodies = robot.bodies();
  double scale = 1;
  for (const auto& [center, angular] : expected) scale = std::max({scale, center.norm(), angular.norm()});
  const double tolerance = 1e-9 * scale;
  for (int body = 0; body < static_cast<int>(bodies.size()); ++body) {
    if (bodies[body] != body) continue;
    const std::string name = body_name(robot.links()[body]);
    ASSERT_TRUE(computed.contains(name)) << name << " of seed " << seed;
    EXPECT_LT((computed.at(name).angular - expected[body].angular).norm(), tolerance)
        << name << ", seed " << seed;
    double mass = 0;
    Vector3d sum = Vector3d::Zero();  // the centre of mass moves as the mean of its parts
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i] != body) continue;
      mass += robot.links()[i].mass;
      sum += robot.links()[i].mass * expected[i].center;
    }
    if (mass == 0) continue;
    EXPECT_LT((computed.at(name).center - sum / mass).norm(), tolerance) << name << ", seed " << seed;
  }
}

TEST(RandomRobots, HaveTheAccelerationsOfVirtualPower) {
  if (!has_urdf()) GTEST_SKIP() << "built without urdfdom";
  int compared = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    ASSERT_NO_THROW(expect_agreement(RandomRobot(seed), seed, compared)) << RandomRobot(seed).urdf();
    if (HasFailure()) FAIL() << RandomRobot(seed).urdf();
  }
  EXPECT_GE(compared, 40);
}

}  // namespace
}  // namespace dalembert::test
