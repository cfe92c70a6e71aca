// A robot of another format as the text of a model file.
#pragma once

#include <span>
#include <string>

#include <dalembert/import/urdf.hpp>
#include <dalembert/settings/option.hpp>

namespace dalembert::session {

/// Start values of joints: elbow=0.5 is a position, elbow'=1 a velocity. Throws Error.
void set_joints(std::span<const std::string> settings, UrdfOptions& options,
                Spelling spelling = Spelling::key);

/// Reads a robot in URDF; meshes are looked for beside the file. The model that it gives can be read. Throws
/// Error that names the file.
ImportedRobot import_robot(const std::string& file, UrdfOptions options = {});

}  // namespace dalembert::session
