#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/output/atomic_file.hpp>
#include <dalembert/output/page.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/output/table_file.hpp>
#include <dalembert/output/table_rows.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/study/row_log.hpp>
#include <dalembert/study/row_summary.hpp>
#include <dalembert/study/study_page.hpp>
#include <dalembert/study/sweep.hpp>

namespace dalembert::study {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<TableColumn> table_columns(const Study& study) {
  std::vector<TableColumn> columns{{.name = "row", .kind = "run"}};
  for (const StudyColumn& one : study.columns()) columns.push_back({one.name, one.unit, kind_word(one.kind)});
  columns[study.outcome_column() + 1].words = {
      outcome_word(Outcome::finished), outcome_word(Outcome::doubtful), outcome_word(Outcome::stopped_early),
      outcome_word(Outcome::interrupted)};
  return columns;
}

TableCurves table_curves(const Study& study) {
  TableCurves curves;
  if (study.motions().empty()) return curves;
  const auto& units = study.model().described()->units;
  const auto unit = units.find("t");
  curves.axis = {"t", unit == units.end() ? "" : unit->second.text, "time"};
  curves.points = study.times();
  for (const StudyColumn& one : study.motions())
    curves.curves.push_back({one.name, one.unit, kind_word(one.kind)});
  return curves;
}

template <class Take>
void for_each_block(const Study& study, const RowLog& log, bool with_motions, const Take& take) {
  for (std::uint64_t number = 0; number < study.blocks(); ++number)
    if (log.has(number)) take(log.read(number, with_motions));
}

// take(row, values, reason) of all rows that are there, in their order.
template <class Take>
void for_each_row(const Study& study, const RowBlock& block, const Take& take) {
  const std::size_t width = study.columns().size();
  auto reason = block.reasons.begin();
  for (std::size_t i = 0; i < block.count; ++i) {
    const bool has_reason = reason != block.reasons.end() && reason->first == i;
    take(block.first + i, std::span(block.values).subspan(i * width, width),
         has_reason ? (reason++)->second : std::string());
  }
}
template <class Take>
void for_each_row(const Study& study, const RowLog& log, const Take& take) {
  for_each_block(study, log, false, [&](const RowBlock& block) { for_each_row(study, block, take); });
}

void write_file(const std::string& file, const Study& study, const RowLog& log) {
  const std::unique_ptr<TableWriter> table =
      make_table_writer(file, table_columns(study), "reason", table_curves(study));
  std::vector<double> numbers;
  const std::size_t motion = study.row_width().motion;
  for_each_block(study, log, motion > 0, [&](const RowBlock& block) {
    for_each_row(
        study, block, [&](std::uint64_t row, std::span<const double> values, const std::string& reason) {
          numbers.assign(1, static_cast<double>(row));
          numbers.insert(numbers.end(), values.begin(), values.end());
          table->add(numbers, reason);
          if (motion > 0)
            table->add_curves(std::span(block.motions).subspan((row - block.first) * motion, motion));
        });
  });
  const StudyDescription& of = study.description();
  const bool complete = log.rows() == study.plan().rows();
  table->finish({{{"study", to_json(of)}},
                 {{"generator", session::make_record(study.model()).generator},
                  {"title", heading_of(*study.model().described())},
                  {"state", complete ? "complete" : "partial"}},
                 {{"rows", log.rows()}, {"all_rows", study.plan().rows()}, {"seed", of.variation.seed}}});
}

class Sweep {
 public:
  Sweep(const Study& study, Executor& executor, const SweepOptions& options)
      : study_(study), executor_(executor), options_(options) {
    report_.title = heading_of(*study.model().described());
    report_.all_rows = study.plan().rows();
    for (const std::string& file : options.files) check_table_name(file, !study.motions().empty());
    if (!options.page.empty()) {
      check_page_name(options.page);
      const AtomicFile probe(options.page, FileAccess::random);
    }
    if (options.files.empty()) throw Error("a study needs a file for its results, .h5, .parquet or .csv");
  }

  SweepReport run() {
    const fs::path log_file = options_.files.front() + ".rows";
    std::error_code unknown;
    if (!options_.resume && fs::file_size(log_file, unknown) > 0 && !unknown) {
      throw Error(
          fmt::format("'{}' has rows of a study that is not complete: go on with --resume, or remove it",
                      log_file.string()));
    }
    if (options_.resume && !fs::exists(log_file) && is_done())
      return options_.page.empty() ? report_ : report_of_file();
    refuse_unwritable_files();
    report_.begun_anew = options_.resume && !fs::exists(log_file);
    log_.emplace(log_file, study_);
    report_.log = log_file;
    rows_before_ = log_->rows();
    try {
      compute();
      if (options_.computed) options_.computed();
      write_files();
      write_page([this](const TakeRow& take) { for_each_row(study_, *log_, take); });
    } catch (const OutputError& error) {
      report_.trouble = error.message();
    }
    finish();
    return report_;
  }

 private:
  // Before anything is computed.
  void refuse_unwritable_files() const {
    try {
      for (const std::string& file : options_.files) AtomicFile(file, FileAccess::random);
    } catch (const OutputError& error) {
      throw Error(error.message());
    }
  }

  // The first file has all rows of this very study.
  bool is_done() {
    const std::string& file = options_.files.front();
    if (!fs::exists(file)) return false;
    const std::string other = difference(read_table_text(file, "study"), study_.description());
    if (!other.empty())
      throw Error(
          fmt::format("'{}' is of another study (other: {}): nothing of it can be resumed", file, other));
    report_.rows = report_.all_rows;
    report_.files = {file};
    return true;
  }

  // What the complete file says, and the page of it.
  SweepReport report_of_file() {
    const TableRows rows =
        read_table_rows(report_.files.front(), table_columns(study_), report_.rows, "reason");
    const EachRow each_row = [&](const TakeRow& take) {
      for (std::uint64_t i = 0; i < report_.rows; ++i) {
        const auto remark = rows.remarks.find(i);
        take(i, rows.row(i), remark == rows.remarks.end() ? "" : remark->second);
      }
    };
    RowSummary summary(study_);
    each_row([&](std::uint64_t row, std::span<const double> values, const std::string& reason) {
      summary.add(row, values, reason);
    });
    summary.put(report_);
    try {
      write_page(each_row);
    } catch (const OutputError& error) {
      report_.trouble = error.message();
    }
    report_.files.erase(report_.files.begin());  // it was there
    return report_;
  }

  void compute() {
    const NextBlock next = [this, number = std::uint64_t{0}]() mutable -> std::optional<std::uint64_t> {
      while (number < study_.blocks() && log_->has(number)) ++number;
      if (number == study_.blocks()) return std::nullopt;
      return number++;
    };
    executor_.run(
        study_, next, [this](RowBlock&& block) { take(block); },
        [this] { return !options_.go_on || options_.go_on(); });
  }

  void take(const RowBlock& block) {
    log_->append(block);
    if (options_.progress)
      options_.progress({log_->rows(), report_.all_rows, rows_before_, seconds_since(begin_)});
    const double first = std::min(options_.checkpoint, 1.0);  // so that soon there is something to look at
    const double interval = checkpoints_ == 0 ? first : std::max(options_.checkpoint, 20 * cost_);
    if (seconds_since(last_) < interval) return;
    write_files();
    ++checkpoints_;
  }

  void write_files() {
    const Clock::time_point begin = Clock::now();
    log_->flush();
    for (const std::string& file : options_.files) write_file(file, study_, *log_);
    report_.files = options_.files;
    cost_ = seconds_since(begin);
    last_ = Clock::now();
  }

  void write_page(const EachRow& each_row) {
    if (options_.page.empty()) return;
    write_study_page(options_.page, study_, each_row, options_.row_call);
    report_.files.push_back(options_.page);
  }

  void finish() {
    report_.rows = log_->rows();
    report_.computed = report_.rows - rows_before_;
    report_.seconds = seconds_since(begin_);
    report_.busy = executor_.busy_seconds();
    RowSummary summary(study_);
    for_each_row(study_, *log_,
                 [&](std::uint64_t row, std::span<const double> values, const std::string& reason) {
                   summary.add(row, values, reason);
                 });
    summary.put(report_);
    if (!report_.is_complete()) return;
    log_->remove();
    report_.log.clear();
  }

  const Study& study_;
  Executor& executor_;
  const SweepOptions& options_;
  std::optional<RowLog> log_;
  SweepReport report_;
  std::uint64_t rows_before_ = 0;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
  double cost_ = 0;  // of writing the files, in seconds
  int checkpoints_ = 0;
};

}  // namespace

SweepReport sweep(const Study& study, Executor& executor, const SweepOptions& options) {
  return Sweep(study, executor, options).run();
}

}  // namespace dalembert::study
