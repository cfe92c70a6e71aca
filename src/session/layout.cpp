#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/session/layout.hpp>

namespace dalembert::session {
namespace {

bool is_open(char c) { return c == '(' || c == '{' || c == '['; }
bool is_close(char c) { return c == ')' || c == '}' || c == ']'; }

// Where a line of at most `room` columns may end: before " + " or " - ", else before "*" or "/", else
// nowhere. Operators at a small depth of parentheses are better.
std::size_t find_break(std::string_view text, std::size_t room) {
  std::size_t best = std::string_view::npos;
  int best_rank = 1000;
  int depth = 0;
  for (std::size_t i = 0; i < std::min(room, text.size()); ++i) {
    if (is_open(text[i])) ++depth;
    if (is_close(text[i])) --depth;
    if (i < room / 3) continue;  // no short lines
    const bool term = text[i] == ' ' && i + 2 < text.size() && text[i + 2] == ' ';
    const bool factor = text[i] == '*' || text[i] == '/';
    const int rank = term ? depth : factor ? 20 + depth : 1000;
    if ((term || factor) && rank <= best_rank) {
      best = i;
      best_rank = rank;
    }
  }
  return best;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrap_words(std::string_view text, std::string_view first, std::string_view rest) {
  std::string out(first);
  std::size_t used = columns_of(first);
  bool fresh = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t width = columns_of(word);
    if (!fresh && used + 1 + width > page_width) {
      out += "\n" + std::string(rest);
      used = columns_of(rest);
      fresh = true;
    }
    out += (fresh ? "" : " ") + std::string(word);
    used += width + (fresh ? 0 : 1);
    fresh = false;
  }
  return out + "\n";
}

std::string wrap_expression(std::string_view text, std::string_view indent) {
  std::string out;
  std::string line(text);
  while (line.size() > page_width) {
    const std::size_t at = find_break(line, page_width);
    if (at == std::string_view::npos || at <= indent.size()) break;
    out += line.substr(0, at) + "\n";
    line = std::string(indent) + line.substr(line[at] == ' ' ? at + 1 : at);
  }
  return out + line + "\n";
}

std::vector<std::string> split_terms(std::string_view text) {
  std::vector<std::string> terms;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    if (is_open(text[i])) ++depth;
    if (is_close(text[i])) --depth;
    const bool sign = text[i + 1] == '+' || text[i + 1] == '-';
    if (depth == 0 && text[i] == ' ' && sign && text[i + 2] == ' ') {
      terms.emplace_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  terms.emplace_back(text.substr(begin));
  return terms;
}

std::string table_row(std::string_view name, const std::vector<std::string>& cells,
                      const TableWidths& widths) {
  std::string row = fmt::format("  {:<{}}", name, widths.name);
  if (columns_of(name) > widths.name) row += fmt::format("\n{:{}}", "", widths.name + 2);
  for (const std::string& cell : cells) row += fmt::format(" {:>{}}", cell, widths.cell);
  return row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
}

std::string residual(double value) { return value == 0 ? "0" : fmt::format("{:.1e}", value); }

std::string number(double value, int digits) {
  return fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits);
}

}  // namespace dalembert::session
