#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "print_parts.hpp"

namespace dalembert {
namespace {

// What an expression looks like from outside; a stronger context than that asks for parentheses.
enum Binding : int { as_sum, as_product, as_factor, as_atom };

using Pieces = std::vector<Piece>;

std::string literal(const NumberParts& parts) {
  return parts.ten_exponent == 0 ? parts.above : fmt::format("{}e{}", parts.above, parts.ten_exponent);
}

std::string number_text(const Rational& value) {
  const NumberParts parts = split_number(value);
  std::string text = value < 0 ? "-" : "";
  text += literal(parts);
  if (!parts.below.empty()) text += '/' + parts.below;
  return text;
}

std::string number_atom(const Rational& value) {
  const std::string text = number_text(value);
  return value < 0 || text.find('/') != std::string::npos ? '(' + text + ')' : text;
}

void put_power(const Factor& factor, Pieces& out) {
  if (factor.exponent == 1) {
    out.emplace_back(factor.base, as_factor);
  } else if (is_half(factor.exponent)) {
    out.emplace_back("sqrt(");
    out.emplace_back(factor.base, as_sum);
    out.emplace_back(")");
  } else {
    out.emplace_back(factor.base, as_atom);
    out.emplace_back('^' + number_atom(factor.exponent));
  }
}

void put_factors(const std::vector<Factor>& factors, std::string_view separator, bool first, Pieces& out) {
  for (const Factor& factor : factors) {
    if (!first) out.emplace_back(separator);
    first = false;
    put_power(factor, out);
  }
}

// Roots below may be equal to bases below: 1/(sqrt(x)*sqrt(x)^2) would be made as 1/sqrt(x)^3. A long product
// in parentheses would stay one factor.
bool must_divide_one_by_one(const std::vector<Factor>& below) {
  if (below.size() > Graph::longest_merged_product) return true;
  return std::any_of(below.begin(), below.end(), [](const Factor& factor) {
    return factor.base.kind() == Kind::power && factor.base.operand(1).is_number();
  });
}

// 2*(a + b) would be made as 2*a + 2*b, so a lone sum below takes no number.
bool may_take_number(const std::vector<Factor>& below) {
  const bool lone_sum = below.size() == 1 && below[0].exponent == 1 && below[0].base.kind() == Kind::sum;
  return !below.empty() && !lone_sum && !must_divide_one_by_one(below);
}

void put_below(const std::vector<Factor>& below, const std::string& number, Pieces& out) {
  if (below.empty()) return;
  out.emplace_back("/");
  if (must_divide_one_by_one(below)) {
    put_factors(below, "/", true, out);
    return;
  }
  const bool several = below.size() > 1 || !number.empty();
  if (several) out.emplace_back("(" + number);
  put_factors(below, "*", number.empty(), out);
  if (several) out.emplace_back(")");
}

// |coefficient| * e
void put_product(const Rational& coefficient, Expr e, Pieces& out) {
  const Fraction fraction = split_fraction(coefficient, e);
  NumberParts number = split_number(coefficient);
  std::string below_number;
  if (may_take_number(fraction.below)) below_number.swap(number.below);
  std::string head = literal(number);
  if (!number.below.empty()) head += '/' + number.below;
  const bool with_head = head != "1" || fraction.above.empty();
  if (with_head) out.emplace_back(head);
  put_factors(fraction.above, "*", !with_head, out);
  put_below(fraction.below, below_number, out);
}

void put_sum(Expr e, Pieces& out) {
  bool first = true;
  for (const Summand& summand : ordered_summands(e)) {
    const bool negative = summand.coefficient < 0;
    out.emplace_back(first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    const Expr term = summand.expression;
    if (!term) {
      out.emplace_back(number_text(abs(summand.coefficient)));
    } else {
      put_product(summand.coefficient, term, out);
    }
    first = false;
  }
}

void put_call(Expr e, Pieces& out) {
  out.emplace_back(fmt::format("{}(", info(e.function()).name));
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (i > 0) out.emplace_back(", ");
    out.emplace_back(e.operand(i), as_sum);
  }
  out.emplace_back(")");
}

void put_plain(Expr e, Pieces& out) {
  switch (e.kind()) {
    case Kind::number:
      out.emplace_back(number_text(e.number()));
      return;
    case Kind::pi:
      out.emplace_back("pi");
      return;
    case Kind::symbol:
      out.emplace_back(e.name());
      return;
    case Kind::sum:
      put_sum(e, out);
      return;
    case Kind::product:
      put_product(1, e, out);
      return;
    case Kind::power:
      if (e.operand(1).is_number()) return put_product(1, e, out);
      out.emplace_back(e.operand(0), as_atom);
      out.emplace_back("^");
      out.emplace_back(e.operand(1), as_atom);
      return;
    case Kind::function:
      put_call(e, out);
      return;
  }
}

Binding binding_of_power(Expr exponent) {
  if (!exponent.is_number()) return as_factor;
  if (is_half(exponent.number())) return as_atom;
  return exponent.number() > 0 ? as_factor : as_product;
}

Binding binding(Expr e) {
  switch (e.kind()) {
    case Kind::number:
      return e.number() >= 0 && split_number(e.number()).below.empty() ? as_atom : as_product;
    case Kind::sum:
      return as_sum;
    case Kind::product:
      return as_product;
    case Kind::power:
      return binding_of_power(e.operand(1));
    case Kind::pi:
    case Kind::symbol:
    case Kind::function:
      break;
  }
  return as_atom;
}

void expand(Expr e, int level, Pieces& out) {
  const bool enclosed = binding(e) < level;
  if (enclosed) out.emplace_back("(");
  put_plain(e, out);
  if (enclosed) out.emplace_back(")");
}

bool write_text(Expr e, std::size_t longest, std::string& out) {
  return write_pieces({e, as_sum}, longest, out, expand,
                      [](std::string& text, const std::string& more) { text += more; });
}

}  // namespace

std::string to_text(Expr e) {
  std::string text;
  if (!write_text(e, longest_printed, text)) throw_too_long();
  return text;
}

std::string text_excerpt(Expr e, std::size_t longest) {
  std::string text;
  if (write_text(e, longest, text)) return text;
  text.resize(longest);
  return text + "...";
}

}  // namespace dalembert
