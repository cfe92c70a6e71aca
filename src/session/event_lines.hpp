// The events of a run in its summary.
#pragma once

#include <string>

#include <dalembert/trajectory/report.hpp>

namespace dalembert::session {

/// A few one by one; many counted by name and kind, and those of a group of contacts together.
std::string event_lines(const RunReport& report);

}  // namespace dalembert::session
