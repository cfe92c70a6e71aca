// Random robots: their URDF, and their accelerations by the principle of virtual power, link by link. No
// links are put together here, so that what an import puts together is checked.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/import/urdf.hpp>

namespace dalembert::test {

struct RandomLink {
  std::string name, joint, type;  ///< the joint to its parent
  int parent = -1;                ///< -1: the ground, of the root alone
  Eigen::Vector3d origin, rpy, axis;
  double mass = 0;
  Eigen::Vector3d center, center_rpy;
  Eigen::Matrix3d J;  ///< about the centre, in the directions of center_rpy
  int mimics = -1;    ///< link whose joint it follows
  double multiplier = 1, offset = 0, damping = 0;
  double q = 0, v = 0;
};

class RandomRobot {
 public:
  explicit RandomRobot(unsigned seed);

  const std::vector<RandomLink>& links() const { return links_; }
  std::string urdf() const;
  UrdfOptions options() const;

  struct LinkMotion {
    Eigen::Vector3d center;   ///< acceleration of the centre of mass
    Eigen::Vector3d angular;  ///< angular acceleration
  };
  /// Whether every motion has inertia, and none so little that digits are lost.
  bool is_determined() const;
  /// By link.
  std::vector<LinkMotion> accelerations() const;
  /// Link of whose body each is a part: itself, or the one that it is fixed to; -1 the ground.
  std::vector<int> bodies() const;

 private:
  struct Freedom {
    int link;
    Eigen::Vector3d axis;  ///< in space
    bool turns;
  };
  struct Motion {
    std::vector<Eigen::Vector3d> acceleration, angular;  ///< of the origins, by link
  };
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  bool one_of(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_) == 0; }
  Eigen::Vector3d vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  void add_link(int number);
  void add_inertia(RandomLink& link);
  void add_mimics();
  void place();
  void add_freedoms(int link);
  Motion move(const Eigen::VectorXd& rates) const;
  Eigen::VectorXd loads(const Motion& motion) const;
  Eigen::MatrixXd mass_matrix() const;
  Eigen::MatrixXd followers() const;
  bool carries(int ancestor, int link) const;

  std::mt19937 random_;
  std::vector<RandomLink> links_;
  std::vector<Eigen::Matrix3d> R_, joint_R_;
  std::vector<Eigen::Vector3d> p_, omega_, center_;  ///< in space; centres of mass
  std::vector<Freedom> freedoms_;
  std::array<double, 6> base_{}, base_velocity_{};
};

}  // namespace dalembert::test
