#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/abbreviation.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/reserved.hpp>

#include "found_text.hpp"

namespace dalembert {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The end of the name that starts at `place`: words joined by single dots.
std::size_t end_of_name(std::string_view text, std::size_t place) {
  const auto end_of_word = [text](std::size_t at) {
    while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
    return at;
  };
  place = end_of_word(place);
  while (place + 1 < text.size() && text[place] == '.' && is_letter(text[place + 1]))
    place = end_of_word(place + 1);
  return place;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Abbreviation& abbreviation : abbreviations()) names.emplace_back(abbreviation.name);
  for (std::size_t i = 0; i < function_count; ++i) names.emplace_back(info(static_cast<Function>(i)).name);
  names.emplace_back("lambda");
  return names;
}

class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const Resolver& resolver, const SourceLocation& origin)
      : graph_(graph), text_(text), resolver_(resolver), origin_(origin) {
    if (text.size() > longest_text)
      fail(0, fmt::format("the text is longer than {} characters", longest_text));
  }

  Expr whole() {
    const Expr e = sum();
    if (peek() == '=') fail(place_, "unexpected '='; only constraints may have two sides");
    expect_end();
    return e;
  }

  Expr equation() {
    const Expr left = sum();
    if (peek() != '=') {
      expect_end();
      return left;
    }
    ++place_;
    if (peek() == '=') fail(place_, "write '=' once");
    const Expr right = sum();
    if (peek() == '=') fail(place_, "a second '='; a constraint has two sides");
    expect_end();
    return left - right;
  }

 private:
  // sum = product { ("+" | "-") product }
  Expr sum() {
    if (++depth_ > deepest_nesting)
      fail(place_, fmt::format("nested deeper than {} levels", deepest_nesting));
    std::vector<Term> terms{{1, product()}};
    while (peek() == '+' || peek() == '-') {
      const Rational sign = text_[place_++] == '+' ? 1 : -1;
      terms.push_back({sign, product()});
    }
    --depth_;
    return terms.size() == 1 ? terms[0].expression : made(place_, [&] { return graph_.sum(terms); });
  }

  // product = unary { ("*" | "/") unary }; signs are factors -1, so that -(a + b)*c is -((a + b)*c)
  Expr product() {
    std::vector<Expr> factors;
    bool negative = take_signs();
    factors.push_back(power());
    while (peek() == '*' || peek() == '/') {
      const bool divides = text_[place_++] == '/';
      if (!divides && place_ < text_.size() && text_[place_] == '*')
        fail(place_ - 1, "'**' is not known; write '^'");
      const std::size_t start = skip_blanks();
      negative ^= take_signs();
      const Expr factor = power();
      factors.push_back(!divides ? factor : made(start, [&] { return graph_.power(factor, Rational(-1)); }));
    }
    if (negative) factors.push_back(graph_.number(-1));
    return factors.size() == 1 ? factors[0] : made(place_, [&] { return graph_.product(factors); });
  }

  // unary = "-" unary | "+" unary | power
  Expr unary() {
    const bool negative = take_signs();
    const Expr e = power();
    return negative ? -e : e;
  }

  // Whether an odd number of minus signs stands here.
  bool take_signs() {
    bool negative = false;
    while (peek() == '-' || peek() == '+') negative ^= text_[place_++] == '-';
    return negative;
  }

  // power = atom [ "^" unary ]
  Expr power() {
    const Expr base = atom();
    if (peek() != '^') return base;
    const std::size_t start = place_++;
    if (++depth_ > deepest_nesting)
      fail(place_, fmt::format("nested deeper than {} levels", deepest_nesting));
    const Expr exponent = unary();
    --depth_;
    return made(start, [&] { return graph_.power(base, exponent); });
  }

  Expr atom() {
    const char c = peek();
    if (is_digit(c) || (c == '.' && place_ + 1 < text_.size() && is_digit(text_[place_ + 1])))
      return number();
    if (is_letter(c)) return name_or_call();
    if (c == '(') {
      const std::size_t open = place_++;
      const Expr e = sum();
      expect_closing(open);
      return e;
    }
    fail(place_, "expected a number, a name or '(', found " + found());
  }

  Expr number() {
    const std::size_t start = place_;
    const auto digits = [this] {
      while (place_ < text_.size() && is_digit(text_[place_])) ++place_;
    };
    digits();
    if (place_ < text_.size() && text_[place_] == '.') ++place_;
    digits();
    if (place_ < text_.size() && (text_[place_] == 'e' || text_[place_] == 'E')) {
      const std::size_t sign =
          place_ + 1 < text_.size() && (text_[place_ + 1] == '+' || text_[place_ + 1] == '-');
      if (place_ + 1 + sign < text_.size() && is_digit(text_[place_ + 1 + sign])) {
        place_ += 1 + sign;
        digits();
      }
    }
    const std::string_view literal = text_.substr(start, place_ - start);
    const auto value = parse_decimal(literal);
    if (!value) fail(start, fmt::format("the number {} is out of range", shortened(literal)));
    return graph_.number(*value);
  }

  Expr name_or_call() {
    const std::size_t start = place_;
    const std::size_t end = end_of_name(text_, place_);
    place_ = end;
    const std::string_view word = text_.substr(start, end - start);
    if (peek() == '(') return call(start, word);
    if (!meaning_of_reserved(word).empty() && word != "pi" && word != "t" && word != "lambda")
      fail(start, fmt::format("'{0}' is a function: write {0}(...)", word));
    place_ = end;
    if (word == "pi") {
      if (place_ < text_.size() && text_[place_] == '\'') fail(start, "pi does not change: there is no pi'");
      return graph_.pi();
    }
    while (place_ < text_.size() && text_[place_] == '\'') ++place_;
    return resolve(start, std::string(text_.substr(start, place_ - start)));
  }

  Expr call(std::size_t start, std::string_view word) {
    const std::size_t open = place_++;
    if (word == "lambda") return multiplier(start, open);
    const auto function = find_function(word);
    const Abbreviation* const abbreviation = find_abbreviation(word);
    if (!function && abbreviation == nullptr) {
      fail(start,
           fmt::format("'{}' is not a function{}", shortened(word), suggestion(word, function_names())));
    }
    std::vector<Expr> arguments{sum()};
    while (peek() == ',') {
      ++place_;
      arguments.push_back(sum());
    }
    expect_closing(open);
    if (function) return made(start, [&] { return graph_.call(*function, arguments); });
    const std::size_t arity = abbreviation->arity;
    if (arity != 0 && arguments.size() != arity) {
      fail(start, fmt::format("{} takes {} argument{}, not {}", word, arity, arity == 1 ? "" : "s",
                              arguments.size()));
    }
    return made(start, [&] { return abbreviation->written_out(arguments); });
  }

  // lambda(name): the multiplier of a constraint
  Expr multiplier(std::size_t start, std::size_t open) {
    const std::size_t begin = skip_blanks();
    place_ = end_of_name(text_, begin);
    const std::string name(text_.substr(begin, place_ - begin));
    if (name.empty()) fail(begin, "expected the name of a constraint, found " + found());
    expect_closing(open);
    return resolve(start, "lambda(" + name + ")");
  }

  Expr resolve(std::size_t start, const std::string& name) {
    if (!resolver_) return graph_.symbol(name);
    return made(start, [&] { return resolver_(name); });
  }

  // Runs `make` and gives its errors the place.
  template <class Make>
  Expr made(std::size_t place, const Make& make) {
    try {
      return make();
    } catch (const Error& error) {
      if (error.where().line > 0) throw;
      fail(place, error.message());
    }
  }

  std::size_t skip_blanks() {
    while (place_ < text_.size() && std::string_view(" \t\r\n").find(text_[place_]) != std::string_view::npos)
      ++place_;
    return place_;
  }

  char peek() {
    skip_blanks();
    return place_ < text_.size() ? text_[place_] : '\0';
  }

  void expect_closing(std::size_t open) {
    if (peek() == ')') {
      ++place_;
      return;
    }
    if (place_ >= text_.size()) fail(open, "this '(' is never closed");
    fail(place_, "expected an operator or ')', found " + found());
  }

  void expect_end() {
    if (peek() == '\0' && place_ >= text_.size()) return;
    if (text_[place_] == ')') fail(place_, "this ')' closes nothing");
    fail(place_, "expected an operator, found " + found());
  }

  std::string found() const { return describe_found(text_.substr(place_)); }

  [[noreturn]] void fail(std::size_t place, const std::string& message) const {
    place = std::min(place, text_.size());
    const std::string_view before = text_.substr(0, place);
    const auto lines = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t line_begin = lines == 0 ? 0 : before.rfind('\n') + 1;
    const std::size_t line_end = std::min(text_.find('\n', place), text_.size());
    const auto offset = static_cast<int>(place - line_begin);
    SourceLocation where = origin_;
    where.line = std::max(origin_.line, 1) + lines;
    where.column = (lines == 0 ? std::max(origin_.column, 1) : 1) + offset;
    throw Error(message, where,
                caret_excerpt(std::string(text_.substr(line_begin, line_end - line_begin)), offset + 1));
  }

  Graph& graph_;
  std::string_view text_;
  const Resolver& resolver_;
  const SourceLocation& origin_;
  std::size_t place_ = 0;
  int depth_ = 0;
};

}  // namespace

Expr parse(Graph& graph, std::string_view text, const Resolver& resolver, const SourceLocation& origin) {
  return Parser(graph, text, resolver, origin).whole();
}

Expr parse_equation(Graph& graph, std::string_view text, const Resolver& resolver,
                    const SourceLocation& origin) {
  return Parser(graph, text, resolver, origin).equation();
}

bool is_definable_name(std::string_view name) {
  if (name.empty() || !is_letter(name[0])) return false;
  if (end_of_name(name, 0) != name.size()) return false;
  return meaning_of_reserved(name).empty();
}

}  // namespace dalembert
