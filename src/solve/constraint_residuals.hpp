// g and C v + c of all constraints at a state, redundant ones included.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/plain_values.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

template <class S>
class ConstraintResiduals {
 public:
  explicit ConstraintResiduals(const System& system)
      : g(system.holonomic(), S(0)),
        gv(system.m(), S(0)),
        system_(&system),
        position_(system, system.position().program),
        dynamics_(system, system.dynamics().program) {}

  void eval(const S& t, std::span<const S> q, std::span<const S> v) {
    if (gv.empty()) return;
    set(position_, t, q);
    set(dynamics_, t, q);
    for (std::size_t j = 0; j < g.size(); ++j) g[j] = position_.value(system_->position().g[j]);
    for (std::size_t j = 0; j < gv.size(); ++j) gv[j] = dynamics_.value(system_->dynamics().c[j]);
    for (const MatrixEntry& entry : system_->dynamics().C) {
      gv[entry.row] += dynamics_.value(entry.value) * v[entry.column];
    }
  }

  std::vector<S> g;   ///< holonomic
  std::vector<S> gv;  ///< all

 private:
  void set(PlainValues<S>& values, const S& t, std::span<const S> q) {
    values.set(System::input_t(), t);
    values.set(system_->input_q(0), q);
    values.run(Stage::position);
  }

  const System* system_;
  PlainValues<S> position_;
  PlainValues<S> dynamics_;  // C and c depend on t and q alone
};

}  // namespace dalembert
