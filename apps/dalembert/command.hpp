// The commands of the program: one file each, one line here.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <dalembert/session/loaded_model.hpp>

namespace dalembert::app {

/// Exit statuses.
inline constexpr int done = 0;
inline constexpr int wrong_call = 1;     ///< the model or the call is wrong: nothing was computed
inline constexpr int stopped_early = 2;  ///< the computation stopped: what was computed is written
inline constexpr int doubtful = 3;       ///< it reached its end, but its own checks contradict the numbers

/// A command's callback stores its exit status here.
int& exit_status();

/// MODEL and --set, which every command that reads a model takes.
struct ModelArguments {
  std::string model;
  std::vector<std::string> settings;

  void add_to(CLI::App& command);
  /// Finds the model; throws Error.
  session::ModelSource find() const { return session::find_source(model, settings); }
  session::LoadedModel load() const { return session::load(model, settings); }
};

/// Throws Error where a result would take the place of what it is made from.
void refuse_to_overwrite(const std::string& source, const std::vector<std::string>& results);

/// Throws Error where a result could not be written, before it is computed.
void refuse_impossible_places(const std::vector<std::string>& results);

void add_run(CLI::App& app);
void add_check(CLI::App& app);
void add_equations(CLI::App& app);
void add_series(CLI::App& app);
void add_compare(CLI::App& app);
void add_sweep(CLI::App& app);
void add_stability(CLI::App& app);
void add_models(CLI::App& app);
void add_import(CLI::App& app);
void add_codegen(CLI::App& app);
void add_fmu(CLI::App& app);

/// In the order of the help.
inline constexpr std::array commands = {add_run,     add_check,   add_equations, add_series,
                                        add_compare, add_sweep,   add_stability, add_models,
                                        add_import,  add_codegen, add_fmu};

/// No option that takes a number has a use for infinity, NaN or an empty text.
void refuse_strange_numbers(CLI::App& app);

/// Parses the command line and runs the command; messages go to standard error. Returns the exit status.
int run_program(CLI::App& app, int argc, const char* const* argv);

}  // namespace dalembert::app
