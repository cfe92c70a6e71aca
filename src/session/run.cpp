#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/digits.hpp>
#include <dalembert/output/result_writer.hpp>
#include <dalembert/output/row.hpp>
#include <dalembert/session/run.hpp>

#include "limit_watch.hpp"

namespace dalembert::session {
namespace {

// What a reader of a file wants to know of the call; its samples say when they are.
std::vector<std::pair<std::string, std::string>> options_text(const SolveOptions& solve_options) {
  std::vector<std::pair<std::string, std::string>> list{{"method", solve_options.method},
                                                        {"start", shortest(solve_options.start)},
                                                        {"duration", shortest(solve_options.duration)}};
  for (const Option& option : options()) {
    const bool is_there =
        std::ranges::any_of(list, [&](const auto& entry) { return entry.first == option.key; });
    if (is_there || option.key == "output_step" || option.key == "times") continue;
    if (const auto value = get_option(solve_options, option))
      list.emplace_back(option.key, dalembert::text_of(*value));
  }
  return list;
}

// Keeps rows of all columns.
template <class S>
class RowKeeper {
 public:
  RowKeeper(const LoadedModel& model, Motion& motion, const RowWatcher& watcher, int digits = 0)
      : filler_(model.row_program(), parameters_of(model)),
        motion_(motion),
        watcher_(watcher),
        digits_(digits) {}

  bool operator()(const Sample<S>& sample) {
    const std::size_t first = motion_.numbers.size();
    for (const S& value : filler_.fill(sample)) {
      motion_.numbers.push_back(static_cast<double>(value));
      if constexpr (std::is_same_v<S, Real>) motion_.decimals.push_back(value.str(digits_));
    }
    return !watcher_ || watcher_(std::span(motion_.numbers).subspan(first));
  }

 private:
  static std::unordered_map<NodeId, S> parameters_of(const LoadedModel& model) {
    return model.is_kinematic() ? parameter_values<S>(*model.described())
                                : model.system().parameter_values<S>();
  }

  RowFiller<S> filler_;
  Motion& motion_;
  const RowWatcher& watcher_;
  int digits_;
};

}  // namespace

RunReport run(const LoadedModel& model, const SolveOptions& options, const SampleTaker& taker) {
  LimitWatch limits(*model.described());
  const auto watched = [&](const auto& take) {
    return [&limits, &take](const auto& sample) {
      limits.look(sample);
      return !take || take(sample);
    };
  };
  const SampleSink<double> doubles = watched(taker.doubles);
  RunReport report = model.is_kinematic() ? solve(model.kinematic_system(), options, doubles)
                     : options.digits > 0
                         ? solve(model.system(), options, SampleSink<Real>(watched(taker.digits)))
                         : solve(model.system(), options, doubles);
  limits.add_note(report);
  return report;
}

Motion run(const LoadedModel& model, const SolveOptions& options) { return run_watched(model, options, {}); }

Motion run_watched(const LoadedModel& model, const SolveOptions& options, const RowWatcher& watcher) {
  Motion result{make_record(model, options), model.row_program()->columns, {}, {}};
  if (options.digits > 0) {
    const DigitsScope precision(working_digits(complete(options)));  // of forces, too
    RowKeeper<Real> keep(model, result, watcher, options.digits);
    result.record.report = run(model, options, {{}, std::ref(keep)});
  } else {
    RowKeeper<double> keep(model, result, watcher);
    result.record.report = run(model, options, {std::ref(keep), {}});
  }
  return result;
}

Motion run(const LoadedModel& model, std::span<const GivenOption> given) {
  SolveOptions options = options_for(*model.described(), given);
  options.estimate_error = true;
  return run(model, options);
}

std::pair<std::size_t, std::size_t> Motion::group(ColumnGroup wanted) const {
  const auto first = std::ranges::find(columns, wanted, &Column::group);
  const auto count = std::ranges::count(columns, wanted, &Column::group);
  return {static_cast<std::size_t>(first - columns.begin()), static_cast<std::size_t>(count)};
}

std::vector<double> Motion::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &Column::name);
  if (found == columns.end()) {
    std::vector<std::string> names;
    for (const Column& one : columns) names.push_back(one.name);
    throw Error(fmt::format("there is no column '{}'{}", name, suggestion(name, names)));
  }
  std::vector<double> values(samples());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = at(i, static_cast<std::size_t>(found - columns.begin()));
  return values;
}

ConstraintForces constraint_forces(const LoadedModel& model) {
  return model.is_kinematic() ? ConstraintForces{} : dalembert::constraint_forces(model.equations());
}

RunRecord make_record(const LoadedModel& model) {
  RunRecord record(model.described());
  record.generator = "dalembert " DALEMBERT_VERSION;
  record.settings = model.source().settings;
  return record;
}

RunRecord make_record(const LoadedModel& model, const SolveOptions& options) {
  RunRecord record = make_record(model);
  record.options = options_text(options);
  record.asked_end_time = options.start + options.duration;
  return record;
}

void write(const std::filesystem::path& file, const Motion& motion) {
  const std::unique_ptr<ResultWriter> writer = make_writer(file, motion.columns);
  for (std::size_t i = 0; i < motion.samples(); ++i)
    writer->add(std::span(motion.numbers).subspan(i * motion.columns.size(), motion.columns.size()));
  writer->finish(motion.record);
}

}  // namespace dalembert::session
