#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/dense_output.hpp>
#include <dalembert/solve/observer.hpp>

#include "least_multipliers.hpp"

namespace dalembert {

class DenseOutput::Impl {
 public:
  explicit Impl(const System& system)
      : system_(&system), observer_(system, 1), q_(system.n()), v_(system.n()) {}

  void begin(const std::vector<std::size_t>& active, bool project) {
    pieces_.clear();
    coefficients_.clear();
    StepSettings settings{};
    settings.log_tolerance = 0;
    settings.max_order = 4;
    settings.project = project;
    sampler_.emplace(*system_, active, settings);
    multipliers_.emplace(*system_, active);
  }

  // v is the derivative of q, so the coefficients of q are enough.
  void append(const StepPolynomials<double>& step, double time, double time_lost) {
    pieces_.push_back({time, time_lost, step.h, step.order + 1, coefficients_.size()});
    for (int k = 0; k <= step.order + 1; ++k) {
      coefficients_.insert(coefficients_.end(), step.q(k), step.q(k) + system_->n());
    }
  }

  std::size_t size() const { return pieces_.size(); }
  double start() const { return pieces_.front().t0; }
  double end() const {
    const Piece& last = pieces_.back();
    return last.t0 + (last.lost + last.h);
  }

  State at(double t) {
    if (pieces_.empty()) throw Error("the dense output is empty: no run has filled it");
    const double direction = end() < start() ? -1 : 1;
    if (!(direction * (t - start()) >= 0 && direction * (end() - t) >= 0)) {
      throw Error(fmt::format("the time {} is outside the run from {} to {}", t, start(), end()));
    }
    const auto is_later = [&](double time, const Piece& piece) { return direction * (time - piece.t0) < 0; };
    const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), t, is_later);
    eval(*std::prev(next), t);
    if (!sampler_->set_state(t, q_, v_, 1))
      throw Error(fmt::format("the equations are singular at t = {}", t));
    return state();
  }

 private:
  struct Piece {
    double t0, lost, h;
    int degree;         // of q
    std::size_t first;  // of its coefficients
  };

  void eval(const Piece& piece, double t) {
    const double tau = (t - piece.t0) - piece.lost;
    const std::size_t n = system_->n();
    std::fill(q_.begin(), q_.end(), 0.0);
    std::fill(v_.begin(), v_.end(), 0.0);
    for (int k = piece.degree; k >= 0; --k) {
      const double* c = coefficients_.data() + piece.first + static_cast<std::size_t>(k) * n;
      for (std::size_t i = 0; i < n; ++i) {
        q_[i] = q_[i] * tau + c[i];
        if (k > 0) v_[i] = v_[i] * tau + k * c[i];
      }
    }
  }

  State state() {
    const auto copy = [](std::span<const double> x) { return std::vector<double>(x.begin(), x.end()); };
    const std::span<const double> lambda =
        multipliers_->eval(sampler_->t(), sampler_->q(), sampler_->lambda());
    observer_.eval({sampler_->t(), sampler_->q(), sampler_->v(), sampler_->a(), lambda});
    return {sampler_->t(),       copy(sampler_->q()), copy(sampler_->v()),
            copy(sampler_->a()), copy(lambda),        observer_.outputs};
  }

  const System* system_;
  std::vector<Piece> pieces_;
  std::vector<double> coefficients_;  // [piece][degree][coordinate]
  std::optional<AdomianStep<double, native_lanes>> sampler_;
  std::optional<LeastMultipliers<double, native_lanes>> multipliers_;
  Observer<double, native_lanes> observer_;
  std::vector<double> q_, v_;
};

DenseOutput::DenseOutput(const System& system) : impl_(std::make_unique<Impl>(system)) {}
DenseOutput::~DenseOutput() = default;
DenseOutput::DenseOutput(DenseOutput&&) noexcept = default;
DenseOutput& DenseOutput::operator=(DenseOutput&&) noexcept = default;

bool DenseOutput::empty() const { return impl_->size() == 0; }
std::size_t DenseOutput::steps() const { return impl_->size(); }
double DenseOutput::start() const { return impl_->start(); }
double DenseOutput::end() const { return impl_->end(); }
DenseOutput::State DenseOutput::at(double t) { return impl_->at(t); }
void DenseOutput::begin(const std::vector<std::size_t>& active, bool project) {
  impl_->begin(active, project);
}
void DenseOutput::append(const StepPolynomials<double>& step, double time, double time_lost) {
  impl_->append(step, time, time_lost);
}

}  // namespace dalembert
