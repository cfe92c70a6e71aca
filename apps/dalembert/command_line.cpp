#include "command_line.hpp"

#include "command.hpp"
#include "interrupt.hpp"
#include "memory.hpp"
#include "terminal.hpp"

namespace dalembert::app {

int run_command_line(int argc, char** argv) {
  occupy_closed_streams();
  listen_to_signals();
  end_in_order_without_memory();
  CLI::App app{"Dalembert: equations, motion and forces of constrained mechanical systems", "dalembert"};
  app.set_version_flag("--version", "dalembert " DALEMBERT_VERSION, "show the version");
  app.set_help_flag("-h,--help", "show this help");
  app.require_subcommand(1);
  app.footer("Example: dalembert run slider_crank -o crank.csv\n'dalembert COMMAND --help' tells more.");
  for (const auto& add : commands) add(app);
  refuse_strange_numbers(app);
  return run_program(app, argc, argv);
}

}  // namespace dalembert::app
