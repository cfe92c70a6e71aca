// Ctrl-C: the first one asks a computation to end with what it has, a second one ends the program.
#pragma once

namespace dalembert::app {

void listen_to_signals();
bool interrupt_asked();

}  // namespace dalembert::app
