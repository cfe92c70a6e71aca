// Writing to what is no plain file: pipes, terminals, devices.
#pragma once

#include <string_view>

namespace dalembert {

/// Writes all of `text` or returns false with errno. Where the other side does not read, it waits; but not
/// when the program was asked to stop (EAGAIN then).
bool write_to_stream(int file, std::string_view text);

}  // namespace dalembert
