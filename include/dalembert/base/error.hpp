// Errors of the caller: what is wrong, where it stands, what would be right.
#pragma once

#include <stdexcept>
#include <string>

namespace dalembert {

/// A place in a text; lines and columns count from 1, 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;

  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// The caller's mistake. what() reads "file:line:column: error: message", then the excerpt when there is one.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string message, SourceLocation where = {}, std::string excerpt = {});

  const std::string& message() const { return message_; }
  const SourceLocation& where() const { return where_; }
  /// The offending line with a caret under the place; may be empty.
  const std::string& excerpt() const { return excerpt_; }

 private:
  std::string message_;
  SourceLocation where_;
  std::string excerpt_;
};

/// Two lines: `line` (cut around the place when it is long) and a caret under `column` (counted in bytes from
/// 1).
std::string caret_excerpt(const std::string& line, int column);

}  // namespace dalembert
