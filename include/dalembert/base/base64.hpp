// Bytes as text.
#pragma once

#include <string>
#include <string_view>

namespace dalembert {

std::string to_base64(std::string_view bytes);

/// Characters that do not belong to the alphabet are passed over.
std::string from_base64(std::string_view text);

}  // namespace dalembert
