// Numbers as text: base64 of little-endian doubles.
#pragma once

#include <span>
#include <string>

namespace dalembert {

std::string base64(std::span<const double> values);

}  // namespace dalembert
