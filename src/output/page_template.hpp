// The page without data, as this build carries it.
#pragma once

#include <string_view>

namespace dalembert {

/// Empty when the build had no Node.
std::string_view page_template();

/// Where the data go.
inline constexpr std::string_view data_mark = "__DATA__";

}  // namespace dalembert
