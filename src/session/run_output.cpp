#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/output/plot.hpp>
#include <dalembert/session/equations.hpp>
#include <dalembert/session/run_output.hpp>

namespace dalembert::session {

std::vector<std::string> OutputOptions::all() const {
  std::vector<std::string> names = files;
  names.insert(names.end(), plots.begin(), plots.end());
  if (!report.empty()) names.push_back(report);
  for (const Still& still : stills) names.push_back(still.file);
  if (!animation.empty()) names.push_back(animation);
  return names;
}

RunOutput::RunOutput(const LoadedModel& loaded, const OutputOptions& options, int digits)
    : options_(options) {
  const Model& model = loaded.model();
  const std::vector<std::string>& wanted = options.columns;
  const std::vector<Column> columns = choose_columns(*model, wanted);
  for (const std::string& file : options.files) {
    writers_.push_back(file == "-" ? make_csv_writer(options.standard_output, columns, digits)
                                   : make_writer(file, columns, digits));
    if (file != "-") written_.push_back(file);
  }
  std::vector<std::string> drawn = wanted.empty() ? std::vector<std::string>{"q"} : wanted;
  if (options.against != "t") drawn.push_back(options.against);
  const std::vector<Column> plot_columns = choose_columns(*model, drawn);
  for (const std::string& plot : options.plots) {
    plots_.push_back(make_plot(plot, plot_columns, options.against));
    written_.push_back(plot);
  }
  const std::vector<Expr> forces = constraint_forces(loaded);
  const auto fill = [&](auto& fillers) {
    using Filler = typename std::remove_reference_t<decltype(fillers.files)>::element_type;
    if (!writers_.empty()) fillers.files = std::make_unique<Filler>(model, columns, forces);
    if (!plots_.empty()) fillers.plots = std::make_unique<Filler>(model, plot_columns, forces);
    if (page_samples_) fillers.page = std::make_unique<Filler>(model, page_samples_->columns(), forces);
  };
  open_page(loaded);
  if (digits > 0) {
    fill(digits_);
  } else {
    fill(doubles_);
    if (!written_.empty() || !writers_.empty()) {
      relay_ =
          std::make_unique<SampleRelay>([this](const Sample<double>& sample) { take(sample, doubles_); });
    }
  }
}

// The page, and what it draws in a browser.
void RunOutput::open_page(const LoadedModel& model) {
  const auto& [report, stills, animation] = std::tie(options_.report, options_.stills, options_.animation);
  if (!options_.with.empty()) other_ = read_other_run(options_.with);
  if (report.empty() && stills.empty() && animation.empty()) return;
  if (!report.empty()) {
    check_page_name(report);
    const AtomicFile probe(report, FileAccess::random);  // a pipe is opened when the page is there
    written_.push_back(report);
    equations_ = start_page_equations(model);
  }
  for (const Still& still : stills) {
    check_still(still);
    const AtomicFile probe(still.file, FileAccess::random);
    written_.push_back(still.file);
  }
  if (!animation.empty()) {
    check_animation_name(animation);
    written_.push_back(animation);
  }
  std::vector<Column> shown = all_columns(*model.model());
  const std::vector<Column> view = view_columns(*model.model());
  shown.insert(shown.end(), view.begin(), view.end());
  page_samples_ = std::make_unique<PageSamples>(std::move(shown));
}

template <class S>
void RunOutput::take(const Sample<S>& sample, Fillers<S>& fillers) {
  if (fillers.files) {
    const std::span<const S> row = fillers.files->fill(sample);
    for (const auto& writer : writers_) writer->add(row);
  }
  if (fillers.plots) {
    const std::span<const S> row = fillers.plots->fill(sample);
    for (const auto& plot : plots_) plot->add(row);
  }
  if (fillers.page) {
    page_row_.clear();
    for (const S& value : fillers.page->fill(sample)) page_row_.push_back(static_cast<double>(value));
    page_samples_->add(page_row_);
  }
}

template void RunOutput::take(const Sample<double>&, Fillers<double>&);
template void RunOutput::take(const Sample<Real>&, Fillers<Real>&);

void RunOutput::finish(const RunRecord& record) {
  if (relay_) relay_->finish();
  for (const auto* writers : {&writers_, &plots_}) {
    for (const auto& writer : *writers) writer->finish(record);
  }
  if (page_samples_) write_report(record);
}

void RunOutput::write_report(const RunRecord& record) {
  Page page(record);
  page.samples = page_samples_.get();
  page.scene = make_scene(*record.model);
  const PictureSize of_stills{960, 640}, of_films{1280, 720};
  for (const Still& still : options_.stills) write_still(still, page, options_.size.value_or(of_stills));
  if (!options_.animation.empty())
    write_animation(options_.animation, page, options_.size.value_or(of_films));
  if (options_.report.empty()) return;
  page.equations = [this] { return equations_.get(); };
  page.other = std::move(other_);
  dalembert::write_page(options_.report, page);
}

RunRecord run_to_files(const LoadedModel& model, const SolveOptions& options, const OutputOptions& outputs) {
  std::optional<DigitsScope> precision;  // of forces and outputs too
  if (options.digits > 0) precision.emplace(working_digits(complete(options)));
  RunOutput output(model, outputs, options.digits);
  RunRecord record = make_record(model, options);
  const auto take = [&](const auto& sample) {
    output.take(sample);
    return true;
  };
  record.report = run(model, options, {take, take});
  output.finish(record);
  return record;
}

}  // namespace dalembert::session
