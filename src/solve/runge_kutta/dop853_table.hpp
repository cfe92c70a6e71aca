#pragma once

#include <dalembert/solve/runge_kutta_table.hpp>

namespace dalembert {

RungeKuttaTable make_dop853_table();

}  // namespace dalembert
