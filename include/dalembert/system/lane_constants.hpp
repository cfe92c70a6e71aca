// The constants of programs for trajectories in lanes, each with parameters of its own.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

/// The values of a system's parameters, by the node of their symbol.
using ParameterValues = std::unordered_map<NodeId, double>;

/// From a set of parameters for every lane, or from the system's own where there is none.
template <class S>
std::vector<S> constants_in_lanes(const System& system, const Program& program,
                                  std::span<const ParameterValues> parameters) {
  if constexpr (LaneMath<S>::lanes > 1) {
    std::vector<S> values(program.constants.size());
    std::vector<double> of_lane = system.constants<double>(program);
    for (std::size_t lane = 0; lane < LaneMath<S>::lanes; ++lane) {
      if (!parameters.empty()) of_lane = system.constants(program, parameters[lane]);
      for (std::size_t i = 0; i < values.size(); ++i)
        reinterpret_cast<double*>(&values[i])[lane] = of_lane[i];
    }
    return values;
  } else {
    return system.constants<S>(program);
  }
}

}  // namespace dalembert
