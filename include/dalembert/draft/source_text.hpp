// Places in the text of a model file. Lines and columns count from 1, columns in characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/base/error.hpp>

namespace dalembert {

class SourceText {
 public:
  /// Both must outlive this.
  SourceText(std::string_view file, std::string_view text);

  bool empty() const { return text_.empty(); }
  std::string_view text() const { return text_; }

  /// The byte that stands at a place; places beyond a line's end are its end.
  std::size_t offset(int line, int column) const;
  SourceLocation place(std::size_t offset) const;

  /// The first byte of the content of the string whose opening quote is the byte `opening`.
  std::size_t string_content(std::size_t opening) const;

  /// The byte that byte `inside` of a value was written as. `first` is the value's first character: a
  /// string's content is decoded (escapes, line ends) as far as needed, anything else stands as it is.
  std::size_t inside_value(std::size_t first, std::size_t inside) const;

  /// The line around a byte with a caret under it.
  std::string excerpt(std::size_t offset) const;

 private:
  std::size_t line_of(std::size_t offset) const;
  std::string_view line(std::size_t index) const;

  std::string_view file_;
  std::string_view text_;
  std::vector<std::size_t> lines_;  // where each starts

  // The last place found, so that walking through one long line costs one pass.
  struct Cursor {
    std::size_t line = 0;
    int column = 1;
    std::size_t offset = 0;
  };
  mutable Cursor cursor_;
};

}  // namespace dalembert
