// Random expressions of every operation whose values stay of moderate size.
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tape/expansion.hpp"

namespace dalembert {

/// Grows a pool of expressions of positions, velocities, accelerations and parameters.
class RandomPrograms {
 public:
  RandomPrograms(Graph& graph, unsigned seed) : graph_(graph), random_(seed) {
    const auto add = [&](const char* name, Stage stage) {
      inputs.push_back({graph.symbol(name), stage});
      pool_.push_back(inputs.back().symbol);
    };
    for (const char* name : {"q1", "q2", "q3"}) add(name, Stage::position);
    for (const char* name : {"v1", "v2"}) add(name, Stage::velocity);
    add("a1", Stage::acceleration);
    for (const char* name : {"p1", "p2"}) add(name, Stage::constant);
  }

  std::vector<ProgramInput> inputs;

  /// New expressions, each of the last ones or of the inputs.
  std::vector<Expr> outputs(std::size_t count) {
    for (std::size_t i = 0; i < 3 * count; ++i) pool_.push_back(make());
    return {pool_.end() - static_cast<std::ptrdiff_t>(count), pool_.end()};
  }

  /// A value between −1 and 1, in hundredths.
  Rational small_number() { return fraction(static_cast<long>(below(201)) - 100, 100); }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  Expr pick() { return pool_[below(pool_.size())]; }
  Expr positive() { return 1 + pow(pick(), 2); }

  Expr make() {
    switch (below(8)) {
      case 0:
      case 1: {
        std::vector<Term> terms;
        for (std::size_t n = 2 + below(5); n > 0; --n)
          terms.push_back({fraction(static_cast<long>(below(9)) - 4, 8), pick()});
        return graph_.sum(terms, fraction(static_cast<long>(below(5)), 4));
      }
      case 2:
      case 3: {
        std::vector<Expr> factors;
        for (std::size_t n = 2 + below(3); n > 0; --n) factors.push_back(tamed(pick()));
        return graph_.product(factors);
      }
      case 4:
        return tamed(pick()) / positive();
      case 5: {
        const std::array<Rational, 8> exponents{fraction(1, 2),  fraction(3, 2), fraction(-1, 2),
                                                fraction(-3, 2), fraction(1, 3), fraction(-2, 3),
                                                Rational(-2),    Rational(-1)};
        return graph_.power(1 + pow(tamed(pick()), 2), exponents[below(exponents.size())]);
      }
      case 6:
        return pow(tamed(pick()), static_cast<long>(2 + below(4)));
      default:
        return function();
    }
  }

  // Bounded by 1, so that products and powers do not run away.
  Expr tamed(Expr e) { return e.kind() == Kind::symbol ? e : below(2) == 0 ? sin(e) : tanh(e); }

  Expr function() {
    const Expr x = tamed(pick());
    const Expr y = tamed(pick());
    switch (below(17)) {
      case 0:
        return sin(pick());
      case 1:
        return cos(pick());
      case 2:
        return tan(x);
      case 3:
        return sinh(x);
      case 4:
        return cosh(x);
      case 5:
        return tanh(pick());
      case 6:
        return exp(x);
      case 7:
        return log(1 + pow(x, 2));
      case 8:
        return asin(x / 2);
      case 9:
        return acos(x / 2);
      case 10:
        return atan(pick());
      case 11:
        return atan2(x, 2 + y);
      case 12:
        return pow(2 + x, y);
      case 13:
        return pow(2 + x, graph_.symbol("p1"));
      case 14:
        return erf(pick());
      case 15:
        return sign(x) * min(x, 1 + pow(y, 2));
      default:
        return abs(x) + max(x, 1 + pow(y, 2));
    }
  }

  Graph& graph_;
  std::mt19937 random_;
  std::vector<Expr> pool_;
};

}  // namespace dalembert
