// g and C v + c of all constraints at a state, redundant ones included.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S, int W>
class ConstraintResiduals {
 public:
  explicit ConstraintResiduals(const System& system)
      : g(system.holonomic(), S(0)),
        gv(system.m(), S(0)),
        system_(&system),
        position_(system.position().program, system.constants<S>(system.position().program), 0),
        dynamics_(system.dynamics().program, system.constants<S>(system.dynamics().program), 0) {}

  void eval(const S& t, std::span<const S> q, std::span<const S> v) {
    if (gv.empty()) return;
    set(position_, t, q);
    set(dynamics_, t, q);
    for (std::size_t j = 0; j < g.size(); ++j) g[j] = position_.output(system_->position().g[j], 0);
    for (std::size_t j = 0; j < gv.size(); ++j) gv[j] = dynamics_.output(system_->dynamics().c[j], 0);
    for (const MatrixEntry& entry : system_->dynamics().C) {
      gv[entry.row] += dynamics_.output(entry.value, 0) * v[entry.column];
    }
  }

  std::vector<S> g;   ///< holonomic
  std::vector<S> gv;  ///< all

 private:
  void set(Series<S, W>& series, const S& t, std::span<const S> q) {
    const std::vector<Register>& inputs = series.program().inputs;
    series.set(inputs[System::input_t()], 0, t);
    for (std::size_t i = 0; i < q.size(); ++i) series.set(inputs[system_->input_q(i)], 0, q[i]);
    series.run(Stage::position, 0);
  }

  const System* system_;
  Series<S, W> position_;
  Series<S, W> dynamics_;  // C and c depend on t and q alone
};

}  // namespace dalembert
