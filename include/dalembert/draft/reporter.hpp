// Errors of a draft: the place in the model file and an excerpt of it, or the text itself when there is no
// file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>
#include <dalembert/draft/draft.hpp>
#include <dalembert/draft/source_text.hpp>

namespace dalembert {

class Reporter {
 public:
  /// The draft must outlive this.
  explicit Reporter(const ModelDraft& draft) : draft_(draft) {}

  /// A mistake at byte `inside` of a text; `label` says what the text is where it has no place in a file.
  [[noreturn]] void at_text(const Text& text, const std::string& label, std::size_t inside,
                            const std::string& message) const;
  [[noreturn]] void at_name(const Name& name, const std::string& message) const { at(name.where, message); }
  /// A mistake at a place of the file.
  [[noreturn]] void at(const SourceLocation& where, const std::string& message) const;
  /// A mistake of the whole model, such as a missing part.
  [[noreturn]] void at_model(const std::string& message) const;

  /// An error that parse() threw for `text` with places counted inside it.
  [[noreturn]] void from_parser(const Text& text, const std::string& label, const Error& error) const;

 private:
  const SourceText& source() const;

  const ModelDraft& draft_;
  mutable std::optional<SourceText> source_;  // made by the first error
};

/// Where `word` stands in `text` as a whole word; 0 when it does not.
std::size_t find_word(std::string_view text, std::string_view word);

/// A word from the input between quotes, cut when it is long, without control characters; a word that ends
/// with a prime has no quotes.
std::string in_quotes(std::string_view word);

}  // namespace dalembert
