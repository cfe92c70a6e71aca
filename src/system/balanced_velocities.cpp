#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/lanes.hpp>
#include <dalembert/linalg/dense_lu.hpp>
#include <dalembert/system/balanced_velocities.hpp>

namespace dalembert {
namespace {

template <class S>
class VelocityBalance {
 public:
  VelocityBalance(const System& system, const S& t, std::span<const S> q, std::span<S> v)
      : system_(system),
        balance_(system.determined_velocities()),
        v_(v),
        values_(system.parameter_values<S>()),
        matrix_(balance_.coordinates.size()),
        graph_(system.equations().own) {
    const Equations& e = system.equations();
    values_[e.t.id()] = t;
    for (std::size_t i = 0; i < e.n(); ++i) values_[e.q[i].id()] = q[i];
    std::vector<Expr> unknowns;
    for (const std::size_t i : balance_.coordinates) unknowns.push_back(e.v[i]);
    const SymbolIndex index(unknowns);
    for (const Expr& force : balance_.forces) slopes_.push_back(gradient(graph_.at(force.id()), index));
  }

  // Until rounding errors stop it.
  bool solve() {
    // steps that change less than the one before, until rounding errors stop them; chosen, not measured
    constexpr int most_iterations = 60;
    constexpr double small =
        1e-10;  // beside the largest velocity on the way; then the next is below round-off
    double before = INFINITY;
    double scale = 0;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      const double change = correct();
      if (!std::isfinite(change)) return false;
      for (const std::size_t i : balance_.coordinates) scale = std::max(scale, LaneMath<S>::size(v_[i]));
      scale = std::max(scale, change);
      if (change == 0) return true;
      if (change <= small * scale && change >= before / 2) return true;
      before = change;
    }
    return false;
  }

 private:
  // The size of the correction.
  double correct() {
    const Equations& e = system_.equations();
    for (std::size_t i = 0; i < e.n(); ++i) values_[e.v[i].id()] = v_[i];
    std::vector<S> x;
    std::fill(matrix_.entries().begin(), matrix_.entries().end(), S(0));
    for (std::size_t row = 0; row < slopes_.size(); ++row) {
      x.push_back(evaluate<S>(balance_.forces[row], values_));
      for (const auto& [column, slope] : slopes_[row])
        matrix_.entry(row, column) = evaluate<S>(slope, values_);
    }
    if (!matrix_.factor(1e-14)) return INFINITY;
    matrix_.solve(x);
    double largest = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      v_[balance_.coordinates[k]] -= x[k];
      largest = std::max(largest, LaneMath<S>::size(x[k]));
    }
    return largest;
  }

  const System& system_;
  const DeterminedVelocities& balance_;
  std::span<S> v_;
  std::unordered_map<NodeId, S> values_;
  std::vector<std::vector<std::pair<std::uint32_t, Expr>>> slopes_;  // ∂f/∂v, of the determined ones
  DenseLu<S, LaneMath<S>> matrix_;
  Graph graph_;
};

}  // namespace

template <class S>
bool balance_velocities(const System& system, const S& t, std::span<const S> q, std::span<S> v) {
  return system.determined_velocities().empty() || VelocityBalance<S>(system, t, q, v).solve();
}

template bool balance_velocities(const System&, const double&, std::span<const double>, std::span<double>);
template bool balance_velocities(const System&, const Real&, std::span<const Real>, std::span<Real>);

}  // namespace dalembert
