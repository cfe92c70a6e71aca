// Where the numbers of a run go: files by their suffix, the report page, pictures.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/expr/scalar.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/output/page_samples.hpp>
#include <dalembert/output/result_writer.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/output/sample_relay.hpp>
#include <dalembert/session/plot_feed.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/session/scene_pictures.hpp>
#include <dalembert/solve/dense_output.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert::session {

/// What is made of a run besides its report; each is left out where it is empty.
struct OutputOptions {
  std::vector<std::string> files;  ///< .csv, .json, .npz, .h5; "-": CSV for standard_output
  std::vector<std::string>
      columns;  ///< of files and pictures: names, groups, patterns; none: all, of pictures q
  std::vector<std::string> plots;   ///< .svg, .png
  std::string against = "t";        ///< what a picture's columns are drawn over
  std::string report;               ///< a page, .html
  std::vector<Still> stills;        ///< of the mechanism
  std::string animation;            ///< .mp4, .webm, .gif, .png
  std::optional<PictureSize> size;  ///< of stills and films
  std::string with;                 ///< a run (.npz) to draw over this one on the page
  std::function<void(std::string_view)> standard_output;
  std::function<void(Page&)> take_page = {};  ///< gets the page, without equations

  /// Files, pictures, the page.
  std::vector<std::string> all() const;
};

class RunOutput {
 public:
  /// Opens everything, so that an unwritable place is found before the run; a page's equations are begun. In
  /// a run with digits it must be made within their DigitsScope.
  RunOutput(const LoadedModel& model, const OutputOptions& options, int digits);

  /// Asks a run for the motion between samples where curves are to be drawn. The options must
  /// be those of the run, this the output that takes its samples.
  void ask_for_motion(SolveOptions& options);

  void take(const Sample<double>& sample) {
    if (relay_) relay_->add(sample);
  }
  void take(const Sample<Real>& sample) { take(sample, digits_); }

  /// Makes the files appear.
  void finish(const RunRecord& record);
  /// The same while the run still goes on in another thread, which takes no sample meanwhile: curves go from
  /// sample to sample.
  void finish_without_motion(const RunRecord& record);
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
  void open_page(const LoadedModel& model);
  /// Rows at any time of a smooth motion; nothing where it is not known.
  PlotFeed::MakeRow motion_rows();

  LoadedModel model_;
  Fillers<double> doubles_;
  Fillers<Real> digits_;
  std::vector<std::unique_ptr<ResultWriter>> writers_;
  std::unique_ptr<PlotFeed> plots_;
  OutputOptions options_;
  std::optional<OtherRun> other_;
  std::future<PageEquations> equations_;
  std::unique_ptr<PageSamples> page_samples_;
  std::vector<double> page_row_;
  std::unique_ptr<DenseOutput> motion_;
  bool draws_motion_ = true;
  std::vector<std::string> written_;
  std::unique_ptr<SampleRelay> relay_;  // the last: its thread uses the others
};

/// The files of a run that was made before, in doubles; throws OutputError where one cannot be written.
void write_outputs(const LoadedModel& model, const Motion& motion, const OutputOptions& outputs);

/// Runs and makes the files; throws OutputError where one cannot be written.
RunRecord run_to_files(const LoadedModel& model, const SolveOptions& options, const OutputOptions& outputs);

}  // namespace dalembert::session
