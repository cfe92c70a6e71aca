#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>

#include "command.hpp"

namespace dalembert::app {

int& exit_status() {
  static int status = done;
  return status;
}

}  // namespace dalembert::app

int main(int argc, char** argv) {
  using namespace dalembert::app;
  CLI::App app{"Dalembert: equations, motion and forces of constrained mechanical systems", "dalembert"};
  app.set_version_flag("--version", "dalembert " DALEMBERT_VERSION);
  app.require_subcommand(1);
  app.footer("Example: dalembert run slider_crank -o crank.csv\n'dalembert COMMAND --help' tells more.");
  add_run(app);
  add_series(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_call;
  } catch (const dalembert::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return wrong_call;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: not enough memory\n");
    return stopped_early;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return stopped_early;
  }
  return exit_status();
}
