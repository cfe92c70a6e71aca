// A study: many runs of one model. The plan says what each row varies; this makes rows of numbers of it,
// block by block; an executor (executor.hpp) says where; a store (row_log.hpp) keeps them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/session/loaded_model.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/path_watch.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/study/collected.hpp>
#include <dalembert/study/study_plan.hpp>

namespace dalembert::study {

/// All that a study is: the same description gives the same numbers.
struct StudyDescription {
  session::ModelSource model;
  Variation variation;
  std::vector<std::string> collect;       ///< "max(theta1), end(x)"; see parse_collected()
  std::vector<GivenOption> options = {};  ///< of runs, instead of the model's
  /// Checksums of the model's inputs, whose data may stand in files of their own; a Study fills them in.
  std::map<std::string, std::string> inputs = {};
};

/// With the program's version and the model's text; what from_json() reads.
std::string to_json(const StudyDescription& description);
/// Throws Error for what is no study.
StudyDescription from_json(const std::string& text);
/// What the study of a text of to_json() has otherwise: "--vary, the model"; empty: nothing. Where the
/// model's file lies does not count.
std::string difference(const std::string& text, const StudyDescription& description);

/// What makes a row a run of its own: "l1=0.3", "theta1'=2". Throws Error where there is no such row.
std::vector<std::string> settings_of(const StudyPlan& plan, std::uint64_t row);

struct StudyColumn {
  enum class Kind { varied, collected, run, motion };
  std::string name;
  std::string unit;  ///< empty: none known
  Kind kind;
};

/// "varied", "collected", "run", "motion".
const char* kind_word(StudyColumn::Kind kind);

/// How many numbers a row has.
struct RowWidth {
  std::size_t columns, motion;
};

/// Rows first, first + 1, ...: numbers of all columns, motions, and why runs did not end as they should.
struct RowBlock {
  std::uint64_t first = 0;
  std::size_t count = 0;
  std::vector<double> values;                                  ///< [row][column]
  std::vector<std::pair<std::uint32_t, std::string>> reasons;  ///< by row of the block
  std::vector<double> motions;                                 ///< [row][function][time]
};

class Study {
 public:
  /// Reads the model and compiles what all rows share; throws Error.
  explicit Study(StudyDescription description);

  const StudyDescription& description() const { return description_; }
  const StudyPlan& plan() const { return plan_; }
  const session::LoadedModel& model() const { return model_; }
  /// What varies, what is collected, then outcome (of Outcome, as a number), end_time, steps.
  const std::vector<StudyColumn>& columns() const { return columns_; }
  std::size_t outcome_column() const { return columns_.size() - 3; }
  /// What is kept of the motion of each row, and at which times.
  const std::vector<StudyColumn>& motions() const { return motions_; }
  const std::vector<double>& times() const { return times_; }
  RowWidth row_width() const { return {columns_.size(), motions_.size() * times_.size()}; }

  /// Rows are computed in blocks of so many, whose rows share lanes eight by eight, alike ones together: who
  /// shares lanes with whom does not depend on the executor, nor do the numbers.
  static constexpr std::size_t block_rows = 64;
  std::uint64_t blocks() const { return (plan_.rows() + block_rows - 1) / block_rows; }
  /// Any number of threads may call it. A row whose run fails says so. Nothing: `go_on` returned false.
  std::optional<RowBlock> run(std::uint64_t block, const std::function<bool()>& go_on) const;

 private:
  void describe_inputs();
  void compile_functions();
  void name_columns();
  bool run_rows(RowBlock& block, std::size_t from, std::size_t to, const std::function<bool()>& go_on) const;
  void fill(std::span<double> row, const RunReport& report, const PathWatch& watch, std::size_t motion) const;
  void fill_motion(std::span<double> motion, const PathWatch& watch, std::size_t number) const;
  std::span<double> row_of(RowBlock& block, std::size_t i) const {
    return std::span(block.values).subspan(i * columns_.size(), columns_.size());
  }
  std::span<double> motion_of(RowBlock& block, std::size_t i) const {
    return std::span(block.motions).subspan(i * row_width().motion, row_width().motion);
  }

  StudyDescription description_;
  StudyPlan plan_;
  std::vector<Collected> collected_;
  std::vector<Collected> sampled_;  // along motions
  session::LoadedModel model_;
  SolveOptions options_;
  std::vector<std::string> texts_;        // of functions of the motion, each once
  std::vector<std::size_t> function_of_;  // of what is collected
  std::shared_ptr<const PathFunctions> functions_;
  std::vector<PathWatch::Wants> wants_;
  std::vector<StudyColumn> columns_, motions_;
  std::vector<double> times_;
  BatchCode code_;  // none: the interpreter
  SharedModes modes_;
};

}  // namespace dalembert::study
