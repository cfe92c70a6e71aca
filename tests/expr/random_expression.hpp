// Random expressions over all kinds of nodes, for tests of laws.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/expr/scalar.hpp>

namespace dalembert {

/// A pool of expressions that grows from symbols and numbers by random operations on its members.
class RandomExpressions {
 public:
  RandomExpressions(Graph& graph, unsigned seed) : graph_(graph), random_(seed) {
    for (const char* name : names) pool_.push_back(graph.symbol(name));
    pool_.push_back(graph.pi());
    for (const char* text : {"2", "-1", "0.1", "9.81", "-1e-7", "3e40"}) {
      const std::string word = text;
      const bool negative = word[0] == '-';
      const Rational value = parse_decimal(negative ? word.substr(1) : word).value();
      pool_.push_back(graph.number(negative ? Rational(-value) : value));
    }
    pool_.push_back(graph.number(Rational(Integer(-2), Integer(3))));
  }

  /// A new expression of at most a few hundred nodes; it joins the pool.
  Expr next() {
    while (true) {
      try {
        const Expr e = make();
        if (reachable(e).size() > 300) continue;
        if (pool_.size() < 400) {
          pool_.push_back(e);
        } else {
          pool_[20 + below(380)] = e;
        }
        return e;
      } catch (const Error&) {  // division by zero, a number too long
      }
    }
  }

  /// A value between 0 and 2 for each symbol.
  template <class S>
  std::unordered_map<NodeId, S> values() const {
    std::unordered_map<NodeId, S> result;
    long place = 3;
    for (const char* name : names) {
      result[graph_.symbol(name).id()] = ScalarMath<S>::from(Rational(place, 10));
      place += 2;
    }
    return result;
  }

 private:
  static constexpr const char* names[] = {"x", "y", "m1", "l_12", "theta'", "theta''", "lambda(pin)", "t"};

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  Expr pick() { return pool_[below(pool_.size())]; }
  Rational coefficient() {
    const auto above = static_cast<long>(below(13)) - 6;
    const long belows[] = {1, 1, 1, 2, 3, 100, 128};
    return Rational(Integer(above), Integer(belows[below(7)]));
  }

  Expr make() {
    switch (below(6)) {
      case 0: {
        std::vector<Term> terms;
        for (std::size_t n = 1 + below(8); n > 0; --n) terms.push_back({coefficient(), pick()});
        return graph_.sum(terms, below(2) == 0 ? Rational(0) : coefficient());
      }
      case 1: {
        std::vector<Expr> factors;
        for (std::size_t n = 1 + below(below(10) == 0 ? 40 : 5); n > 0; --n) {
          factors.push_back(below(2) == 0 ? pick() : graph_.power(pick(), Rational(-1)));
        }
        return graph_.product(factors);
      }
      case 2:
        return graph_.power(pick(), coefficient());
      case 3:
        return graph_.power(pick(), below(4) == 0 ? pick() : graph_.number(static_cast<long>(below(9)) - 4));
      case 4:
        return sqrt(pick());
      default:
        break;
    }
    const auto function = static_cast<Function>(below(function_count));
    std::vector<Expr> arguments;
    for (int i = 0; i < info(function).arity; ++i) arguments.push_back(pick());
    return graph_.call(function, arguments);
  }

  Graph& graph_;
  std::mt19937 random_;
  std::vector<Expr> pool_;
};

}  // namespace dalembert
