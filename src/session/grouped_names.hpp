// Names of rows or reactions of joints, joint by joint.
#pragma once

#include <span>
#include <string>

namespace dalembert::session {

/// A few names as they are, each in `quote`: `a.x`, `a.y`. Many by what stands before the dot, and of that as
/// many as can be read: `a` (x, y), `b` (x) and 7 more joints.
std::string group_names(std::span<const std::string> names, const std::string& quote);

}  // namespace dalembert::session
