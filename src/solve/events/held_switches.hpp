// Forces with kinks and jumps for methods that know nothing of them.
//
// The signs that abs, sign, min and max depend on are numbers s = ±1, and where an argument w changes its
// sign a part of the run ends. Where w is a velocity and either side drives it back to zero, the motion
// slides along w = 0, as dry friction does that sticks: s is then the unknown that keeps it there,
//
//   M a + Cᵀ λ = f(s),   ẇ = 0,   −1 <= s <= 1,
//
// a multiplier that the forces contain linearly, of a constraint w = 0 that has no force of its own.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <dalembert/solve/solve.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

struct HeldSwitches {
  HeldSwitches(System with_sides, const Problem& base)
      : system(std::move(with_sides)), problem{system, base.start, base.active, base.notes, base.not_unique} {
    problem.with_kinks = &base.system;
  }

  System system;
  Problem problem;
};

/// The problem with such signs: parameters that events without a name set, the first where w is zero, the
/// second, where it may slide, where s comes to 1 or −1. Null where there are no signs to hold, or none that
/// a run of these options can follow. Not held are calls of which a root is taken, and signs that are zero at
/// the start and cannot slide.
std::unique_ptr<HeldSwitches> hold_switches(const Problem& problem, const SolveOptions& options);

/// Whether a run can go on where a sign slides.
bool may_slide(const SolveOptions& options);

/// Whether an event is of this kind, and which; one that ends sliding enables by name the constraint of it.
inline bool is_switch(const Event& event) { return event.name.empty(); }
inline bool ends_sliding(const Event& event) { return is_switch(event) && event.when.size() == 2; }
/// The parameter of a sign that jumps begins with this; no user can give a name with a blank.
inline constexpr const char* jump_word = "jump";

}  // namespace dalembert
