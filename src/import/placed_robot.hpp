// A robot in its start position: which links are one body, where the bodies are and how they move.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <dalembert/import/urdf.hpp>

#include "robot.hpp"

namespace dalembert {

/// A frame, and the velocity of its origin and its angular velocity, in space directions.
struct Placed {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  Eigen::Vector3d omega = Eigen::Vector3d::Zero();
};

constexpr std::size_t ground = static_cast<std::size_t>(-1);

struct RobotBody {
  std::size_t link;               ///< the first one, whose frame is the body's
  Inertia inertia;                ///< of all, in that frame
  std::vector<std::size_t> with;  ///< links that are fixed to it
};

struct PlacedRobot {
  Robot robot;
  std::vector<double> q, v;                     ///< by joint
  std::vector<Placed> links;                    ///< by link
  std::vector<Eigen::Isometry3d> joint_frames;  ///< by joint, before its motion
  std::vector<double> resistance;               ///< by joint: mass or moment of inertia that it moves
  std::vector<bool> held;                       ///< by joint: it would move nothing that has inertia
  std::vector<RobotBody> bodies;
  std::vector<std::size_t> body_of;  ///< by link: number of a body, or ground
  bool floating = false;
  bool moving = false;  ///< some velocity is not zero
};

/// Throws Error for a start of a joint that is not there, and where nothing moves.
PlacedRobot place_robot(Robot robot, const UrdfOptions& options);

}  // namespace dalembert
