// Programs of the system.
#pragma once

#include <filesystem>
#include <string_view>

namespace dalembert {

/// The path of a program in PATH, or of a name with slashes itself; empty where there is none.
std::filesystem::path find_program(std::string_view name);

}  // namespace dalembert
