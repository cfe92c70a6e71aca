// Colour for people at a terminal, and for nobody else.
#pragma once

#include <string>
#include <string_view>

namespace dalembert::app {

/// Whether messages may be coloured: standard error is a terminal that can, and NO_COLOR is not set
/// (no-color.org).
bool use_colour();

/// Where standard input, output or error is closed, the next file that is opened would take its place and get
/// what is meant for it. Now writing to it fails.
void occupy_closed_streams();

/// Writes to standard error; where that fails there is nobody to tell.
void say(std::string_view text);

}  // namespace dalembert::app
