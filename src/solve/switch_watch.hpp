// Watches the arguments of abs, sign, min and max: a series is valid as long as none of them changes sign.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S, int W>
class SwitchWatch {
 public:
  explicit SwitchWatch(const System& system)
      : system_(&system),
        series_(system.switches().program, system.constants<S>(system.switches().program), 0),
        signs_(system.switches().arguments.size(), 0),
        signs_here_(signs_.size(), 0) {}

  bool empty() const { return signs_.empty(); }

  /// Takes the signs at a state as those of the branch that the next series follows.
  void follow(const S& t, std::span<const S> q, std::span<const S> v) {
    eval_signs(t, q, v);
    signs_ = signs_here_;
  }

  /// Whether a state lies on another branch than the one that is followed.
  bool left(const S& t, std::span<const S> q, std::span<const S> v) {
    eval_signs(t, q, v);
    for (std::size_t i = 0; i < signs_.size(); ++i) {
      if (signs_here_[i] * signs_[i] < 0) return true;
    }
    return false;
  }

 private:
  void eval_signs(const S& t, std::span<const S> q, std::span<const S> v) {
    if (empty()) return;
    const std::vector<Register>& inputs = series_.program().inputs;
    series_.set(inputs[System::input_t()], 0, t);
    for (std::size_t i = 0; i < system_->n(); ++i) {
      series_.set(inputs[system_->input_q(i)], 0, q[i]);
      series_.set(inputs[system_->input_v(i)], 0, v[i]);
    }
    series_.run(Stage::position, 0);
    series_.run(Stage::velocity, 0);
    for (std::size_t i = 0; i < signs_here_.size(); ++i) {
      const S value = series_.output(system_->switches().arguments[i], 0);
      signs_here_[i] = value > 0 ? 1 : (value < 0 ? -1 : 0);
    }
  }

  const System* system_;
  Series<S, W> series_;
  std::vector<int> signs_;
  std::vector<int> signs_here_;
};

}  // namespace dalembert
