#pragma once
// The explicit method of Dormand and Prince of order 8(5,3) with the step control of Hairer's program DOP853,
// for states of fixed size; nothing is allocated.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "dop853_table.hpp"

namespace dalembert::bench {

template <std::size_t N>
struct Dop853Options {
  double relative_tolerance = 1e-9;
  std::array<double, N> absolute_tolerance{};
  double first_step = 0;  // 0: chosen by the rule of DOP853's HINIT
  double safety = 0.9;
  double shrink_limit = 0.333, growth_limit = 6;
  double beta = 0;  // of the PI controller; DOP853's own default
  int max_steps = 1000000;
};

struct Dop853Report {
  bool reached_end = false;
  int accepted = 0, rejected = 0, evaluations = 0;
};

// System has
//     void eval(double t, const State& y, State& dydt)
//     void finish_step(double t, State& y, State& dydt)   may move y (projection) and gives dydt there.
template <std::size_t N, class System>
class Dop853 {
 public:
  using State = std::array<double, N>;

  Dop853(System& system, const Dop853Options<N>& options) : system_(system), options_(options) {}

  // Integrates forwards from t to end; y holds the result.
  Dop853Report solve(double t, double end, State& y) {
    Dop853Report report;
    system_.eval(t, y, k1_);
    double h = options_.first_step > 0 ? options_.first_step : first_step(t, end, y);
    report.evaluations = options_.first_step > 0 ? 1 : 2;
    double last_error = 1e-4;
    bool after_rejection = false;
    const double exponent = 1.0 / 8 - 0.2 * options_.beta;
    while (report.accepted + report.rejected < options_.max_steps) {
      if (0.1 * h <= t * std::numeric_limits<double>::epsilon()) return report;
      const bool last = t + 1.01 * h >= end;
      if (last) h = end - t;
      eval_stages(t, h, y);
      report.evaluations += 11;
      const double error = h * scaled_error(y);
      const double raw = std::pow(error, exponent);
      if (!(error <= 1)) {
        h /= std::min(1 / options_.shrink_limit, raw / options_.safety);
        after_rejection = true;
        ++report.rejected;
        continue;
      }
      const double damped = raw / (std::pow(last_error, options_.beta) * options_.safety);
      double next = h / std::clamp(damped, 1 / options_.growth_limit, 1 / options_.shrink_limit);
      if (after_rejection) next = std::min(next, h);
      after_rejection = false;
      last_error = std::max(error, 1e-4);
      t = last ? end : t + h;
      y = y_next_;
      system_.finish_step(t, y, k1_);
      ++report.evaluations;
      ++report.accepted;
      if (last) {
        report.reached_end = true;
        return report;
      }
      h = next;
    }
    return report;
  }

 private:
  struct Term {
    double weight;
    const State& slope;
  };

  // out = y + h * (sum of weight * slope)
  template <class... Terms>
  static void combine(State& out, const State& y, double h, const Terms&... terms) {
    for (std::size_t i = 0; i < N; ++i) out[i] = y[i] + h * (... + (terms.weight * terms.slope[i]));
  }

  void eval_stages(double t, double h, const State& y) {
    using namespace dop853_table;
    const auto eval = [&](double c, State& slope) { system_.eval(t + c * h, stage_, slope); };
    combine(stage_, y, h, Term{a21, k1_});
    eval(c2, k2_);
    combine(stage_, y, h, Term{a31, k1_}, Term{a32, k2_});
    eval(c3, k3_);
    combine(stage_, y, h, Term{a41, k1_}, Term{a43, k3_});
    eval(c4, k4_);
    combine(stage_, y, h, Term{a51, k1_}, Term{a53, k3_}, Term{a54, k4_});
    eval(c5, k5_);
    combine(stage_, y, h, Term{a61, k1_}, Term{a64, k4_}, Term{a65, k5_});
    eval(c6, k6_);
    combine(stage_, y, h, Term{a71, k1_}, Term{a74, k4_}, Term{a75, k5_}, Term{a76, k6_});
    eval(c7, k7_);
    combine(stage_, y, h, Term{a81, k1_}, Term{a84, k4_}, Term{a85, k5_}, Term{a86, k6_}, Term{a87, k7_});
    eval(c8, k8_);
    combine(stage_, y, h, Term{a91, k1_}, Term{a94, k4_}, Term{a95, k5_}, Term{a96, k6_}, Term{a97, k7_},
            Term{a98, k8_});
    eval(c9, k9_);
    combine(stage_, y, h, Term{a101, k1_}, Term{a104, k4_}, Term{a105, k5_}, Term{a106, k6_}, Term{a107, k7_},
            Term{a108, k8_}, Term{a109, k9_});
    eval(c10, k10_);
    combine(stage_, y, h, Term{a111, k1_}, Term{a114, k4_}, Term{a115, k5_}, Term{a116, k6_}, Term{a117, k7_},
            Term{a118, k8_}, Term{a119, k9_}, Term{a1110, k10_});
    eval(c11, k11_);
    combine(stage_, y, h, Term{a121, k1_}, Term{a124, k4_}, Term{a125, k5_}, Term{a126, k6_}, Term{a127, k7_},
            Term{a128, k8_}, Term{a129, k9_}, Term{a1210, k10_}, Term{a1211, k11_});
    eval(1, k12_);
    combine(y_next_, y, h, Term{b1, k1_}, Term{b6, k6_}, Term{b7, k7_}, Term{b8, k8_}, Term{b9, k9_},
            Term{b10, k10_}, Term{b11, k11_}, Term{b12, k12_});
  }

  // err = |e5|^2 / sqrt(|e5|^2 + 0.01 |e3|^2), without the factor h.
  double scaled_error(const State& y) const {
    using namespace dop853_table;
    double square5 = 0, square3 = 0;
    for (std::size_t i = 0; i < N; ++i) {
      const double scale = 1 / (options_.absolute_tolerance[i] +
                                options_.relative_tolerance * std::max(std::abs(y[i]), std::abs(y_next_[i])));
      const double error5 = (e1 * k1_[i] + e6 * k6_[i] + e7 * k7_[i] + e8 * k8_[i] + e9 * k9_[i] +
                             e10 * k10_[i] + e11 * k11_[i] + e12 * k12_[i]) *
                            scale;
      const double error3 = ((b1 - d1) * k1_[i] + b6 * k6_[i] + b7 * k7_[i] + b8 * k8_[i] +
                             (b9 - d9) * k9_[i] + b10 * k10_[i] + b11 * k11_[i] + (b12 - d12) * k12_[i]) *
                            scale;
      square5 += error5 * error5;
      square3 += error3 * error3;
    }
    const double sum = square5 + 0.01 * square3;
    return sum > 0 ? square5 / std::sqrt(sum * N) : 0;
  }

  // h^8 max(|y'|, |y''|) = 0.01 in the scaled norm, y'' from one Euler step.
  double first_step(double t, double end, const State& y) {
    double slope_square = 0, y_square = 0, bend_square = 0;
    const auto scale = [&](std::size_t i) {
      return options_.absolute_tolerance[i] + options_.relative_tolerance * std::abs(y[i]);
    };
    for (std::size_t i = 0; i < N; ++i) {
      slope_square += std::pow(k1_[i] / scale(i), 2);
      y_square += std::pow(y[i] / scale(i), 2);
    }
    double h = slope_square <= 1e-10 || y_square <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(y_square / slope_square);
    h = std::min(h, end - t);
    combine(stage_, y, h, Term{1, k1_});
    system_.eval(t + h, stage_, k2_);
    for (std::size_t i = 0; i < N; ++i) bend_square += std::pow((k2_[i] - k1_[i]) / scale(i), 2);
    const double steepest = std::max(std::sqrt(bend_square) / h, std::sqrt(slope_square));
    const double h1 = steepest <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / steepest, 1.0 / 8);
    return std::min({100 * h, h1, end - t});
  }

  System& system_;
  Dop853Options<N> options_;
  alignas(64) State k1_, k2_, k3_, k4_, k5_, k6_, k7_, k8_, k9_, k10_, k11_, k12_, stage_, y_next_;
};

}  // namespace dalembert::bench
