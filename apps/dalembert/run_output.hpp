// Where the numbers of a run go: files by their suffix, the report page, pictures; or standard output.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <dalembert/expr/scalar.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/output/page_samples.hpp>
#include <dalembert/output/result_writer.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/output/sample_relay.hpp>
#include <dalembert/trajectory/sample.hpp>

#include "command.hpp"
#include "scene_pictures.hpp"

namespace dalembert::app {

struct OutputArguments {
  std::vector<std::string> files;
  std::vector<std::string> columns;
  std::vector<std::string> plots;
  std::string against = "t";
  std::string report;
  std::vector<std::string> scene;  ///< times and files in turn
  std::string animation;
  std::string size;   ///< of pictures and films of the scene, WxH
  std::string with;   ///< a run to draw over this one on the page
  bool json = false;  ///< the summary is wanted as JSON

  /// What --scene asks for.
  std::vector<Still> stills() const;
  /// The columns that were asked for, each by itself.
  std::vector<std::string> wanted_columns() const;
  /// The model, with columns that are definitions or expressions as further outputs.
  session::LoadedModel load_with_columns(session::ModelSource source) const;
  /// Files, pictures, the page.
  std::vector<std::string> all() const;
  /// They were asked for there; the summary then goes to standard error.
  bool has_samples_on_standard_output() const;
  void add_to(CLI::App& command);
  /// Begins to load what the files need.
  std::future<void> start_loading() const;
};

class RunOutput {
 public:
  /// Opens everything, so that an unwritable place is found before the run. `forces` are −Cᵀ λ; `equations`
  /// are for the page.
  RunOutput(const OutputArguments& arguments, const std::string& model_name, const Model& model,
            const std::vector<Expr>& forces, int digits, std::future<PageEquations> equations);

  void take(const Sample<double>& sample) {
    if (relay_) relay_->add(sample);
  }
  void take(const Sample<Real>& sample) { take(sample, digits_); }

  /// Makes the files appear.
  void finish(const RunRecord& record);
  /// Their names.
  const std::vector<std::string>& written() const { return written_; }

 private:
  template <class S>
  struct Fillers {
    std::unique_ptr<RowFiller<S>> files;
    std::unique_ptr<RowFiller<S>> plots;
    std::unique_ptr<RowFiller<S>> page;
  };
  template <class S>
  void take(const Sample<S>& sample, Fillers<S>& fillers);
  void write_report(const RunRecord& record);
  void open_page(const OutputArguments& arguments, const Model& model);

  Fillers<double> doubles_;
  Fillers<Real> digits_;
  std::vector<std::unique_ptr<ResultWriter>> writers_;
  std::vector<std::unique_ptr<ResultWriter>> plots_;
  std::string report_;
  std::vector<Still> stills_;
  std::string animation_;
  std::optional<PictureSize> size_;
  std::optional<OtherRun> other_;
  std::future<PageEquations> equations_;
  std::unique_ptr<PageSamples> page_samples_;
  std::vector<double> page_row_;
  std::vector<std::string> written_;
  std::unique_ptr<SampleRelay> relay_;  // the last: its thread uses the others
};

}  // namespace dalembert::app
