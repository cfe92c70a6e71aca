// Colour for people at a terminal, and for nobody else.
#pragma once

#include <string>
#include <string_view>

namespace dalembert::app {

enum class Ink { bold, green, yellow, red };

/// Whether messages may be coloured: standard error is a terminal that can, and NO_COLOR is not set
/// (no-color.org).
bool use_colour();

std::string coloured(std::string_view text, Ink ink, bool colour);

}  // namespace dalembert::app
