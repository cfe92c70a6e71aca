#include <algorithm>
#include <array>
#include <cstddef>
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
#include <dalembert/solve/observer.hpp>

namespace dalembert::session {

std::vector<std::string> OutputOptions::all() const {
  std::vector<std::string> names = files;
  names.insert(names.end(), plots.begin(), plots.end());
  if (!report.empty()) names.push_back(report);
  for (const Still& still : stills) names.push_back(still.file);
  if (!animation.empty()) names.push_back(animation);
  return names;
}

RunOutput::RunOutput(const LoadedModel& described, const OutputOptions& options, int digits)
    : model_(described.own()), options_(options) {
  const LoadedModel& loaded = model_;
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
  std::vector<std::unique_ptr<ResultWriter>> plots;
  for (const std::string& plot : options.plots) {
    plots.push_back(make_plot(plot, plot_columns, options.against));
    written_.push_back(plot);
  }
  if (!plots.empty()) plots_ = std::make_unique<PlotFeed>(std::move(plots), plot_columns);
  const ConstraintForces forces = constraint_forces(loaded);
  const auto fill = [&](auto& fillers) {
    using Filler = typename std::remove_reference_t<decltype(fillers.files)>::element_type;
    if (!writers_.empty()) fillers.files = std::make_unique<Filler>(model, columns, forces);
    if (plots_) fillers.plots = std::make_unique<Filler>(model, plot_columns, forces);
    if (page_samples_) fillers.page = std::make_unique<Filler>(model, page_samples_->columns(), forces);
  };
  open_page(loaded);
  if (digits > 0) {
    fill(digits_);
  } else {
    fill(doubles_);
    if (!written_.empty() || !writers_.empty() || page_samples_) {
      relay_ =
          std::make_unique<SampleRelay>([this](const Sample<double>& sample) { take(sample, doubles_); });
    }
  }
}

void RunOutput::ask_for_motion(SolveOptions& options) {
  constexpr std::size_t most_numbers = 4'000'000;  // 32 MB
  const ModelData& model = *model_.described();
  const bool is_smooth = model.events.empty() && model.contacts.empty() && model.held_signs.empty();
  const bool is_drawn = page_samples_ || plots_;
  if (!is_drawn || !is_smooth || options.digits > 0 || model_.is_kinematic()) return;
  motion_ = std::make_unique<DenseOutput>(model_.system());
  motion_->limit(most_numbers);
  motion_->take_any_method();
  options.dense_output = motion_.get();
}

namespace {

// Rows of the motion at any time.
class MotionRows {
 public:
  MotionRows(const LoadedModel& model, DenseOutput& motion, const std::vector<Column>& columns)
      : motion_(motion),
        observer_(model.system(), 1),
        rows_(model.model(), columns, constraint_forces(model)) {}

  std::span<const double> at(double t) {
    const DenseOutput::State state = motion_.at(t);
    observer_.eval({state.t, state.q, state.v, state.a, state.lambda});
    return rows_.fill({.t = state.t,
                       .q = state.q,
                       .v = state.v,
                       .a = state.a,
                       .lambda = state.lambda,
                       .outputs = state.outputs,
                       .position_residual = {},
                       .velocity_residual = {},
                       .kinetic = observer_.kinetic,
                       .potential = observer_.potential,
                       .energy = observer_.energy,
                       .work = 0});
  }

 private:
  DenseOutput& motion_;
  Observer<double> observer_;
  RowFiller<double> rows_;
};

}  // namespace

PlotFeed::MakeRow RunOutput::motion_rows() {
  if (!draws_motion_ || !motion_ || motion_->empty()) return {};
  return [this](const std::vector<Column>& columns) -> RowAt {
    const auto rows = std::make_shared<MotionRows>(model_, *motion_, columns);
    return [rows](double t) { return rows->at(t); };
  };
}

// The page, and what it draws in a browser.
void RunOutput::open_page(const LoadedModel& model) {
  const auto& [report, stills, animation] = std::tie(options_.report, options_.stills, options_.animation);
  if (!options_.with.empty()) other_ = read_other_run(options_.with);
  if (report.empty() && stills.empty() && animation.empty() && !options_.take_page) return;
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
    plots_->add(fillers.plots->fill(sample));
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
  for (const auto& writer : writers_) writer->finish(record);
  if (plots_) plots_->finish(record, motion_rows());
  if (page_samples_) write_report(record);
}

void RunOutput::finish_without_motion(const RunRecord& record) {
  draws_motion_ = false;
  finish(record);
}

void RunOutput::write_report(const RunRecord& record) {
  Page page(record);
  page.samples = page_samples_.get();
  const std::vector<EventRecord>& events = record.report.events;
  if (const PlotFeed::MakeRow rows = motion_rows()) {
    page.curves = refine_curves(*page_samples_, rows);
  } else {
    page.curves = curves_with_events(*page_samples_, events);
  }
  page.scene = make_scene(*model_.model());
  const PictureSize of_stills{960, 640};
  for (const Still& still : options_.stills) write_still(still, page, options_.size.value_or(of_stills));
  if (!options_.animation.empty()) write_animation(options_.animation, page, options_.size);
  if (options_.take_page) options_.take_page(page);
  if (options_.report.empty()) return;
  page.equations = [this] { return equations_.get(); };
  page.other = std::move(other_);
  dalembert::write_page(options_.report, page);
}

namespace {

// The sample that a row of all columns was made of.
Sample<double> sample_of(const Motion& motion, std::size_t i) {
  const std::span row = std::span(motion.numbers).subspan(i * motion.columns.size(), motion.columns.size());
  const auto part = [&](ColumnGroup group) {
    const auto [first, count] = motion.group(group);
    return row.subspan(count == 0 ? 0 : first, count);
  };
  using enum ColumnGroup;
  std::array<double, 4> energies{};  // kinematic models have none
  std::ranges::copy(part(energy), energies.begin());
  return {row.front(), part(q),  part(v),     part(a),     part(lambda), part(output),
          part(g),     part(gv), energies[0], energies[1], energies[2],  energies[3]};
}

}  // namespace

void write_outputs(const LoadedModel& model, const Motion& motion, const OutputOptions& outputs) {
  RunOutput output(model, outputs, 0);
  for (std::size_t i = 0; i < motion.samples(); ++i) output.take(sample_of(motion, i));
  output.finish(motion.record);
}

RunRecord run_to_files(const LoadedModel& model, const SolveOptions& given, const OutputOptions& outputs) {
  std::optional<DigitsScope> precision;  // of forces and outputs too
  if (given.digits > 0) precision.emplace(working_digits(complete(given)));
  RunOutput output(model, outputs, given.digits);
  RunRecord record = make_record(model, given);
  SolveOptions options = given;
  output.ask_for_motion(options);
  const auto take = [&](const auto& sample) {
    output.take(sample);
    return true;
  };
  record.report = run(model, options, {take, take});
  output.finish(record);
  return record;
}

}  // namespace dalembert::session
