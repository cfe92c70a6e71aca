#include "large_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/sparse_lu.hpp>
#include <dalembert/system/kkt/saddle_pattern.hpp>
#include <dalembert/system/value_tape.hpp>

#include "eigen_vector.hpp"
#include "residuals.hpp"
#include "start_moves.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// M, f, C, c, g, γ at a state as sparse values, and the factor of [W Cᵀ; C 0].
class LargeState {
  auto value() const {
    return [this](const Scaled& x) { return tape_.value(x); };
  }

 public:
  explicit LargeState(const System& system)
      : system_(system),
        program_(system.state()),
        tape_(system, program_.program),
        pattern_(system, program_, all_constraints(system)),
        matrix_(pattern_.size(), places(pattern_)) {}

  void eval(double t, const VectorXd& q, const VectorXd& v) {
    tape_.set(System::input_t(), t);
    tape_.set(system_.input_q(0), {q.data(), system_.n()});
    tape_.set(system_.input_v(0), {v.data(), system_.n()});
    tape_.run();
  }

  VectorXd g() const { return values(program_.g); }
  VectorXd f() const { return values(program_.f); }
  VectorXd gamma() const { return values(program_.gamma); }
  VectorXd velocity_residual(const VectorXd& v) const {
    VectorXd sum = values(program_.c);
    add_constraint_product(pattern_, value(), as_span(v), as_span(sum));
    return sum;
  }
  /// Σ |C_ij| size_j
  VectorXd absolute_product(const VectorXd& size) const {
    VectorXd sum = VectorXd::Zero(static_cast<Index>(system_.m()));
    const auto absolute_value = [this](const Scaled& x) { return std::abs(tape_.value(x)); };
    add_constraint_product(pattern_, absolute_value, as_span(size), as_span(sum));
    return sum;
  }

  /// W is M in the given weights; a coordinate of weight 0 does not move. Rows from `rows` on are left out,
  /// and those that nothing can move.
  bool factor(const VectorXd& weight, std::size_t rows) {
    VectorXd unknown = VectorXd::Zero(static_cast<Index>(pattern_.size()));  // its weight; 0: stays zero
    unknown.head(weight.size()) = weight;
    for (const MatrixEntry& entry : pattern_.C()) {
      if (entry.row < rows && weight[entry.column] != 0) unknown[weight.size() + entry.row] = 1;
    }
    const auto n = static_cast<std::uint32_t>(system_.n());
    std::size_t k = 0;
    for (const double w : unknown) matrix_.set(k++, w == 0 ? 1 : 0);
    pattern_.for_each([&](std::uint32_t row, std::uint32_t column, const Scaled& value) {
      const bool is_inertia = row < n && column < n;
      const bool is_there = unknown[row] != 0 && unknown[column] != 0;
      const double factor = is_inertia ? pair_weight(unknown[row], unknown[column]) : 1;
      const double entry = is_there ? factor * tape_.value(value) : 0;
      if (row != column) {
        matrix_.set(k++, entry);
      } else if (is_there) {
        matrix_.set(row, entry);
      }
    });
    return matrix_.factor(policy::nearly_singular);
  }
  double smallest_pivot() const { return matrix_.smallest_pivot(); }

  VectorXd solve(const VectorXd& upper, const VectorXd& lower) {
    VectorXd x = VectorXd::Zero(static_cast<Index>(system_.n() + system_.m()));
    x.head(upper.size()) = upper;
    x.segment(static_cast<Index>(system_.n()), lower.size()) = lower;
    matrix_.solve({x.data(), static_cast<std::size_t>(x.size())});
    return x;
  }
  /// [M Cᵀ; C 0] x
  VectorXd product(const VectorXd& x) const {
    VectorXd sum = VectorXd::Zero(x.size());
    pattern_.for_each([&](std::uint32_t row, std::uint32_t column, const Scaled& value) {
      sum[row] += tape_.value(value) * x[column];
    });
    return sum;
  }

 private:
  static std::vector<std::size_t> all_constraints(const System& system) {
    std::vector<std::size_t> all(system.m());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  // With the whole diagonal, first.
  static std::vector<MatrixPlace> places(const SaddlePattern& pattern) {
    std::vector<MatrixPlace> result;
    for (std::uint32_t i = 0; i < pattern.size(); ++i) result.push_back({i, i});
    for (const MatrixPlace& place : pattern.places()) {
      if (place.row != place.column) result.push_back(place);
    }
    return result;
  }
  static std::span<const double> as_span(const VectorXd& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }
  static std::span<double> as_span(VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

  VectorXd values(const std::vector<Scaled>& outputs) const {
    VectorXd result(static_cast<Index>(outputs.size()));
    for (std::size_t i = 0; i < outputs.size(); ++i) result[static_cast<Index>(i)] = tape_.value(outputs[i]);
    return result;
  }

  const System& system_;
  const StateProgram& program_;
  ValueTape tape_;
  SaddlePattern pattern_;
  SparseLu matrix_;
};

bool within(const VectorXd& residual, double factor, const VectorXd& bounds) {
  return (residual.cwiseAbs().array() <= factor * bounds.array()).all();
}

class LargeStart {
 public:
  LargeStart(const System& system, double t)
      : system_(system),
        t_(t),
        round_off_(system, t),
        state_(system),
        no_velocity_(VectorXd::Zero(static_cast<Index>(system.n()))) {}

  std::optional<Start> find() {
    Start start;
    start.t = t_;
    q_ = to_eigen(system_.given_positions<double>());
    v_ = to_eigen(system_.given_velocities<double>());
    if (!place_positions(start) || !place_velocities(start) || !solve_accelerations(start))
      return std::nullopt;
    start.q = to_vector(q_);
    start.v = to_vector(v_);
    return start;
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon();

  // As PositionSearch::allowed_residual.
  VectorXd allowed(const VectorXd& q, const VectorXd& size) const {
    return round_off_.position_bounds(q) +
           epsilon * state_.absolute_product(size).head(static_cast<Index>(system_.holonomic()));
  }

  bool place_positions(Start& start) {
    const VectorXd wish = q_;
    state_.eval(t_, q_, no_velocity_);
    start.g_given = to_vector(state_.g());
    if (!state_.g().allFinite()) return false;
    if (within(state_.g(), start_enough, allowed(q_, round_off_.sizes(wish)))) return true;
    for (const Moves moves : {Moves::guesses, Moves::all}) {
      q_ = wish;
      if (newton(start_weights(system_, moves, &Coordinate::guess), wish, start.iterations)) {
        note_changes(system_, wish, q_, "", start);
        return true;
      }
    }
    return false;
  }

  bool newton(const VectorXd& weight, const VectorXd& wish, int& iterations) {
    // as in position_search.cpp
    constexpr double best = 0.5;
    VectorXd size_on_the_way = round_off_.sizes(wish);
    // Newton's method without damping: it converges in a few, or not
    constexpr int most_iterations = 20;
    for (int i = 0; i < most_iterations; ++i) {
      state_.eval(t_, q_, no_velocity_);
      const VectorXd g = state_.g();
      if (!g.allFinite()) return false;
      size_on_the_way = size_on_the_way.cwiseMax(round_off_.sizes(q_));
      const VectorXd bounds = allowed(q_, size_on_the_way);
      if (within(g, best, bounds)) return true;
      if (!state_.factor(weight, system_.holonomic())) return false;
      const VectorXd step = state_.solve({}, -g).head(q_.size()).cwiseProduct(weight.cwiseSign());
      if (within(g, start_enough, bounds) && within(step, epsilon, q_.cwiseAbs())) return true;
      q_ += step;
      ++iterations;
    }
    return false;
  }

  bool place_velocities(Start& start) {
    const VectorXd wish = v_;
    state_.eval(t_, q_, v_);
    start.g = to_vector(state_.g());
    start.velocity_given = to_vector(state_.velocity_residual(v_));
    bool consistent = velocities_fit(v_, start_enough);
    for (const Moves moves : {Moves::guesses, Moves::all}) {
      if (!consistent) {
        v_ = wish;
        consistent = correct_velocities(start_weights(system_, moves, &Coordinate::guess_velocity), wish);
      }
    }
    if (!consistent) return false;
    note_changes(system_, wish, v_, "'", start);
    start.velocity = to_vector(state_.velocity_residual(v_));
    return true;
  }

  bool velocities_fit(const VectorXd& size, double factor) const {
    return within(state_.velocity_residual(v_), factor, round_off_.velocity_bounds(q_, size));
  }
  bool correct_velocities(const VectorXd& weight, const VectorXd& wish) {
    // as in start.cpp
    constexpr int refinements = 4;
    if (!state_.factor(weight, system_.m())) return false;
    for (int i = 0; i < refinements && !velocities_fit(v_, start_enough); ++i) {
      v_ += state_.solve({}, -state_.velocity_residual(v_)).head(v_.size()).cwiseProduct(weight.cwiseSign());
    }
    // the right velocities may be zero: round-off counts at the size on the way
    return velocities_fit(v_.cwiseAbs().cwiseMax(wish.cwiseAbs()), start_enough);
  }

  bool solve_accelerations(Start& start) {
    state_.eval(t_, q_, v_);
    VectorXd rhs(static_cast<Index>(system_.n() + system_.m()));
    rhs << state_.f(), state_.gamma();
    if (!rhs.allFinite() || !state_.factor(VectorXd::Ones(q_.size()), system_.m())) return false;
    const auto n = q_.size();
    VectorXd x = state_.solve(rhs.head(n), rhs.tail(rhs.size() - n));
    const VectorXd rest = rhs - state_.product(x);  // one refinement
    x += state_.solve(rest.head(n), rest.tail(rest.size() - n));
    start.a = to_vector(x.head(n));
    start.lambda = to_vector(x.tail(x.size() - n));
    return true;
  }

  const System& system_;
  double t_;
  RoundOff round_off_;
  LargeState state_;
  VectorXd q_, v_, no_velocity_;
};

}  // namespace

bool is_large(const System& system) { return system.n() + system.m() >= policy::large_system; }

std::optional<Start> find_large_start(const System& system, double t) { return LargeStart(system, t).find(); }

std::optional<Structure> analyse_large_structure(const System& system, const Start& start) {
  LargeState state(system);
  const VectorXd q = to_eigen(start.q);
  state.eval(start.t, q, to_eigen(start.v));
  if (!state.factor(VectorXd::Ones(q.size()), system.m())) return std::nullopt;
  Structure structure;
  structure.rank = system.m();
  structure.position_rank = system.holonomic();
  structure.smallest_pivot = state.smallest_pivot();
  structure.degrees_of_freedom = system.n() - system.m();
  structure.configuration_freedom = system.n() - system.holonomic();
  structure.index = system.holonomic() > 0 ? 3 : system.m() > 0 ? 2 : 0;
  return structure;
}

}  // namespace dalembert
