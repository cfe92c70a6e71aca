// What the two printers share: the order of terms and factors, fractions, numbers, and the writing loop.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

/// base^exponent.
struct Factor {
  Expr base;
  Rational exponent = 1;
};

/// coefficient * above / below; the exponents below are positive.
struct Fraction {
  Rational coefficient;
  std::vector<Factor> above;
  std::vector<Factor> below;
};

/// Factors are sorted for reading: numbers and pi, names, velocities, sums, roots, functions.
Fraction split_fraction(const Rational& coefficient, Expr e);

/// A term of a sum; the constant has an empty expression.
struct Summand {
  Rational coefficient;
  Expr expression;
};

/// The terms of a sum for reading: positive ones first if the first would be negative, the constant last
/// unless it is the only positive part.
std::vector<Summand> ordered_summands(Expr sum);

bool is_half(const Rational& value);

/// One product c*e written as a sum.
bool is_scaled_term(Expr e);

/// A number ±above/below; below is empty for an integer or a decimal literal, which may have a power of ten.
struct NumberParts {
  std::string above;
  std::string below;
  long ten_exponent = 0;
};

/// The parts of |value|: 9.81 and 6.674e-11 as decimals, 1/2, 3/4 and 1/3 as fractions.
NumberParts split_number(const Rational& value);

/// Something to be written: literal text, or an expression that gets parentheses where it binds weaker than
/// `level`.
struct Piece {
  std::string text;
  Expr expression;
  int level = 0;

  Piece(std::string_view literal) : text(literal) {}
  Piece(Expr e, int binding) : expression(e), level(binding) {}
};

/// Writes pieces from left to right without recursion. `expand(expression, level, pieces)` replaces an
/// expression by pieces, `append(out, text)` adds literal text. Returns false, with what was written, beyond
/// `longest` characters.
template <class Expand, class Append>
bool write_pieces(Piece root, std::size_t longest, std::string& out, const Expand& expand,
                  const Append& append) {
  std::vector<Piece> pending{std::move(root)};
  std::vector<Piece> pieces;
  while (!pending.empty()) {
    const Piece piece = std::move(pending.back());
    pending.pop_back();
    if (piece.expression) {
      pieces.clear();
      expand(piece.expression, piece.level, pieces);
      while (!pieces.empty()) {
        pending.push_back(std::move(pieces.back()));
        pieces.pop_back();
      }
    } else {
      append(out, piece.text);
      if (out.size() > longest) return false;
    }
  }
  return true;
}

/// The error for an expression that is too long to be written out.
[[noreturn]] void throw_too_long();

}  // namespace dalembert
