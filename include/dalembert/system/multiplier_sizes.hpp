// Forces that depend on sizes of multipliers, N_p = |λ_p| with some multipliers λ_p, the reaction of a pin:
//
//   [ M  Dᵀ ] [ a ]   [ f − Bᵀ N ]
//   [ C  0  ] [ λ ] = [ γ        ]
//
// With y the solution without N and Z = [M Dᵀ; C 0]⁻¹ [Bᵀ; 0], whose columns are found with the factor that
// is there, the solution is y − Z N, and N_p = |y_p − Z_p N| are as many equations as there are sizes.
// Newton's method solves them: with the unit vector e_p along λ_p its matrix is 1 + e_pᵀ Z_p.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dalembert/system/system.hpp>

namespace dalembert {

class MultiplierSizes {
 public:
  explicit MultiplierSizes(const System& system);

  std::size_t count() const { return sizes_.size(); }
  /// Where the multipliers stand in a solution: behind the coordinates, those of active constraints.
  void place(std::span<const std::size_t> active);
  /// [Bᵀ; 0], one right-hand side after the other, with value(entry) of the entries of B.
  template <class Value>
  void fill_columns(std::span<const MatrixEntry> B, Value value, std::span<double> columns) const {
    std::fill(columns.begin(), columns.end(), 0.0);
    for (const MatrixEntry& entry : B) columns[entry.row * width_ + entry.column] = value(entry.value);
  }
  /// Entries of a solution.
  std::size_t width() const { return width_; }

  /// y becomes y − Z N; false: Newton's method does not converge.
  bool solve(std::span<const double> columns, std::span<double> y);
  std::span<const double> sizes() const { return N_; }

  /// The coefficients of order k: those of N are linear in those of λ but where a size is zero up to there.
  void begin() { order_ = 0; }
  bool solve_next(std::span<const double> columns, std::span<double> y);

 private:
  void eval_lambda(std::span<const double> columns, std::span<const double> y);
  bool iterate(std::span<const double> columns, std::span<const double> y);
  void subtract(std::span<const double> columns, std::span<double> y) const;
  double size_of(std::size_t p) const;
  void add_products();
  bool solve_linear();

  std::vector<std::vector<std::uint32_t>> sizes_;  // constraints
  std::size_t n_, width_ = 0;
  std::vector<std::vector<std::size_t>> places_;  // in a solution
  std::vector<std::vector<double>> lambda_, e_;   // by size: λ_p, and its direction
  std::vector<double> N_, change_, matrix_, rest_;

  static constexpr int none = -1;
  int order_ = 0;
  std::vector<int> lead_;  // the order of the first coefficient that is not zero
  std::vector<std::vector<std::vector<double>>> past_lambda_;  // by order, size
  std::vector<std::vector<double>> past_N_;
};

}  // namespace dalembert
