#pragma once

#include <filesystem>
#include <string>

namespace dalembert {

/// A model file's bytes; throws Error with the system's reason, or when it is too large.
std::string read_text(const std::filesystem::path& file);

}  // namespace dalembert
