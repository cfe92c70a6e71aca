#pragma once
// Who competes on Andrews' mechanism. A new contestant is one more function here and one more line in
// main.cpp.

#include "work_precision.hpp"

namespace dalembert::bench::andrews {

std::vector<Contestant> ida_contestants();      // SUNDIALS IDA, three formulations
std::vector<Contestant> dop853_contestants();   // DOP853 on the reduced equations with projection
std::vector<Contestant> adomian_contestants();  // the model file andrews.toml
std::vector<Contestant> method_contestants();   // the same by bdf and ndf

}  // namespace dalembert::bench::andrews
