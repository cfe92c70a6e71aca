// What redundant constraints leave open: the motion is unique, some multipliers and reactions are not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

/// What changes when multipliers move along the λ with Cᵀ λ = 0, at the start.
struct NotUnique {
  std::vector<std::size_t> multipliers;  ///< constraints
  std::vector<std::size_t> outputs;      ///< such as the components of joint reactions

  bool empty() const { return multipliers.empty(); }
};

/// `start` with its accelerations and multipliers.
NotUnique find_not_unique(const System& system, const Start& start, const Structure& structure);

/// Names: of outputs where there are any that depend on multipliers, else lambda(constraint).
std::vector<std::string> names_of(const System& system, const NotUnique& not_unique);

}  // namespace dalembert
