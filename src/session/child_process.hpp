// Programs that this one calls.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dalembert::session {

struct ChildResult {
  int status = 0;  ///< 0: it ended well
  std::string output;
};

/// Runs a program to its end and keeps what it writes to standard output; its messages go nowhere. Throws
/// OutputError when it cannot be started.
ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace dalembert::session
