// Andrews' squeezing mechanism to t = 0.03: time against error for every contestant, then times at equal
// error.
//     bench_andrews [part of a name]

#include <sundials/sundials_config.h>

#include "andrews/contestants.hpp"

int main(int argc, char** argv) {
  using namespace dalembert::bench;
  Comparison comparison{{}, {1e-6, 1e-9, 1e-10, 1e-12}, "lambda"};
  for (const auto& make : {andrews::ida_contestants, andrews::dop853_contestants,
                           andrews::adomian_contestants, andrews::method_contestants})
    for (Contestant& contestant : make()) comparison.contestants.push_back(std::move(contestant));
  print_environment("SUNDIALS " SUNDIALS_VERSION);
  run_comparison(comparison, argc > 1 ? argv[1] : "");
}
