// Whether an independent method finds the same motion as the reference of a comparison.
//
// A witness runs twice, with a tolerance and with a hundredth of it. The distance of the two is about the
// error of the first: what tolerance, growth of errors and round-off leave of it on this motion. The
// reference has to be as near to the second as the first is, or the two contradict each other.
#pragma once

#include <string>

#include "compare/sampled_states.hpp"

namespace dalembert {

struct Witness {
  std::string name;
  double tolerance = 0;       ///< of the better run
  SampledStates rough, fine;  ///< empty: it did not run
  std::string failure;        ///< why it says nothing
};

struct Testimony {
  enum class Kind { agrees, contradicts, nothing };
  Kind kind = Kind::nothing;
  std::string text;
};

Testimony hear(const Witness& witness, const SampledStates& reference, double duration);

}  // namespace dalembert
