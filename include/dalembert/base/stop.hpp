// Whether the program was asked to end, by a signal for instance: one flag for the whole process, which long
// work polls.
#pragma once

namespace dalembert {

/// May be called by a signal handler.
void request_stop() noexcept;

/// Costs a load from memory, so every step may ask.
bool stop_requested() noexcept;

}  // namespace dalembert
