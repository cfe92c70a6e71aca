// A study from its first row to its files: what is computed goes to a log of rows beside the first file, from
// which the files are made now and then and at the end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <dalembert/study/executor.hpp>
#include <dalembert/study/sensitivity.hpp>
#include <dalembert/study/study.hpp>
#include <dalembert/study/study_page.hpp>

namespace dalembert::study {

struct SweepProgress {
  std::uint64_t rows, all_rows;
  std::uint64_t rows_before;  ///< that were there when this call began
  double seconds;             ///< since then
};

struct SweepOptions {
  std::vector<std::string> files;  ///< .h5, .parquet, .csv; at least one
  std::string page = {};           ///< .html, written at the end; empty: none
  RowCall row_call = {};           ///< what the page says to have a run again
  bool resume = false;             ///< go on with what an earlier call has left
  double checkpoint = 10;  ///< seconds between two states of the files, or twenty times what one takes
  std::function<void(const SweepProgress&)> progress = {};  ///< after each block
  std::function<bool()> go_on = {};                         ///< false: ends with what is there
  std::function<void()> computed = {};                      ///< files and page are written next
};

/// Of the runs that reached their end.
struct ColumnSummary {
  std::string name, unit;
  std::uint64_t count = 0;  ///< of finite values
  double mean = 0, deviation = 0;
  double min = 0, max = 0;
  std::uint64_t min_row = 0, max_row = 0;
  std::vector<SobolIndex> indices;  ///< by what varies, where asked for
};

struct FailureSummary {
  std::string reason;  ///< of the first of its kind
  std::uint64_t count = 0, first_row = 0;
};

struct SweepReport {
  std::string title;
  std::uint64_t rows = 0, all_rows = 0, computed = 0;  ///< there, of the study, by this call
  std::array<std::uint64_t, 4> outcomes{};             ///< by Outcome
  std::vector<ColumnSummary> columns;                  ///< varied and collected ones
  std::vector<std::string> varied;
  std::vector<FailureSummary> failures;  ///< the most frequent first
  std::string trouble;                   ///< why files are not as they should be; empty: they are
  std::vector<std::string> files;
  std::string log;          ///< where rows wait for --resume; empty: nothing is left to do
  bool begun_anew = false;  ///< it was to be resumed, but nothing was there
  double seconds = 0;
  int processes = 1, threads = 1;  ///< threads of each process
  double busy = 0;                 ///< seconds that threads have spent in runs, all together

  bool is_complete() const { return rows == all_rows && trouble.empty(); }
};

/// Throws Error where the files are of something else, or an unfinished study is there that nobody resumes.
SweepReport sweep(const Study& study, Executor& executor, const SweepOptions& options);

/// For people, in 80 columns.
std::string to_text(const SweepReport& report);

}  // namespace dalembert::study
