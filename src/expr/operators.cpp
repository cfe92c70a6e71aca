#include <array>

#include <dalembert/expr/graph.hpp>

namespace dalembert {
namespace {

Expr combine(const Rational& ca, Expr a, const Rational& cb, Expr b) {
  const std::array<Term, 2> terms{Term{ca, a}, Term{cb, b}};
  return a.graph().sum(terms);
}

Expr call(Function function, Expr x) { return x.graph().call(function, std::array<Expr, 1>{x}); }
Expr call(Function function, Expr x, Expr y) { return x.graph().call(function, std::array<Expr, 2>{x, y}); }

}  // namespace

Expr operator+(Expr a, Expr b) { return combine(1, a, 1, b); }
Expr operator-(Expr a, Expr b) { return combine(1, a, -1, b); }
Expr operator*(Expr a, Expr b) { return a.graph().product(std::array<Expr, 2>{a, b}); }
Expr operator/(Expr a, Expr b) { return a * a.graph().power(b, Rational(-1)); }
Expr operator-(Expr a) { return Rational(-1) * a; }
Expr operator*(const Rational& a, Expr b) { return b.graph().sum(std::array<Term, 1>{Term{a, b}}); }

Expr pow(Expr base, Expr exponent) { return base.graph().power(base, exponent); }
Expr pow(Expr base, long exponent) { return base.graph().power(base, Rational(exponent)); }
Expr sqrt(Expr x) { return x.graph().power(x, Rational(1, 2)); }
Expr sin(Expr x) { return call(Function::sin, x); }
Expr cos(Expr x) { return call(Function::cos, x); }
Expr tan(Expr x) { return call(Function::tan, x); }
Expr asin(Expr x) { return call(Function::asin, x); }
Expr acos(Expr x) { return call(Function::acos, x); }
Expr atan(Expr x) { return call(Function::atan, x); }
Expr atan2(Expr y, Expr x) { return call(Function::atan2, y, x); }
Expr sinh(Expr x) { return call(Function::sinh, x); }
Expr cosh(Expr x) { return call(Function::cosh, x); }
Expr tanh(Expr x) { return call(Function::tanh, x); }
Expr exp(Expr x) { return call(Function::exp, x); }
Expr log(Expr x) { return call(Function::log, x); }
Expr abs(Expr x) { return call(Function::abs, x); }
Expr sign(Expr x) { return call(Function::sign, x); }
Expr min(Expr x, Expr y) { return call(Function::min, x, y); }
Expr max(Expr x, Expr y) { return call(Function::max, x, y); }

}  // namespace dalembert
