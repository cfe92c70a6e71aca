// How steps pass configurations where constraints lose rank.
//
// The motion goes on smoothly there, but the matrix [M Cᵀ; C 0] is singular, and multipliers may have a pole.
// At a distance d from it rounding errors of the coefficient k grow like d⁻ᵏ. So nothing is expanded near it:
// as soon as the series reach, a step of as many terms as fall leaps over it, and the following ones are no
// longer than their distance from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/solve/adomian_step.hpp>

#include "as_double.hpp"
#include "singular_search.hpp"

namespace dalembert {

template <class S, int W>
class SingularPassage {
 public:
  using Step = AdomianStep<S, W>;
  using Check = typename Step::Check;

  SingularPassage(const System& system, std::span<const std::size_t> active)
      : system_(&system), active_(active) {}

  /// At the start of a step, at time t: the proposed length, shorter behind a singular configuration.
  double prepare(Step& step, double t, double proposed) {
    start_pivot_ = measure(step);
    usual_pivot_ = std::max(usual_pivot_, start_pivot_);
    return passed_ ? std::min(proposed, std::abs(t - *passed_)) : proposed;
  }
  /// After the first attempt at a step from time t: whether a singular configuration was found ahead.
  bool look(Step& step, Check check, double t, double wanted) {
    if (ahead_) return false;
    search(step, check, t, wanted);
    return ahead_.has_value();
  }
  bool is_ahead() const { return ahead_.has_value(); }
  /// Near enough for a step of length h to feel it.
  bool is_near(double t, double h) const {
    constexpr double lengths = 3;
    return ahead_ || (passed_ && std::abs(t - *passed_) < lengths * h);
  }
  bool is_too_near() const { return ahead_ && start_pivot_ < smallest * usual_pivot_; }
  /// A step that comes nearer without coming near.
  double limit(double t, double wanted) const { return std::min(wanted, std::abs(*ahead_ - t) / 2); }
  /// Over the singular configuration, by a part of the distance: rounding errors grow with its powers.
  double leap(double t) const { return (1 + landing) * (*ahead_ - t); }

  /// The time of the singular configuration that a step from `from` to `to` passed, if any.
  std::optional<double> finish(double from, double to) {
    if (!ahead_ || (*ahead_ - from) * (*ahead_ - to) > 0) return std::nullopt;
    passed_ = ahead_;
    ahead_.reset();
    return passed_;
  }

 private:
  static constexpr double small = 0.2;  // a pivot, beside the usual one
  static constexpr double smallest = 1e-8;
  static constexpr double landing = 0.125;  // behind a singular configuration, beside the distance before it

  // How far the matrix at the present state is from being singular, to be compared with other states. The
  // pivots of sparse factors tell little; there one step of the iteration of SingularSearch goes on from the
  // last.
  double measure(Step& step) {
    if (!step.is_sparse()) return step.smallest_pivot();
    const std::size_t n = system_->n();
    if (rhs_.empty()) rhs_.assign(n + active_.size(), S(1));
    std::fill_n(rhs_.begin(), n, S(0));
    double before = 0;
    double after = 0;
    for (std::size_t i = n; i < rhs_.size(); ++i) before = std::max(before, std::abs(as_double(rhs_[i])));
    for (std::size_t i = n; i < rhs_.size(); ++i) rhs_[i] /= before;
    step.solve(rhs_);
    for (std::size_t i = n; i < rhs_.size(); ++i) after = std::max(after, std::abs(as_double(rhs_[i])));
    return 1 / after;
  }

  // Only where the smallest pivot is far below its usual size, and again only where it is halved.
  void search(Step& step, Check check, double t, double wanted) {
    constexpr double reach = 2;  // of the step: the next one needs no search of its own
    const double pivot = std::min(start_pivot_, check == Check::singular ? 0 : measure(step));
    if (pivot > small * usual_pivot_) searched_pivot_ = std::numeric_limits<double>::infinity();
    const bool failed = check != Check::good && pivot < usual_pivot_ / 2;
    if (!failed && !(pivot < std::min(small * usual_pivot_, searched_pivot_ / 2))) return;
    searched_pivot_ = pivot;
    if (!search_) search_.emplace(*system_, active_);
    if (const auto tau = search_->find(step.polynomials(), reach * wanted)) ahead_ = t + *tau;
  }

  const System* system_;
  std::span<const std::size_t> active_;
  std::optional<SingularSearch<S, W>> search_;  // made when it is needed first
  std::vector<S> rhs_;
  double start_pivot_ = 0;
  double usual_pivot_ = 0;
  double searched_pivot_ = std::numeric_limits<double>::infinity();
  std::optional<double> ahead_, passed_;  // times of singular configurations
};

}  // namespace dalembert
