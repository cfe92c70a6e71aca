// The sums of a plan in groups that the lanes of a vector form together, and where their operands stand in
// vectors.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

/// When coefficient K of a series is known, in the order of time.
enum class Known {
  always,
  position,      ///< q, by the solution of order K − 2
  early_sums,    ///< sums of q, at the beginning of order K − 1
  early_rows,    ///< what else depends on q alone, before the solution of order K − 1
  velocity,      ///< v, by that solution
  late_rows,     ///< what depends on v, in order K
  acceleration,  ///< a and λ, by the solution of order K
  last_rows,     ///< sums of them
};

/// A series by its place in a row, or j times its coefficients j.
struct Operand {
  SeriesPlan::Place place = 0;
  bool is_derivative = false;
  auto operator<=>(const Operand&) const = default;
};

class SumGroups {
 public:
  using Vector = std::vector<Operand>;  // of each lane

  struct Group {
    std::size_t a = 0, b = 0;     ///< vectors
    std::vector<bool> per_order;  ///< which sums are divided by k
    /// Whose value at order 0 multiplies coefficient K of a: sums that have this term, too. Place 0: none.
    std::vector<SeriesPlan::Place> first;
    bool has_first() const;
    bool has_sums_per_order() const;
  };

  /// Of the position stage and of the velocity stage. `known`: by place.
  SumGroups(const SeriesPlan& plan, const std::vector<Known>& known, std::size_t width);

  std::size_t width() const { return width_; }
  std::size_t vectors() const { return vectors_.size(); }
  const std::map<Vector, std::size_t>& numbered_vectors() const { return vectors_; }
  const std::vector<Group>& groups() const { return groups_; }
  /// The groups of a stage, first and behind the last.
  std::pair<std::size_t, std::size_t> range(Stage stage) const { return ranges_.at(stage); }
  /// Where the result of the sum at a place of a stage stands: its group and lane, as one number.
  std::size_t result(Stage stage, std::uint32_t sum) const { return results_.at({stage, sum}); }
  bool has(Stage stage, std::uint32_t sum) const { return results_.count({stage, sum}) > 0; }
  /// Whether a sum has the term with coefficient K of its left operand.
  bool has_first(Stage stage, std::uint32_t sum) const {
    const std::size_t result = results_.at({stage, sum});
    return groups_[result / width_].first[result % width_] != 0;
  }
  /// Where the coefficients of an operand are needed: vector and lane, as one number.
  const std::vector<std::size_t>& slots(const Operand& operand) const;
  /// When all lanes are known.
  Known known(const Vector& vector) const;

 private:
  struct Sum {
    Operand a, b;
    bool per_order;
    std::uint32_t place;
    std::pair<std::uint32_t, std::uint32_t> role;  // operation, and which of its sums
    bool has_first;
  };
  std::vector<Sum> list(Stage stage, const SeriesPlan::Code& code) const;
  static bool may_have_first(const SeriesPlan::Placed& i, const Operand& a);
  std::vector<Sum> in_blocks(std::vector<Sum> sums) const;
  void add(Stage stage, const SeriesPlan::Code& code);
  std::size_t vector(const Vector& operands);

  std::vector<Known> known_;
  std::size_t width_;
  std::map<Vector, std::size_t> vectors_;
  std::map<Operand, std::vector<std::size_t>> slots_;
  std::vector<Group> groups_;
  std::map<std::pair<Stage, std::uint32_t>, std::size_t> results_;
  std::map<Stage, std::pair<std::size_t, std::size_t>> ranges_;
};

}  // namespace dalembert
