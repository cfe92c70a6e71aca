// Colour in texts for people at a terminal.
#pragma once

#include <string>
#include <string_view>

namespace dalembert::session {

enum class Ink { bold, green, yellow, red };

/// Without `colour` the text as it is.
std::string coloured(std::string_view text, Ink ink, bool colour);

}  // namespace dalembert::session
