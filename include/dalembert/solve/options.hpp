// What a run is asked to do, where users of solve look for it.
#pragma once

#include <dalembert/settings/solve_options.hpp>
