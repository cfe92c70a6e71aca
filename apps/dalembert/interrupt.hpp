// Signals that end a program: INT, TERM, HUP, QUIT, XCPU.
//
// While nothing is computed that could be kept, such a signal removes temporary files and ends the program as
// it would without us. Then it asks the computation to end with what it has; further ones are the same wish,
// but for Ctrl-C or Ctrl-\ after more than a second, when somebody no longer wants to wait.
#pragma once

namespace dalembert::app {

void listen_to_signals();
/// From now on there is something to keep, and somebody asks interrupt_asked().
void keep_what_is_computed();
bool interrupt_asked();

/// Nobody reads standard output any more: ends the program as `cat` ends in `cat file | head`, by SIGPIPE.
[[noreturn]] void end_without_reader();

}  // namespace dalembert::app
