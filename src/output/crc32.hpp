// The cyclic redundancy check of zip and PNG.
#pragma once

#include <cstdint>
#include <string_view>

namespace dalembert {

/// Of what has `sum` so far, 0 at the start, followed by `text`.
std::uint32_t crc32(std::uint32_t sum, std::string_view text);

}  // namespace dalembert
