// SUNDIALS' Cartesian pendulum over 30 s: time against error for every contestant, then times at equal error.
//     bench_pendulum [part of a name]

#include <sundials/sundials_config.h>

#include "pendulum/pendulum.hpp"

int main(int argc, char** argv) {
  using namespace dalembert::bench;
  Comparison comparison{{}, {1e-6, 1e-9, 1e-12}, "position"};
  for (const auto& make :
       {pendulum::cvode_contestants, pendulum::dop853_contestants, pendulum::adomian_contestants})
    for (Contestant& contestant : make()) comparison.contestants.push_back(std::move(contestant));
  print_environment("SUNDIALS " SUNDIALS_VERSION);
  run_comparison(comparison, argc > 1 ? argv[1] : "");
}
