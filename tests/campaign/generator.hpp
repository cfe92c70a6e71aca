// Random models, as text of model files.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace dalembert::campaign {

/// What a model is about. Each kind draws what the kinds above it draw as well, here and there.
enum class Kind {
  potential,     ///< energies of all shapes, dissipation, smooth forces
  holonomic,     ///< constraints on positions, some of them redundant
  rheonomic,     ///< constraints that depend on time
  nonholonomic,  ///< constraints on velocities
  matrices,      ///< mass matrix and force instead of energies
  kink,          ///< abs, sign, min, max and jumps of atan2 in all positions
  contact,       ///< forces that only push, written in many ways
  pulse,         ///< forces that are felt for a short time, or in a narrow place
  plane,         ///< bodies and joints in the plane
  space,         ///< bodies and joints in space
  friction,      ///< dry friction, which sticks and slips
};
inline constexpr std::array all_kinds{Kind::potential, Kind::holonomic, Kind::rheonomic, Kind::nonholonomic,
                                      Kind::matrices,  Kind::kink,      Kind::contact,   Kind::pulse,
                                      Kind::plane,     Kind::space,     Kind::friction};

std::string_view name_of(Kind kind);

/// The same text for the same seed.
std::string make_model(Kind kind, std::uint64_t seed);

}  // namespace dalembert::campaign
