// Tells when steps are short because of fast modes that have died out.
//
// Where the motion is slow and a mode with a rate μ has died out, the terms of the series fall fast at first,
// as those of the slow motion do, and then stay near the tolerance: rounding errors of the fast mode, ε (μ
// h)ᵏ/k!, limit the step. The term in the middle is small already, where it should be the root of the
// tolerance.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include <dalembert/solve/adomian_step.hpp>

namespace dalembert {

class Stiffness {
 public:
  /// After a step of length h that its last terms have chosen.
  template <class S>
  void look(const AdomianStep<S>& step, double h) {
    // a look reads the terms of three orders; stiffness lasts. Chosen, not measured.
    constexpr std::size_t every = 8;
    constexpr double small_share = 0.2;  // of the digits asked for; a half where nothing is stiff
    if (++steps_ % every != 0) return;
    ++looks_;
    const int middle = step.order() / 2;
    const double most = small_share * step.log_term(0, h);
    if (step.log_term(middle, h) < most && step.log_term(middle - 1, h) < most) {
      ++stiff_;
      sum_ += h;
    }
  }

  bool found() const {
    // of looks, so 128 steps: a run of fewer is short whether stiff or not
    constexpr std::size_t enough = 16;
    return stiff_ >= enough && 2 * stiff_ > looks_;
  }
  std::string advice() const {
    if (!found()) return "";
    return fmt::format(
        "this looks stiff: fast modes that have died out keep the steps near {:.1e}; where fewer digits are "
        "enough, --method bdf --index-form ggl follows the slow motion",
        sum_ / static_cast<double>(stiff_));
  }

 private:
  std::size_t steps_ = 0;
  std::size_t looks_ = 0;
  std::size_t stiff_ = 0;
  double sum_ = 0;  // of the lengths of stiff steps
};

}  // namespace dalembert
