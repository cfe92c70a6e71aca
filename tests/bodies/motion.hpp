// The motion of a model as columns by name: coordinates x, velocities x', accelerations x'', multipliers and
// outputs.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <dalembert/model/builder.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/start.hpp>

namespace dalembert::testing {

struct Motion {
  RunReport report;
  std::map<std::string, std::vector<double>> columns;

  const std::vector<double>& operator[](const std::string& name) const {
    const auto it = columns.find(name);
    if (it == columns.end()) throw std::runtime_error("no column " + name);
    return it->second;
  }
};

inline Motion run(const System& system, double duration, double output_step,
                  const std::string& method = "adomian") {
  Motion motion;
  SolveOptions options = options_of(system.model());
  options.method = method;
  options.duration = duration;
  options.output_step = output_step;
  const auto add = [&motion](const std::string& name, double value) {
    motion.columns[name].push_back(value);
  };
  motion.report = solve(system, options, SampleSink<double>([&](const Sample<double>& s) {
                          add("t", s.t);
                          add("energy", s.energy);
                          for (std::size_t i = 0; i < system.n(); ++i) {
                            add(system.coordinate_name(i), s.q[i]);
                            add(system.coordinate_name(i) + "'", s.v[i]);
                            add(system.coordinate_name(i) + "''", s.a[i]);
                          }
                          for (std::size_t j = 0; j < system.m(); ++j)
                            add("lambda(" + system.constraint_name(j) + ")", s.lambda[j]);
                          const auto& outputs = system.model().outputs;
                          for (std::size_t k = 0; k < outputs.size(); ++k) add(outputs[k].name, s.outputs[k]);
                          return true;
                        }));
  return motion;
}

inline Motion run_shipped(const std::string& name, double duration, double output_step,
                          const std::vector<Override>& overrides = {}) {
  return run(System(read_model(find_model(name), overrides)), duration, output_step);
}

}  // namespace dalembert::testing
