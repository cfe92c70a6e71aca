// Where symbolic links lead.
#pragma once

#include <filesystem>

namespace dalembert {

/// Follows symbolic links as the system does, and to an end that is not there yet. The links of /proc are no
/// names of files: they are left to the system.
std::filesystem::path end_of_links(std::filesystem::path path);

}  // namespace dalembert
