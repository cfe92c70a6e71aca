// Numbers as text.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace dalembert {

/// The bytes of the values, little-endian, in base64; handed over in pieces.
void write_base64(std::span<const double> values, const std::function<void(std::string_view)>& write);

}  // namespace dalembert
