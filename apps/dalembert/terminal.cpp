#include "terminal.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace dalembert::app {

bool use_colour() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && (refused == nullptr || *refused == '\0') && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

std::string coloured(std::string_view text, Ink ink, bool colour) {
  if (!colour) return std::string(text);
  const int code = ink == Ink::bold ? 1 : ink == Ink::green ? 32 : ink == Ink::yellow ? 33 : 31;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace dalembert::app
