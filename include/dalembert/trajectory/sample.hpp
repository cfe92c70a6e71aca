// The motion at one time.
#pragma once

#include <functional>
#include <span>

namespace dalembert {

template <class S>
struct Sample {
  S t;
  std::span<const S> q, v, a, lambda;
  std::span<const S> outputs;            ///< the user's, in the model's order
  std::span<const S> position_residual;  ///< g
  std::span<const S> velocity_residual;  ///< C v + c
  S kinetic, potential, energy, work;
};

/// Receives samples as they are computed; spans are valid during the call. Returns false to stop the run.
template <class S>
using SampleSink = std::function<bool(const Sample<S>&)>;

}  // namespace dalembert
