// What varies in a study, row by row: grids, lists, tables, random and quasi-random samples. A row is known
// by its number alone, so it can be made in any order, by any thread or process, again at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dalembert/study/distribution.hpp>

namespace dalembert::study {

/// As on the command line.
struct Variation {
  /// "l1=0.1:0.5:50", "mass=log(1,100,20)", "l1=0.1,0.2,0.3", or the text of a table behind table_mark.
  std::vector<std::string> vary = {};
  std::vector<std::string> samples = {};  ///< "friction=normal(0.3,0.05)"
  std::uint64_t runs = 0;                 ///< samples for each point of the grid
  std::uint64_t seed = 0;
  bool sobol = false;    ///< samples by Sobol's sequence
  bool indices = false;  ///< rows for Sobol's indices: runs (d + 2) for d samples

  /// Comma-separated values with names in the first line: its rows are varied together.
  static constexpr const char* table_mark = "table:";
};

class StudyPlan {
 public:
  /// Throws Error.
  explicit StudyPlan(const Variation& variation);

  std::uint64_t rows() const { return rows_; }
  /// Of what varies, in the order of the values.
  const std::vector<std::string>& names() const { return names_; }
  /// The last grid runs fastest, samples faster still.
  void eval(std::uint64_t row, std::span<double> values) const;
  /// Of the name with this place, of a grid or table in its order; none: it is drawn at random.
  std::vector<double> values_of(std::size_t name) const;

  static constexpr std::uint64_t most_rows = 1'000'000'000'000;

 private:
  struct Grid {
    std::size_t width, points;
    std::vector<double> values;  // [point][name]
  };
  void add_grid(const std::string& text);
  void add_table(const std::string& text);
  void add_sample(const std::string& text);
  void add_name(const std::string& name);
  void count_rows(const Variation& variation);
  double unit_number(std::uint64_t sample, std::size_t dimension) const;
  void eval_samples(std::uint64_t sample, std::span<double> values) const;

  std::vector<std::string> names_;
  std::vector<Grid> grids_;
  std::vector<Distribution> samples_;
  std::uint64_t rows_ = 1, runs_ = 1, seed_ = 0;
  bool sobol_ = false, indices_ = false;
};

}  // namespace dalembert::study
