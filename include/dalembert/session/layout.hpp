// Text for people, in lines of 80 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert::session {

inline constexpr std::size_t page_width = 80;

/// How many columns UTF-8 text takes.
std::size_t columns_of(std::string_view text);

/// Words in lines; the first line starts with `first`, the others with `rest`.
std::string wrap_words(std::string_view text, std::string_view first, std::string_view rest);

/// "label = expression" in lines that break before an operator; later lines are indented.
std::string wrap_expression(std::string_view text, std::string_view indent);

/// Top-level terms of a sum in text or LaTeX: "a + b*(c - d) - e" gives "a", "+ b*(c - d)", "- e".
std::vector<std::string> split_terms(std::string_view text);

struct TableWidths {
  std::size_t name = 20, cell = 17;
};
/// Where numbers have their units behind them.
inline constexpr TableWidths with_units{14, 20};

/// A name and columns of numbers; a name that is too long for its column has a line of its own.
std::string table_row(std::string_view name, const std::vector<std::string>& cells,
                      const TableWidths& widths = {});

/// A residual with two digits, for tables.
std::string residual(double value);

/// A number with ten digits, or another number of them, for tables.
std::string number(double value, int digits = 10);

}  // namespace dalembert::session
