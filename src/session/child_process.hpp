// Programs that this one calls.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert::session {

/// Where a program of this name stands in PATH; empty when there is none.
std::filesystem::path find_program(std::string_view name);

struct ChildResult {
  int status = 0;  ///< 0: it ended well
  std::string output;
};

/// Runs a program to its end and keeps what it writes to standard output; its messages go nowhere. Throws
/// OutputError when it cannot be started.
ChildResult run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments);

}  // namespace dalembert::session
