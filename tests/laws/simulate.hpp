// Runs a shipped model in a test and keeps its samples.
#pragma once

#include <string>
#include <vector>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert::testing {

struct KeptSample {
  double t;
  std::vector<double> q, v, a, lambda, g, gv;
  double energy;
  std::vector<double> outputs;
};

struct Simulation {
  RunReport report;
  std::vector<KeptSample> samples;
};

inline System shipped_system(const std::string& name, const std::vector<Override>& overrides = {}) {
  return System(read_model(find_model(name), overrides));
}

inline Simulation simulate(const System& system, const SolveOptions& options) {
  Simulation result;
  const auto keep = [](std::span<const double> values) {
    return std::vector<double>(values.begin(), values.end());
  };
  result.report = solve(system, options, SampleSink<double>([&](const Sample<double>& s) {
                          result.samples.push_back({s.t, keep(s.q), keep(s.v), keep(s.a), keep(s.lambda),
                                                    keep(s.position_residual), keep(s.velocity_residual),
                                                    s.energy, keep(s.outputs)});
                          return true;
                        }));
  return result;
}

}  // namespace dalembert::testing
