#include "command_line.hpp"

// NOLINTNEXTLINE(bugprone-exception-escape): only where there is no memory for the names of options
int main(int argc, char** argv) { return dalembert::app::run_command_line(argc, argv); }
