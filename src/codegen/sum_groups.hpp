// The sums of a plan in groups of four, and where their operands stand in vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

/// A series by its place in a row, or j times its coefficients j.
struct Operand {
  SeriesPlan::Place place = 0;
  bool is_derivative = false;
  auto operator<=>(const Operand&) const = default;
};

class SumGroups {
 public:
  static constexpr std::size_t width = 4;
  using Vector = std::array<Operand, width>;

  struct Group {
    std::size_t a = 0, b = 0;             ///< vectors
    std::array<bool, width> per_order{};  ///< which sums are divided by k
    bool has_sums_per_order() const;
  };

  /// Of the position stage and of the velocity stage.
  explicit SumGroups(const SeriesPlan& plan);

  std::size_t vectors() const { return vectors_.size(); }
  const std::map<Vector, std::size_t>& numbered_vectors() const { return vectors_; }
  const std::vector<Group>& groups() const { return groups_; }
  /// The groups of a stage, first and behind the last.
  std::pair<std::size_t, std::size_t> range(Stage stage) const;
  /// Where the result of the sum at a place of a stage stands: its group and lane, as one number.
  std::size_t result(Stage stage, std::uint32_t sum) const { return results_.at({stage, sum}); }
  bool has(Stage stage, std::uint32_t sum) const { return results_.count({stage, sum}) > 0; }
  /// Where the coefficients of an operand are needed: vector and lane, as one number.
  const std::vector<std::size_t>& slots(const Operand& operand) const;

 private:
  struct Sum {
    Operand a, b;
    bool per_order;
    std::uint32_t place;
    std::array<std::uint32_t, 2> role;  // operation, and which of its sums
  };
  std::vector<Sum> list(const SeriesPlan::Code& code) const;
  void add(Stage stage, const SeriesPlan::Code& code);
  std::size_t vector(const Vector& operands);

  std::map<Vector, std::size_t> vectors_;
  std::map<Operand, std::vector<std::size_t>> slots_;
  std::vector<Group> groups_;
  std::map<std::pair<Stage, std::uint32_t>, std::size_t> results_;
  std::map<Stage, std::pair<std::size_t, std::size_t>> ranges_;
};

}  // namespace dalembert
