// Identifiers of C for the names of a model.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace dalembert {

/// Letters, digits and '_'; what else there is becomes '_', letters beyond ASCII their number, u03b1. No
/// keyword of C or C++, no macro of math.h, nothing that the standard keeps for itself.
std::string c_identifier(std::string_view name);

/// Identifiers that differ from each other.
class CNames {
 public:
  /// `prefix` before it; a number behind it where that is taken.
  std::string add(std::string_view prefix, std::string_view name);

 private:
  std::set<std::string> taken_;
};

/// Text that may stand within a comment of C.
std::string c_comment(std::string_view text);

/// A string literal of C.
std::string c_string(std::string_view text);

/// A literal of type double that reads back to the same number.
std::string c_number(double value);

}  // namespace dalembert
