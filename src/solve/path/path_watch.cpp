#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/solve/path_watch.hpp>

#include "events/sampled_zeros.hpp"
#include "path/path_account.hpp"
#include "path/path_samples.hpp"
#include "path/path_series.hpp"
#include "series/as_double.hpp"

namespace dalembert {
namespace {

constexpr int highest_order = 80;  // of steps whose series are looked at
// Degree 12, on halves of a step where that is not enough; 24 halvings end at 6e-8 of a step. Chosen, not
// measured.
constexpr std::size_t node_count = 13;
constexpr int deepest_half = 24;
constexpr int most_fits = 100'000;  // halvings in one step: where a function is wild all along

// Values in Chebyshev's nodes of [0, 1], x_j = (1 + cos(π (j + 1/2) / K)) / 2, as Σ a_k x^k; returns Σ |c_k|
// of Chebyshev's polynomials and the largest of the last two c_k.
struct Fit {
  std::array<double, node_count> powers{};
  double size = 0, tail = 0;
};

// T_k in node j
const auto& chebyshev_values() {
  static const auto table = [] {
    std::array<std::array<double, node_count>, node_count> values{};
    for (std::size_t k = 0; k < node_count; ++k)
      for (std::size_t j = 0; j < node_count; ++j)
        values[k][j] =
            std::cos(std::numbers::pi * static_cast<double>(k) * (static_cast<double>(j) + 0.5) / node_count);
    return values;
  }();
  return table;
}

double node(std::size_t j) { return (1 + chebyshev_values()[1][j]) / 2; }

Fit fit_of(const std::array<double, node_count>& values) {
  const auto& T = chebyshev_values();
  Fit fit;
  // T_k(2x − 1) in powers of x
  std::array<double, node_count> before{}, now{1};
  for (std::size_t k = 0; k < node_count; ++k) {
    double c = 0;
    for (std::size_t j = 0; j < node_count; ++j) c += values[j] * T[k][j];
    c *= (k == 0 ? 1.0 : 2.0) / node_count;
    fit.size += std::abs(c);
    if (k + 2 >= node_count) fit.tail = std::max(fit.tail, std::abs(c));
    for (std::size_t i = 0; i <= k; ++i) fit.powers[i] += c * now[i];
    std::array<double, node_count> next{};  // T_{k+1} = 2 (2x − 1) T_k − T_{k−1}; T_1 = 2x − 1
    const double factor = k == 0 ? 1 : 2;
    for (std::size_t i = 0; i <= k; ++i) {
      next[i] -= factor * now[i];
      if (i + 1 < node_count) next[i + 1] += 2 * factor * now[i];
    }
    for (std::size_t i = 0; i < node_count; ++i) next[i] -= k == 0 ? 0 : before[i];
    before = now;
    now = next;
  }
  return fit;
}

}  // namespace

class PathWatch::Impl {
 public:
  Impl(std::shared_ptr<const PathFunctions> functions, std::vector<Wants> wants, double tolerance)
      : functions_(std::move(functions)),
        wants_(std::move(wants)),
        tolerance_(tolerance),
        samples_(wants_),
        account_(highest_order),
        locator_(highest_order) {
    motions_.assign(1, 0);
    wants_pieces_ = std::ranges::any_of(wants_, [](const Wants& one) { return one.pieces(); });
    wants_accelerations_ =
        std::ranges::find(functions_->of_accelerations, true) != functions_->of_accelerations.end();
  }

  void begin(std::size_t motions) {
    put_ends();
    summaries_.assign(motions * functions_->size(), {});
    samples_.begin(motions);
  }
  PathSummary& summary(std::size_t motion, std::size_t function) {
    put_ends();
    return summaries_[motion * functions_->size() + function];
  }
  void follow(std::span<const std::size_t> motions) {
    put_ends();
    motions_.assign(motions.begin(), motions.end());
  }
  bool wants_accelerations() const { return wants_accelerations_; }
  PathSamples& samples() { return samples_; }

  /// Its series, for other parameters.
  template <class S>
  PathSeries<S>& other_series() {
    put_ends();
    return series<S>();
  }

  template <class S>
  PathSeries<S>& series() {
    auto& made = std::get<std::unique_ptr<PathSeries<S>>>(series_);
    if (!made) made = std::make_unique<PathSeries<S>>(*functions_, highest_order);
    return *made;
  }

  template <class S>
  void add(const PathStep<S>& step) {
    if (!wants_pieces_ && samples_.times().empty()) return keep_end(step);
    PathSeries<S>& series = this->series<S>();
    const bool has_series =
        wants_pieces_ && step.polynomials != nullptr && series.read(*step.polynomials, step.begin);
    series.eval(step.last);
    last_.resize(functions_->size() * motions_.size());
    for (std::size_t f = 0; f < functions_->size(); ++f) {
      for (std::size_t i = 0; i < motions_.size(); ++i)
        last_[f * motions_.size() + i] = lane(series.value(f), i);
    }
    for (std::size_t f = 0; f < functions_->size(); ++f) {
      for (std::size_t i = 0; i < motions_.size(); ++i) {
        if (!wants_[f].pieces()) {
          account_.add_end(summary(motions_[i], f), step.begin, step.end, last(f, i));
        } else if (!has_series || !add_series(step, f, i)) {
          add_fits(step, has_series, f, i);
        }
      }
    }
    add_samples(step);
  }

 private:
  // Where nothing but ends is wanted, that of the last step counts alone.
  template <class S>
  void keep_end(const PathStep<S>& step) {
    End<S>& end = std::get<End<S>>(ends_);
    if (!end.is_kept) end.begin = step.begin;
    end.is_kept = true;
    end.end = step.end;
    end.t = step.last.t;
    end.q.assign(step.last.q.begin(), step.last.q.end());
    end.v.assign(step.last.v.begin(), step.last.v.end());
    end.a.assign(step.last.a.begin(), step.last.a.end());
    end.lambda.assign(step.last.lambda.begin(), step.last.lambda.end());
  }
  void put_ends() {
    put_end(std::get<0>(ends_));
    put_end(std::get<1>(ends_));
    put_end(std::get<2>(ends_));
  }
  template <class End>
  void put_end(End& end) {
    if (!end.is_kept) return;
    end.is_kept = false;
    auto& series = this->series<typename End::Scalar>();
    series.eval({end.t, end.q, end.v, end.a, end.lambda});
    for (std::size_t f = 0; f < functions_->size(); ++f) {
      for (std::size_t i = 0; i < motions_.size(); ++i)
        PathAccount::add_end(summary(motions_[i], f), end.begin, end.end, lane(series.value(f), i));
    }
  }

  double last(std::size_t function, std::size_t i) const { return last_[function * motions_.size() + i]; }

  template <class S>
  void add_samples(const PathStep<S>& step) {
    const auto [first, behind] = samples_.within(step.begin, step.end);
    for (std::size_t k = first; k < behind; ++k) {
      const bool is_end = samples_.times()[k] == step.end;
      std::optional<typename Observer<S>::State> state;
      if (!is_end) state = step.at(samples_.times()[k]);
      if (!is_end && !state) continue;
      if (state) series<S>().eval(*state);
      for (std::size_t f = 0; f < functions_->size(); ++f) {
        if (!wants_[f].samples) continue;
        for (std::size_t i = 0; i < motions_.size(); ++i)
          samples_.put(motions_[i], f, k, is_end ? last(f, i) : lane(series<S>().value(f), i));
      }
    }
  }

  // False: the series does not hold over the whole step.
  template <class S>
  bool add_series(const PathStep<S>& step, std::size_t function, std::size_t i) {
    PathSeries<S>& series = this->series<S>();
    const double h = step.end - step.begin;
    c_.clear();
    for (int k = 0; k < series.terms(function); ++k) c_.push_back(lane(series.coefficient(function, k), i));
    double end = 0, size = 0;
    for (std::size_t k = c_.size(); k-- > 0;) {
      end = end * h + c_[k];
      size = size * std::abs(h) + std::abs(c_[k]);
    }
    // of forces that are differences of large terms; 2e-13 were seen in 800 steps of a slider-crank
    constexpr double rounding = 1e-12;
    constexpr double usual = 4;  // of errors at the end of a step that is taken
    const double off = std::abs(end - last(function, i));
    const double largest = std::max(size, std::abs(last(function, i)));
    if (!(off <= (usual * tolerance_ + rounding) * largest) || !has_converged(c_, size, h)) return false;
    if (!find_kinks(series, function, i, h) || !kinks_.empty()) return false;
    account_.add(summary(motions_[i], function), wants_[function], {step.begin, h, c_, last(function, i)});
    return true;
  }

  // Whether the last terms of Σ c_k τ^k are small beside all. A function may be wilder than the motion: large
  // terms that cancel agree with its value at the end, and with nothing before.
  bool has_converged(std::span<const double> c, double size, double h) const {
    // The last terms of the motion are about the tolerance, those of a function of it somewhat larger; below
    // 1e-12 are rounding errors, and 1e-7 is what is left of quantities that are asked for roughly. Chosen,
    // not measured.
    constexpr double usual = 100, tightest = 1e-12, loosest = 1e-7;
    if (c.size() < 3) return true;
    const auto degree = static_cast<double>(c.size() - 1);
    const double before = std::abs(c[c.size() - 2]) * std::pow(std::abs(h), degree - 1);
    const double tail = std::max(before, std::abs(c.back()) * std::pow(std::abs(h), degree));
    return tail <= std::clamp(usual * tolerance_, tightest, loosest) * size;
  }

  // Where along the step arguments of abs, min, ... change their sign. False: their series do not reach its
  // end.
  template <class S>
  bool find_kinks(PathSeries<S>& series, std::size_t function, std::size_t i, double h) {
    kinks_.clear();
    for (const auto& [x, y, of_accelerations] : functions_->arguments[function]) {
      argument_.clear();
      double reach = 0;
      for (int k = 0; k <= series.order() - (of_accelerations ? 1 : 0); ++k) {
        double c = x == no_register ? 0 : lane(series.coefficient_of(x, k), i);
        if (y != no_register) c -= lane(series.coefficient_of(y, k), i);
        argument_.push_back(c);
      }
      for (std::size_t k = argument_.size(); k-- > 1;) reach = (reach + std::abs(argument_[k])) * std::abs(h);
      if (!has_converged(argument_, reach + std::abs(argument_[0]), h)) return false;
      if (reach == 0 || std::abs(argument_[0]) > reach) continue;
      const bool leaves_zero = std::abs(argument_[0]) <= 1e-14 * reach;
      const int side = leaves_zero ? locator_.side_ahead(argument_, h) : (argument_[0] > 0 ? 1 : -1);
      zeros_.clear();
      if (side != 0) locator_.find_all(argument_, h, side, leaves_zero, zeros_);
      if (leaves_zero) kinks_.push_back(0);  // the series may be that of the side before
      for (const auto& zero : zeros_)
        if (!zero.touches) kinks_.push_back(zero.at / h);
    }
    std::ranges::sort(kinks_);
    return true;
  }

  // The same from values along the step.
  template <class S>
  void sample_kinks(const PathStep<S>& step, bool by_polynomials, std::size_t function, std::size_t i) {
    kinks_.clear();
    for (const PathFunctions::Argument& argument : functions_->arguments[function]) {
      const auto f = [&](double share) {
        if (!evaluate(step, by_polynomials, share)) return PathSummary::none;
        const PathSeries<S>& series = this->series<S>();
        const double x = argument.x == no_register ? 0 : lane(series.value_of(argument.x), i);
        return argument.y == no_register ? x : x - lane(series.value_of(argument.y), i);
      };
      zeros_.clear();
      sampled_.find(f, 0, 0, zeros_);
      for (const auto& zero : zeros_)
        if (!zero.touches) kinks_.push_back(zero.at);
    }
    std::ranges::sort(kinks_);
  }

  // In shares of the step, between kinks as far as they are known.
  template <class S>
  void add_fits(const PathStep<S>& step, bool has_series, std::size_t function, std::size_t i) {
    const bool by_polynomials = has_series && !functions_->of_accelerations[function];
    const double h = step.end - step.begin;
    if (!has_series || !find_kinks(this->series<S>(), function, i, h))
      sample_kinks(step, by_polynomials, function, i);
    kinks_.push_back(1);
    borders_ = kinks_;
    fits_left_ = most_fits;
    noise_ = -1;
    double from = 0;
    for (const double to : borders_) {
      if (!(to > from)) continue;
      add_fit(step, by_polynomials, {function, i, from, to});
      from = to;
    }
  }

  struct Part {
    std::size_t function, lane;
    double from, to;
    int depth = 0;
    double tail = std::numeric_limits<double>::infinity();  // of the fit to the part that this is a half of
  };

  template <class S>
  void add_fit(const PathStep<S>& step, bool by_polynomials, const Part& part) {
    std::array<double, node_count> values{};
    for (std::size_t j = 0; j < node_count; ++j)
      values[j] = value_at(step, by_polynomials, part, part.from + node(j) * (part.to - part.from));
    const Fit fit = fit_of(values);
    // beside a kink the tail falls with the length of the part; what is small and does not fall are rounding
    // errors
    constexpr double enough = 1e-13, falls = 0.7, small = 1e-6;
    const bool good =
        !std::isfinite(fit.size) || fit.tail <= std::max(enough, tolerance_) * fit.size ||
        (fit.tail > falls * part.tail && (fit.tail <= small * fit.size || fit.tail <= noise(step, part)));
    if (!good && part.depth < deepest_half && fits_left_-- > 0) {
      const double middle = part.from + (part.to - part.from) / 2;
      for (const auto& [from, to] : {std::pair{part.from, middle}, std::pair{middle, part.to}})
        add_fit(step, by_polynomials, {part.function, part.lane, from, to, part.depth + 1, fit.tail});
      return;
    }
    const double h = step.end - step.begin, length = (part.to - part.from) * h;
    c_.assign(fit.powers.begin(), fit.powers.end());
    double power = 1, end = 0;
    for (double& c : c_) {
      end += c;
      c /= power;
      power *= length;
    }
    account_.add(
        summary(motions_[part.lane], part.function), wants_[part.function],
        {step.begin + part.from * h, length, c_, part.to == 1 ? last(part.function, part.lane) : end});
  }

  // Of the function that is fitted, once in a step.
  template <class S>
  double noise(const PathStep<S>& step, const Part& part) {
    if (noise_ < 0) noise_ = this->series<S>().noise(step.last, part.function, part.lane);
    return noise_;
  }

  template <class S>
  double value_at(const PathStep<S>& step, bool by_polynomials, const Part& part, double share) {
    if (!evaluate(step, by_polynomials, share)) return PathSummary::none;
    return lane(this->series<S>().value(part.function), part.lane);
  }

  // All functions at a share of the step. False: the motion has no state there.
  template <class S>
  bool evaluate(const PathStep<S>& step, bool by_polynomials, double share) {
    using State = typename Observer<S>::State;
    const double tau = share * (step.end - step.begin);
    PathSeries<S>& series = this->series<S>();
    if (by_polynomials) {
      auto& [q, v] = std::get<Place<S>>(places_);
      q.resize(functions_->coordinates);
      v.resize(functions_->coordinates);
      step.polynomials->eval_q(in_all_lanes<S>(tau), q);
      step.polynomials->eval_v(in_all_lanes<S>(tau), v);
      series.eval_motion(in_all_lanes<S>(step.begin + tau), q, v);
      return true;
    }
    const std::optional<State> state = step.at(step.begin + tau);
    if (state) series.eval(*state);
    return state.has_value();
  }

  template <class S>
  struct Place {
    std::vector<S> q, v;
  };
  template <class S>
  struct End {
    using Scalar = S;
    bool is_kept = false;
    double begin = 0, end = 0;
    S t{};
    std::vector<S> q, v, a, lambda;
  };

  std::shared_ptr<const PathFunctions> functions_;
  std::vector<Wants> wants_;
  double tolerance_;
  bool wants_accelerations_ = false, wants_pieces_ = false;
  PathSamples samples_;
  PathAccount account_;
  SignChangeLocator<double> locator_;
  SampledZeros sampled_;
  std::vector<PathSummary> summaries_;  // [motion][function]
  std::vector<std::size_t> motions_;    // of the lanes
  std::tuple<std::unique_ptr<PathSeries<double>>, std::unique_ptr<PathSeries<Lanes<4>>>,
             std::unique_ptr<PathSeries<Lanes<8>>>>
      series_;
  std::tuple<Place<double>, Place<Lanes<4>>, Place<Lanes<8>>> places_;
  std::tuple<End<double>, End<Lanes<4>>, End<Lanes<8>>> ends_;
  int fits_left_ = 0;  // in this step
  double noise_ = -1;  // of the function that is fitted; negative: not known yet
  std::vector<double> c_, argument_, kinks_, borders_, last_;
  std::vector<SignChangeLocator<double>::Zero> zeros_;
};

PathWatch::PathWatch(std::shared_ptr<const PathFunctions> functions, std::vector<Wants> wants,
                     double tolerance)
    : impl_(std::make_unique<Impl>(std::move(functions), std::move(wants), tolerance)) {}
PathWatch::~PathWatch() = default;

void PathWatch::sample_at(std::vector<double> times) { impl_->samples().set_times(std::move(times)); }
std::span<const double> PathWatch::samples(std::size_t motion, std::size_t function) const {
  return impl_->samples().of(motion, function);
}
void PathWatch::begin(std::size_t motions) { impl_->begin(motions); }
const PathSummary& PathWatch::summary(std::size_t motion, std::size_t function) const {
  return impl_->summary(motion, function);
}
bool PathWatch::wants_accelerations() const { return impl_->wants_accelerations(); }
void PathWatch::follow(std::size_t motion) { impl_->follow({&motion, 1}); }
void PathWatch::enter(const System& system) {
  const std::array own{system.parameter_values<double>()};
  impl_->other_series<double>().enter(system, own);
}
void PathWatch::add(const PathStep<double>& step) { impl_->add(step); }
void PathWatch::follow_lanes(std::span<const std::size_t> motions) { impl_->follow(motions); }

template <class S>
void PathWatch::set_parameters(const System& system, std::span<const ParameterValues> parameters) {
  impl_->other_series<S>().enter(system, parameters);
}
template <class S>
void PathWatch::add_lanes(const PathStep<S>& step) {
  impl_->add(step);
}

template void PathWatch::set_parameters<Lanes<4>>(const System&, std::span<const ParameterValues>);
template void PathWatch::set_parameters<Lanes<8>>(const System&, std::span<const ParameterValues>);
template void PathWatch::add_lanes(const PathStep<Lanes<4>>&);
template void PathWatch::add_lanes(const PathStep<Lanes<8>>&);

}  // namespace dalembert
