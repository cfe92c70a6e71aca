// Names and texts as they were written, with their places.
#pragma once

#include <string>
#include <utility>

#include <dalembert/base/error.hpp>

namespace dalembert {

/// Text of an expression, or a number (taken by its shortest decimal text), and where its first character
/// stands.
struct Text {
  Text() = default;
  Text(const char* text) : text(text) {}  // NOLINT(google-explicit-constructor)
  // NOLINTNEXTLINE(google-explicit-constructor)
  Text(std::string text, SourceLocation where = {}) : text(std::move(text)), where(std::move(where)) {}
  Text(double value);  // NOLINT(google-explicit-constructor)
  Text(int value);     // NOLINT(google-explicit-constructor)

  std::string text;
  SourceLocation where;
};

/// A name and where it stands.
struct Name {
  Name() = default;
  Name(const char* text) : text(text) {}  // NOLINT(google-explicit-constructor)
  // NOLINTNEXTLINE(google-explicit-constructor)
  Name(std::string text, SourceLocation where = {}) : text(std::move(text)), where(std::move(where)) {}

  std::string text;
  SourceLocation where;
};

}  // namespace dalembert
