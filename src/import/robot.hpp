// A robot as urdfdom reads it, and the poses of its links.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <urdf_model/model.h>
#include <urdf_world/types.h>

namespace dalembert {

/// Throws Error with urdfdom's own reason where it has one.
urdf::ModelInterfaceSharedPtr parse_robot(std::string_view xml);

/// Control characters become blanks.
std::string one_line(std::string_view text);

bool moves(const urdf::Joint& joint);

/// Of length 1; throws Error for a joint without one.
urdf::Vector3 unit_axis(const urdf::Joint& joint);

/// What the joint does to the frame of its child when its angle or slide is `value`.
urdf::Pose motion_of(const urdf::Joint& joint, double value);

urdf::Vector3 turned(const urdf::Rotation& rotation, const urdf::Vector3& v);
urdf::Pose operator*(const urdf::Pose& a, const urdf::Pose& b);

/// In the link's axes: R J Rᵀ.
std::array<std::array<double, 3>, 3> turned_inertia(const urdf::Inertial& inertial);

}  // namespace dalembert
