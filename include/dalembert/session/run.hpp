// A run of a model, and its numbers as arrays.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/output/columns.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/session/loaded_model.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert::session {

/// Who takes the samples of a run: in doubles, or those of a run with digits. Returns false to stop it.
struct SampleTaker {
  SampleSink<double> doubles;
  SampleSink<Real> digits;
};

/// Runs and hands over samples as they are computed. What the user should know of joints beyond their limits
/// is among the warnings.
RunReport run(const LoadedModel& model, const SolveOptions& options, const SampleTaker& taker);

/// A run with all its numbers.
struct Motion {
  RunRecord record;
  std::vector<Column> columns;
  std::vector<double> numbers;             ///< a row of all columns per sample; of a run with digits rounded
  std::vector<std::string> decimals = {};  ///< the same with all digits of such a run; else empty

  const RunReport& report() const { return record.report; }
  std::size_t samples() const { return columns.empty() ? 0 : numbers.size() / columns.size(); }
  double at(std::size_t sample, std::size_t column) const {
    return numbers[sample * columns.size() + column];
  }
  /// The columns of a group, first and how many: they stand side by side.
  std::pair<std::size_t, std::size_t> group(ColumnGroup group) const;
  /// By its name: t, theta1, theta1', theta1'', lambda(pin), an output. Throws Error with the nearest name.
  std::vector<double> column(std::string_view name) const;
};

/// Who looks at each row of numbers as it is computed. Returns false to stop the run.
using RowWatcher = std::function<bool(std::span<const double> row)>;

/// All columns: t, q, v, a, λ, forces, outputs, energies, residuals.
Motion run(const LoadedModel& model, const SolveOptions& options);
Motion run_watched(const LoadedModel& model, const SolveOptions& options, const RowWatcher& watcher);
/// The model's options with those of the call instead.
Motion run(const LoadedModel& model, std::span<const GivenOption> given = {});
inline Motion run(const LoadedModel& model, std::initializer_list<GivenOption> given) {
  return run(model, std::span(given.begin(), given.size()));
}

/// −Cᵀ λ of each coordinate; kinematic models have none.
ConstraintForces constraint_forces(const LoadedModel& model);

/// What files say of a run besides its numbers; the report is still empty. The model is the one described().
RunRecord make_record(const LoadedModel& model, const SolveOptions& options);
/// The same where there is no run of its own.
RunRecord make_record(const LoadedModel& model);

/// A file by its suffix: .csv, .json, .npz, .h5. Throws Error for another one, OutputError where it cannot be
/// written.
void write(const std::filesystem::path& file, const Motion& motion);

}  // namespace dalembert::session
