#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "print_parts.hpp"

namespace dalembert {
namespace {

enum Binding : int { as_sum, as_product, as_atom };

using Pieces = std::vector<Piece>;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// "\sin" and "x" need a blank between them.
void append(std::string& out, const std::string& more) {
  if (more.empty()) return;
  std::size_t word = out.size();
  while (word > 0 && is_letter(out[word - 1])) --word;
  const bool ends_in_command = word > 0 && word < out.size() && out[word - 1] == '\\';
  if (ends_in_command && is_letter(more[0])) out += ' ';
  out += more;
}

std::string literal(const NumberParts& parts) {
  if (parts.ten_exponent == 0) return parts.above;
  const std::string power = fmt::format("10^{{{}}}", parts.ten_exponent);
  return parts.above == "1" ? power : parts.above + " \\cdot " + power;
}

// |value|
std::string number_latex(const Rational& value) {
  const NumberParts parts = split_number(value);
  if (parts.below.empty()) return literal(parts);
  return fmt::format("\\frac{{{}}}{{{}}}", literal(parts), parts.below);
}

std::string exponent_latex(const Rational& value) {
  const NumberParts parts = split_number(value);
  std::string text = value < 0 ? "-" : "";
  text += literal(parts);
  return parts.below.empty() ? text : text + '/' + parts.below;
}

bool has_many_primes(Expr e) { return e.name().ends_with("''''"); }

bool is_root(const Rational& exponent) {
  return exponent < 1 && numerator(exponent) == 1 && denominator(exponent) < 10;
}

Binding binding(Expr e) {
  switch (e.kind()) {
    case Kind::number: {
      const NumberParts parts = split_number(e.number());
      if (e.number() < 0) return as_sum;
      return parts.below.empty() && parts.ten_exponent == 0 ? as_atom : as_product;
    }
    case Kind::pi:
      return as_atom;
    case Kind::symbol:
      return has_many_primes(e) ? as_product : as_atom;
    case Kind::sum:
      return is_scaled_term(e) && e.coefficient(0) > 0 ? as_product : as_sum;
    case Kind::function:
      return info(e.function()).enclosing.is_closed ? as_atom : as_product;
    case Kind::power:
      return e.operand(1).is_number() && is_root(e.operand(1).number()) ? as_atom : as_product;
    case Kind::product:
      break;
  }
  return as_product;
}

// sin, cos ...: a power stands between the name and the argument.
bool takes_power_at_name(Expr e) {
  return e.kind() == Kind::function && e.size() == 1 && info(e.function()).enclosing.before.empty();
}

// theta, 2 theta, pi and 3 need no parentheses behind the name of a function.
bool is_simple_argument(Expr e) {
  if (is_scaled_term(e))
    return e.coefficient(0) > 0 && is_integer(e.coefficient(0)) && is_simple_argument(e.operand(0));
  return (e.kind() == Kind::symbol || e.kind() == Kind::pi || e.kind() == Kind::number) &&
         binding(e) == as_atom;
}

void put_arguments(Expr e, Pieces& out) {
  if (e.size() == 1 && is_simple_argument(e.operand(0))) {
    const Kind kind = e.operand(0).kind();
    if (kind == Kind::sum || kind == Kind::number) out.emplace_back(" ");
    out.emplace_back(e.operand(0), as_sum);
    return;
  }
  out.emplace_back("\\left(");
  for (std::size_t i = 0; i < e.size(); ++i) {
    if (i > 0) out.emplace_back(", ");
    out.emplace_back(e.operand(i), as_sum);
  }
  out.emplace_back("\\right)");
}

void put_call(Expr e, Pieces& out) {
  const Enclosing& enclosing = info(e.function()).enclosing;
  if (!enclosing.of_one.empty() && e.operand(0).is_one()) {
    out.emplace_back(enclosing.of_one);
  } else if (!enclosing.before.empty()) {
    out.emplace_back(enclosing.before);
    out.emplace_back(e.operand(0), as_sum);
    out.emplace_back(enclosing.after);
  } else {
    out.emplace_back(info(e.function()).latex);
    put_arguments(e, out);
  }
}

// base^exponent for a number as exponent; `level` is that of the place when the exponent is 1.
void put_power(const Factor& factor, int level, Pieces& out) {
  const Rational& exponent = factor.exponent;
  if (exponent == 1) {
    out.emplace_back(factor.base, level);
  } else if (is_root(exponent)) {
    out.emplace_back(is_half(exponent) ? "\\sqrt{"
                                       : fmt::format("\\sqrt[{}]{{", denominator(exponent).str()));
    out.emplace_back(factor.base, as_sum);
    out.emplace_back("}");
  } else if (takes_power_at_name(factor.base) && is_integer(exponent) && exponent > 0) {
    out.emplace_back(fmt::format("{}^{{{}}}", info(factor.base.function()).latex, exponent_latex(exponent)));
    put_arguments(factor.base, out);
  } else {
    out.emplace_back(factor.base, as_atom);
    out.emplace_back("^{" + exponent_latex(exponent) + '}');
  }
}

bool starts_with_digit(const Factor& factor) {
  const bool is_power = factor.base.kind() == Kind::power && factor.exponent == 1;
  const Expr base = is_power ? factor.base.operand(0) : factor.base;
  return base.is_number() && binding(base) == as_atom && !is_root(factor.exponent);
}

// \mathrm{torque}, \dot{\mathrm{angle}}_1
bool is_long_name(const Factor& factor) {
  if (factor.base.kind() != Kind::symbol) return false;
  const std::string name = latex_name(factor.base.name());
  return name.find("\\mathrm") < name.find('_');
}

// Numbers, names and functions side by side; a lone factor without a number may be a sum without parentheses.
void put_factors(const std::string& number, const std::vector<Factor>& factors, int lone_level, Pieces& out) {
  const bool with_number = number != "1" || factors.empty();
  if (with_number) out.emplace_back(number);
  const bool lone = !with_number && factors.size() == 1;
  bool first = !with_number;
  bool after_long_name = false;
  for (const Factor& factor : factors) {
    const bool long_name = is_long_name(factor);
    const bool spaced = (long_name && factors.size() > 1) || after_long_name;
    if (!first) out.emplace_back(starts_with_digit(factor) ? " \\cdot " : (spaced ? " \\, " : " "));
    put_power(factor, lone ? lone_level : as_product, out);
    after_long_name = long_name;
    first = false;
  }
}

// |coefficient| * e; `level` is that of the place.
void put_product(const Rational& coefficient, Expr e, int level, Pieces& out) {
  const Fraction fraction = split_fraction(coefficient, e);
  const NumberParts number = split_number(coefficient);
  if (fraction.below.empty()) {
    put_factors(number_latex(coefficient), fraction.above, level, out);
    return;
  }
  out.emplace_back("\\frac{");
  put_factors(literal(number), fraction.above, as_sum, out);
  out.emplace_back("}{");
  put_factors(number.below.empty() ? "1" : number.below, fraction.below, as_sum, out);
  out.emplace_back("}");
}

bool starts_positive(Expr e) { return e.kind() != Kind::sum || ordered_summands(e).front().coefficient > 0; }

void put_sum(Expr e, Pieces& out) {
  bool first = true;
  for (const Summand& summand : ordered_summands(e)) {
    const bool negative = summand.coefficient < 0;
    out.emplace_back(first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    first = false;
    if (!summand.expression) {
      out.emplace_back(number_latex(summand.coefficient));
      continue;
    }
    const bool plain = !negative && starts_positive(summand.expression);
    put_product(summand.coefficient, summand.expression, plain ? as_sum : as_product, out);
  }
}

void put_symbolic_power(Expr e, Pieces& out) {
  out.emplace_back(e.operand(0), as_atom);
  out.emplace_back("^{");
  out.emplace_back(e.operand(1), as_sum);
  out.emplace_back("}");
}

void put_plain(Expr e, Pieces& out) {
  switch (e.kind()) {
    case Kind::number:
      if (e.number() < 0) out.emplace_back("-");
      out.emplace_back(number_latex(e.number()));
      return;
    case Kind::pi:
      out.emplace_back("\\pi");
      return;
    case Kind::symbol:
      out.emplace_back(latex_name(e.name()));
      return;
    case Kind::sum:
      put_sum(e, out);
      return;
    case Kind::product:
      put_product(1, e, as_product, out);
      return;
    case Kind::power:
      if (!e.operand(1).is_number()) return put_symbolic_power(e, out);
      return put_product(1, e, as_product, out);
    case Kind::function:
      put_call(e, out);
      return;
  }
}

void expand(Expr e, int level, Pieces& out) {
  const bool enclosed = binding(e) < level;
  if (enclosed) out.emplace_back("\\left(");
  put_plain(e, out);
  if (enclosed) out.emplace_back("\\right)");
}

}  // namespace

std::string to_latex(Expr e) {
  std::string text;
  if (!write_pieces({e, as_sum}, longest_printed, text, expand, append)) throw_too_long();
  return text;
}

}  // namespace dalembert
