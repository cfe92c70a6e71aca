#include <fmt/format.h>

#include <dalembert/session/ink.hpp>

namespace dalembert::session {

std::string coloured(std::string_view text, Ink ink, bool colour) {
  if (!colour) return std::string(text);
  const int code = ink == Ink::bold ? 1 : ink == Ink::green ? 32 : ink == Ink::yellow ? 33 : 31;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace dalembert::session
