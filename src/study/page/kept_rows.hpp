// Rows that a page shows one by one: samples and extremes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dalembert::study {

struct KeptRow {
  std::uint64_t row = 0;
  std::vector<double> values;
  std::string reason;
};

/// So many of the rows, each with the same chance, the same ones whenever the rows are these.
class RowSample {
 public:
  explicit RowSample(std::size_t most) : most_(most) {}

  void add(std::uint64_t row, std::span<const double> values, const std::string& reason);
  std::uint64_t added() const { return added_; }
  /// In their order; the sample is empty behind it.
  std::vector<KeptRow> take();

 private:
  struct Drawn {
    double number;  // the rows with the least are kept
    KeptRow kept;
  };
  std::size_t most_;
  std::uint64_t added_ = 0;
  std::vector<Drawn> heap_;
};

/// The rows with the least and the greatest finite values of a column; of equal ones the first.
class ExtremeRows {
 public:
  ExtremeRows(std::size_t column, std::size_t most) : column_(column), most_(most) {}

  void add(std::uint64_t row, std::span<const double> values, const std::string& reason);
  /// The most extreme first.
  const std::vector<KeptRow>& least() const { return least_; }
  const std::vector<KeptRow>& greatest() const { return greatest_; }

 private:
  void insert(std::vector<KeptRow>& list, double sign, std::uint64_t row, std::span<const double> values,
              const std::string& reason) const;

  std::size_t column_, most_;
  std::vector<KeptRow> least_, greatest_;
};

}  // namespace dalembert::study
