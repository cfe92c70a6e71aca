// Functions of time that are given by data: polynomials between knots.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/graph.hpp>

namespace dalembert {

enum class Interpolation {
  linear,  ///< the value is continuous
  cubic,   ///< so are two derivatives; of polynomials up to the third degree exact (not-a-knot)
};

/// Polynomials of degree three at most, each from its beginning to that of the next.
class PiecewiseCubic {
 public:
  struct Piece {
    double begin;   ///< that of the first is −∞
    double origin;  ///< u(t) = Σ c_k (t − origin)^k
    std::array<double, 4> c;
  };

  PiecewiseCubic() = default;
  /// Through values at increasing times, two at least. Outside of the times it has the value of the nearest
  /// if it holds, else none.
  PiecewiseCubic(std::span<const double> times, std::span<const double> values, Interpolation interpolation,
                 bool holds);

  double first_time() const { return first_; }
  double last_time() const { return last_; }
  bool holds() const { return holds_; }
  /// Whether it has values all along, but for rounding errors of times.
  bool covers(double begin, double end) const;

  std::size_t size() const { return pieces_.size(); }
  const Piece& operator[](std::size_t i) const { return pieces_[i]; }
  /// The piece behind a time, or before it, which differ where one begins.
  std::size_t find(double t, bool before = false) const;
  /// Where the piece behind t ends, or before it begins: ±∞ where it does not.
  double next_knot(double t, bool before = false) const;

  /// The value or a derivative up to the third, at a knot that of the piece behind it.
  double eval(double t, int derivative = 0) const;

 private:
  std::vector<Piece> pieces_;
  double first_ = 0, last_ = 0;
  bool holds_ = false;
};

/// A function of time of [inputs].
struct Input {
  std::string name;
  std::array<Expr, 4> derivatives;  ///< the symbols u, u', u'', u'''
  Expr origin;                      ///< the symbols of what a piece is made of
  std::array<Expr, 4> coefficients;
  PiecewiseCubic curve;
  SourceLocation where;
};

}  // namespace dalembert
