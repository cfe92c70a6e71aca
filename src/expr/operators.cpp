#include <array>

#include <dalembert/expr/graph.hpp>

namespace dalembert {
namespace {

// The one that continues the other's.
Graph& of_both(Expr a, Expr b) { return b.graph().continues(a.graph()) ? b.graph() : a.graph(); }

Expr combine(const Rational& ca, Expr a, const Rational& cb, Expr b) {
  const std::array<Term, 2> terms{Term{ca, a}, Term{cb, b}};
  return of_both(a, b).sum(terms);
}

Expr call(Function function, Expr x) { return x.graph().call(function, std::array<Expr, 1>{x}); }
Expr call(Function function, Expr x, Expr y) {
  return of_both(x, y).call(function, std::array<Expr, 2>{x, y});
}

}  // namespace

Expr operator+(Expr a, Expr b) { return combine(1, a, 1, b); }
Expr operator-(Expr a, Expr b) { return combine(1, a, -1, b); }
Expr operator*(Expr a, Expr b) { return of_both(a, b).product(std::array<Expr, 2>{a, b}); }
Expr operator/(Expr a, Expr b) { return a * a.graph().power(b, Rational(-1)); }
Expr operator-(Expr a) { return Rational(-1) * a; }
Expr operator*(const Rational& a, Expr b) { return b.graph().sum(std::array<Term, 1>{Term{a, b}}); }

Expr pow(Expr base, Expr exponent) { return of_both(base, exponent).power(base, exponent); }
Expr pow(Expr base, long exponent) { return base.graph().power(base, Rational(exponent)); }
Expr sqrt(Expr x) { return x.graph().power(x, Rational(1, 2)); }
#define DALEMBERT_OF_ONE(name, Unit) \
  Expr name(Expr x) { return call(Function::name, x); }
#define DALEMBERT_OF_TWO(name, Unit) \
  Expr name(Expr x, Expr y) { return call(Function::name, x, y); }
DALEMBERT_FUNCTIONS(DALEMBERT_OF_ONE, DALEMBERT_OF_TWO)
#undef DALEMBERT_OF_ONE
#undef DALEMBERT_OF_TWO

}  // namespace dalembert
