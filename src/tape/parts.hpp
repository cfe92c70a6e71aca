// Which instructions threads may run beside each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dalembert/tape/program.hpp>

namespace dalembert {

/// A part for every instruction, from 0 to parts − 1: those of one part and stage use no results of another
/// part of the same stage. Instructions for which that cannot be have the number `parts` and come after all.
/// Inputs stand at places (by input number, increasing along the system), and what is near each other tends
/// to be used together.
std::vector<std::uint32_t> find_parts(const Program& program, std::span<const double> input_places,
                                      std::uint32_t parts);

}  // namespace dalembert
