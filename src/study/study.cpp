#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/study/study.hpp>

#include "alike_rows.hpp"
#include "kept_motions.hpp"
#include "row_bytes.hpp"
#include "study_functions.hpp"

namespace dalembert::study {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_lanes = 8;  // of solve_batch()

std::vector<std::string> functions_of(const std::vector<Collected>& collected,
                                      const std::vector<Collected>& sampled) {
  std::vector<std::string> texts;
  for (const auto* list : {&collected, &sampled}) {
    for (const Collected& one : *list) {
      if (is_of_motion(one.kind) && std::ranges::find(texts, one.of) == texts.end()) texts.push_back(one.of);
    }
  }
  return texts;
}

void check_events(const ModelData& model, const std::vector<Collected>& collected) {
  std::vector<std::string> names;
  for (const Event& event : model.events) names.push_back(event.name);
  for (const Contact& contact : model.contacts) names.push_back(contact.name);
  for (const Collected& one : collected) {
    if (is_of_motion(one.kind) || std::ranges::find(names, one.of) != names.end()) continue;
    const std::string hint = names.empty() ? ": the model has none" : suggestion(one.of, names);
    throw Error(fmt::format("--collect {}: there is no event or contact '{}'{}", one.name, one.of, hint));
  }
}

SolveOptions study_options(const ModelData& model, const std::vector<GivenOption>& given) {
  SolveOptions options = options_for(model, given, Spelling::flag);
  if (options.method != "adomian")
    throw Error(fmt::format("studies are computed by 'adomian', not by '{}'", options.method));
  if (options.digits > 0) throw Error("studies are computed in doubles: --digits is of `dalembert run`");
  options = complete(options);
  options.output_times = {options.start + options.duration};  // motions are kept by PathWatch
  options.output_step = 0;
  options.estimate_error = false;
  options.threads = 1;
  // by the interpreter unless asked otherwise: "auto" changes to compiled code at some moment of its own
  if (options.native != "on") options.native = "off";
  return options;
}

double number_of_events(const RunReport& report, const Collected& one) {
  double count = 0;
  for (const EventRecord& event : report.events) {
    if (event.name != one.of) continue;
    if (one.kind == Collected::Kind::time) return event.t;
    ++count;
  }
  return one.kind == Collected::Kind::time ? none : count;
}

double number_of_motion(const PathSummary& sum, Collected::Kind kind) {
  using enum Collected::Kind;
  switch (kind) {
    case end:
      return sum.last;
    case max:
      return sum.max;
    case argmax:
      return sum.max_time;
    case min:
      return sum.min;
    case argmin:
      return sum.min_time;
    case integral:
      return sum.integral + sum.integral_lost;
    case mean:
      return (sum.integral + sum.integral_lost) / (sum.end_time - sum.start_time);
    case time:
    case count:
    case motion:
      break;
  }
  return none;
}

}  // namespace

Study::Study(StudyDescription description)
    : description_(std::move(description)),
      plan_(description_.variation),
      collected_(parse_collected(description_.collect)),
      sampled_(take_sampled(collected_, description_.model)),
      model_(load_for_study(description_.model, plan_.names(), functions_of(collected_, sampled_))),
      options_(study_options(*model_.described(), description_.options)),
      texts_(functions_of(collected_, sampled_)) {
  check_events(*model_.described(), collected_);
  describe_inputs();
  times_ = motion_times(*model_.described(), description_.options, sampled_.size());
  compile_functions();
  name_columns();
  if (options_.native == "on") code_ = make_batch_code(model_.system());
  modes_ = make_shared_modes(model_.system());
}

// Data of a file are not part of the model's text.
void Study::describe_inputs() {
  for (const Input& input : model_.described()->inputs) {
    std::string bytes;
    for (std::size_t i = 0; i < input.curve.size(); ++i) put(bytes, input.curve[i]);
    for (const double end : {input.curve.first_time(), input.curve.last_time()}) put(bytes, end);
    const std::string sum = fmt::format("{:016x}", checksum(bytes));
    const auto [known, is_new] = description_.inputs.emplace(input.name, sum);
    if (!is_new && known->second != sum)
      throw Error(
          fmt::format("the data of the input '{}' are not those that the study was made with", input.name));
  }
}

void Study::compile_functions() {
  const StudyFunctions found = find_functions(model_, texts_);
  functions_ = std::make_shared<const PathFunctions>(model_.described(), found.graph, found.expressions);
  wants_.resize(texts_.size());
  for (const Collected& one : collected_) {
    const auto function = static_cast<std::size_t>(std::ranges::find(texts_, one.of) - texts_.begin());
    function_of_.push_back(function);
    if (!is_of_motion(one.kind)) continue;
    using enum Collected::Kind;
    wants_[function].extremes |=
        one.kind == max || one.kind == min || one.kind == argmax || one.kind == argmin;
    wants_[function].integral |= one.kind == mean || one.kind == integral;
  }
  for (const Collected& one : sampled_)
    wants_[static_cast<std::size_t>(std::ranges::find(texts_, one.of) - texts_.begin())].samples = true;
}

void Study::name_columns() {
  const ModelData& model = *model_.described();
  const auto unit = [&](const std::string& name) {
    const auto found = model.units.find(name);
    return found == model.units.end() ? std::string() : found->second.text;
  };
  for (const std::string& name : plan_.names()) {
    for (const char* own : {"row", "reason", "reason_row", "study"}) {
      if (name == own)
        throw Error(
            fmt::format("'{}' cannot be varied: results of studies have something else of that name; give "
                        "the parameter another name",
                        name));
    }
    columns_.push_back({name, unit(name), StudyColumn::Kind::varied});
  }
  for (const Collected& one : collected_) {
    using enum Collected::Kind;
    const bool is_time = one.kind == argmax || one.kind == argmin || one.kind == time;
    const bool is_value = one.kind == end || one.kind == max || one.kind == min || one.kind == mean;
    columns_.push_back({one.name,
                        is_time    ? unit("t")
                        : is_value ? unit(one.of)
                                   : "",
                        StudyColumn::Kind::collected});
  }
  for (const char* name : {"outcome", "end_time", "steps"}) {
    const bool taken =
        std::ranges::any_of(columns_, [&](const StudyColumn& one) { return one.name == name; });
    columns_.push_back({taken ? fmt::format("run.{}", name) : name,
                        std::string(name) == "end_time" ? unit("t") : "", StudyColumn::Kind::run});
  }
  for (const Collected& one : sampled_)
    motions_.push_back({one.name, unit(one.of), StudyColumn::Kind::motion});
}

std::optional<RowBlock> Study::run(std::uint64_t number, const std::function<bool()>& go_on) const {
  RowBlock block;
  block.first = number * block_rows;
  block.count = static_cast<std::size_t>(std::min<std::uint64_t>(block_rows, plan_.rows() - block.first));
  block.values.assign(block.count * columns_.size(), none);
  block.motions.assign(block.count * row_width().motion, none);
  for (std::size_t i = 0; i < block.count; ++i)
    plan_.eval(block.first + i, row_of(block, i).first(plan_.names().size()));
  if (!run_rows(block, 0, block.count, go_on)) return std::nullopt;
  std::ranges::sort(block.reasons);
  return block;
}

// Where a row is the caller's mistake, as a length that is none, the others are run without it.
bool Study::run_rows(RowBlock& block, std::size_t from, std::size_t to,
                     const std::function<bool()>& go_on) const {
  const std::size_t width = plan_.names().size();
  std::vector<double> varied;
  for (std::size_t i = from; i < to; ++i) {
    const std::span<double> values = row_of(block, i).first(width);
    varied.insert(varied.end(), values.begin(), values.end());
  }
  std::vector<std::size_t> rows = find_alike_rows(varied, width, most_lanes);  // in the order of the cases
  std::vector<BatchCase> cases(rows.size());
  for (std::size_t c = 0; c < rows.size(); ++c) {
    rows[c] += from;
    for (std::size_t k = 0; k < width; ++k)
      cases[c].parameters.emplace_back(plan_.names()[k], row_of(block, rows[c])[k]);
  }
  PathWatch watch(functions_, wants_, options_.tolerance);
  watch.sample_at(times_);
  watch.begin(cases.size());
  SolveOptions options = options_;
  options.path_watch = &watch;
  options.progress = [&](const Progress&) { return go_on(); };
  try {
    const BatchReport report = solve_batch(model_.system(), cases, options, {}, code_, modes_);
    if (report.interrupted) return false;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      const CaseReport& one = report.cases[c];
      const std::size_t i = rows[c];
      fill(row_of(block, i), one, watch, c);
      fill_motion(motion_of(block, i), watch, c);
      if (one.outcome == Outcome::finished) continue;
      block.reasons.emplace_back(static_cast<std::uint32_t>(i),
                                 one.outcome == Outcome::doubtful ? join(one.doubts, "; ") : one.reason);
    }
  } catch (const Error& error) {
    if (to - from == 1) {
      const std::span<double> row = row_of(block, from);
      row[outcome_column()] = static_cast<double>(Outcome::stopped_early);
      row[outcome_column() + 1] = options_.start;
      row[outcome_column() + 2] = 0;
      block.reasons.emplace_back(static_cast<std::uint32_t>(from), error.message());
      return go_on();
    }
    for (std::size_t i = from; i < to; ++i)
      if (!run_rows(block, i, i + 1, go_on)) return false;
  }
  return true;
}

void Study::fill(std::span<double> row, const RunReport& report, const PathWatch& watch,
                 std::size_t motion) const {
  std::size_t column = plan_.names().size();
  for (std::size_t i = 0; i < collected_.size(); ++i) {
    const Collected& one = collected_[i];
    const double x = is_of_motion(one.kind)
                         ? number_of_motion(watch.summary(motion, function_of_[i]), one.kind)
                         : number_of_events(report, one);
    row[column++] = std::isnan(x) ? none : x;  // of one kind, without a sign
  }
  row[column++] = static_cast<double>(report.outcome);
  row[column++] = report.end_time;
  row[column++] = static_cast<double>(report.steps);
}

void Study::fill_motion(std::span<double> motion, const PathWatch& watch, std::size_t number) const {
  for (std::size_t i = 0; i < sampled_.size(); ++i) {
    const auto function =
        static_cast<std::size_t>(std::ranges::find(texts_, sampled_[i].of) - texts_.begin());
    std::ranges::transform(watch.samples(number, function),
                           motion.begin() + static_cast<std::ptrdiff_t>(i * times_.size()),
                           [](double x) { return std::isnan(x) ? none : x; });
  }
}

const char* kind_word(StudyColumn::Kind kind) {
  switch (kind) {
    case StudyColumn::Kind::varied:
      return "varied";
    case StudyColumn::Kind::collected:
      return "collected";
    case StudyColumn::Kind::motion:
      return "motion";
    case StudyColumn::Kind::run:
      break;
  }
  return "run";
}

std::vector<std::string> settings_of(const StudyPlan& plan, std::uint64_t row) {
  if (row >= plan.rows())
    throw Error(fmt::format("the study has rows 0 to {}; there is no row {}", plan.rows() - 1, row));
  std::vector<double> values(plan.names().size());
  plan.eval(row, values);
  std::vector<std::string> settings;
  for (std::size_t i = 0; i < values.size(); ++i)
    settings.push_back(plan.names()[i] + "=" + shortest(values[i]));
  return settings;
}

}  // namespace dalembert::study
