// The program as a call, which the Python package makes, too.
#pragma once

namespace dalembert::app {

/// The program's exit status. It changes how the process treats signals and lack of memory.
int run_command_line(int argc, char** argv);

}  // namespace dalembert::app
