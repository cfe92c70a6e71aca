// Where the numbers of a run go, on the command line.
#pragma once

#include <future>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <dalembert/session/run_output.hpp>

namespace dalembert::app {

struct OutputArguments {
  std::vector<std::string> files;
  std::vector<std::string> columns;
  std::vector<std::string> plots;
  std::string against = "t";
  std::string report;
  std::vector<std::pair<std::string, std::string>> scene;  ///< times and file
  std::string animation;
  std::string size;   ///< of pictures and films of the scene, WxH
  std::string with;   ///< a run to draw over this one on the page
  bool json = false;  ///< the summary is wanted as JSON

  void add_to(CLI::App& command);
  /// What they ask for of a model of this name; throws Error.
  session::OutputOptions options(const std::string& model_name) const;
  /// The model, with columns that are definitions or expressions as further outputs.
  session::LoadedModel load_with_columns(session::ModelSource source) const;
  /// They were asked for there; the summary then goes to standard error.
  bool has_samples_on_standard_output() const;
  /// Begins to load what the files need.
  std::future<void> start_loading() const;

 private:
  /// Files, pictures, the page.
  std::vector<std::string> all() const;
  /// The columns that were asked for, each by itself.
  std::vector<std::string> wanted_columns() const;
  void refuse_repetitions() const;
  /// Without any wish: nothing where the summary is on standard output, that when it is not a terminal, else
  /// STEM.csv beside the user.
  std::vector<std::string> files_of(const std::string& model_name) const;
};

}  // namespace dalembert::app
