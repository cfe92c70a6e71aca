#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "campaign/shrink.hpp"

namespace dalembert::campaign {
namespace {

struct Part {
  std::size_t begin, end;
};

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '\'';
}

// The end of the number or name that begins here; signs of exponents belong to numbers.
std::size_t word_end(std::string_view text, std::size_t begin) {
  const bool number = std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
  std::size_t end = begin;
  while (end < text.size() && (in_word(text[end]) || (number && (text[end] == '-' || text[end] == '+') &&
                                                      end > begin && text[end - 1] == 'e'))) {
    ++end;
  }
  return end;
}

std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i;
  }
  return text.size();
}

class Smaller {
 public:
  explicit Smaller(const std::string& formula) : formula_(formula) {}

  std::vector<std::string> all() {
    split({0, formula_.size()});
    return std::move(result_);
  }

 private:
  void offer(Part part, const std::string& instead) {
    result_.push_back(formula_.substr(0, part.begin) + instead + formula_.substr(part.end));
  }

  // What stands between brackets, commas and equal signs, on one level of brackets.
  void split(Part part) {
    std::vector<Part> sides, terms, factors;
    Part side{part.begin, 0}, term = side, factor = side;
    const auto close = [&](std::size_t i, std::size_t next, int level) {
      factors.push_back({factor.begin, i});
      factor.begin = next;
      if (level < 1) return;
      end_term(terms, factors, {term.begin, i});
      term.begin = factor.begin = next;
      if (level < 2) return;
      end_side(terms);
      factor.begin = term.begin = next;
    };
    for (std::size_t i = part.begin; i < part.end;) {
      const char c = formula_[i];
      const bool sign_of_term = (c == '+' || c == '-') && i > term.begin &&
                                formula_.find_first_not_of(' ', term.begin) < i &&
                                !follows_operator(i, part.begin);
      if (c == ',' || c == '=') {
        close(i, i + 1, 2);
        ++i;
      } else if (sign_of_term) {
        close(i, i, 1);
        factor.begin = ++i;  // the sign stays
      } else if (c == '*' || c == '/') {
        close(i, i + 1, 0);
        ++i;
      } else {
        i = step_over(i);
      }
    }
    close(part.end, part.end, 2);
  }

  bool follows_operator(std::size_t i, std::size_t begin) const {
    while (i > begin && formula_[i - 1] == ' ') --i;
    return i == begin || std::string_view("*/^(,=+-").find(formula_[i - 1]) != std::string_view::npos;
  }

  // A word, a bracket with what is inside, or one character.
  std::size_t step_over(std::size_t i) {
    const char c = formula_[i];
    if (c == '(') {
      const std::size_t end = closing(formula_, i);
      split({i + 1, std::min(end, formula_.size())});
      offer({i, std::min(end + 1, formula_.size())}, "1");
      return end + 1;
    }
    if (!in_word(c)) return i + 1;
    const std::size_t end = word_end(formula_, i);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      rounder({i, end});
    } else if (end < formula_.size() && formula_[end] == '(') {
      replace_call(i, end);
    }
    return end;
  }

  void replace_call(std::size_t name, std::size_t open) {
    const std::size_t close = closing(formula_, open);
    std::size_t begin = open + 1;
    int depth = 0;
    for (std::size_t i = open + 1; i <= close && i < formula_.size(); ++i) {
      if (formula_[i] == '(') ++depth;
      const bool ends = depth == 0 && (formula_[i] == ',' || i == close);
      if (ends) {
        offer({name, close + 1}, "(" + formula_.substr(begin, i - begin) + ")");
        begin = i + 1;
      }
      if (formula_[i] == ')') --depth;
    }
  }

  void rounder(Part number) {
    const std::string text = formula_.substr(number.begin, number.end - number.begin);
    const double value = std::strtod(text.c_str(), nullptr);
    if (value == 0 || !std::isfinite(value)) return;
    std::vector<std::string> simpler{"1"};
    for (const int digits : {1, 2}) {
      const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
      simpler.push_back(shortest(
          std::strtod(fmt::format("{:.{}g}", std::round(value / unit) * unit, digits).c_str(), nullptr)));
    }
    for (const std::string& candidate : simpler) {
      if (candidate.size() < text.size()) offer(number, candidate);
    }
  }

  void end_term(std::vector<Part>& terms, std::vector<Part>& factors, Part term) {
    terms.push_back(term);
    for (std::size_t i = 0; i < factors.size() && factors.size() > 1; ++i) {
      // with the operator behind it, or for the last one the operator in front
      const bool last = i + 1 == factors.size();
      offer({last ? factors[i].begin - 1 : factors[i].begin, last ? factors[i].end : factors[i + 1].begin},
            "");
    }
    factors.clear();
  }
  void end_side(std::vector<Part>& terms) {
    for (const Part& term : terms) {
      if (terms.size() > 1) offer(term, "");
    }
    terms.clear();
  }

  std::string formula_;
  std::vector<std::string> result_;
};

}  // namespace

std::vector<std::string> smaller_formulas(const std::string& formula) { return Smaller(formula).all(); }

}  // namespace dalembert::campaign
