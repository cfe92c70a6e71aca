// Where the motion changes at once, its curves have two points: before and behind the event.
#pragma once

#include <span>
#include <vector>

#include <dalembert/output/columns.hpp>
#include <dalembert/trajectory/report.hpp>

namespace dalembert {

/// The values of the columns, times first, with two rows at each event that changes the motion: coordinates
/// and velocities as the event has them, the others as the parabola through the three nearest samples of the
/// same side goes on.
std::vector<std::vector<double>> with_jumps(std::span<const Column> columns,
                                            std::vector<std::vector<double>> values,
                                            std::span<const EventRecord> events);

}  // namespace dalembert
