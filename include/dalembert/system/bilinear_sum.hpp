// Sums of products of series, row by row: r_row = Σ scale · Σ_{j=1..k} x_j y_{k−j}, where x are registers of
// a program and y are unknowns whose coefficient k is not known yet.
//
// Terms of one row with the same x share one convolution with a linear combination of the y; equal
// convolutions are computed once for all rows. W convolutions run at a time in SIMD lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/tape/series.hpp>

namespace dalembert {

template <class S, int W>
class BilinearSum {
 public:
  using Block = typename Series<S, W>::Block;

  struct Term {
    std::uint32_t row;
    Scaled x;
    std::uint32_t y;  ///< index of the unknown series
  };

  BilinearSum(const Series<S, W>& series, std::span<const Term> terms, int max_order);

  /// Takes coefficient k of the unknowns.
  void load_y(std::span<const S> y, int k);
  /// sum[row] += sign · Σ_{j=1..k} x_j y_{k−j} for all rows; x must be known through order k, y through k
  /// − 1.
  void accumulate(const Series<S, W>& series, int k, const S& sign, std::span<S> sum);

  std::size_t convolution_count() const { return convolutions_.size(); }

 private:
  struct Convolution {
    Register x;
    std::uint32_t combination;
  };
  struct Target {
    std::uint32_t convolution;
    std::uint32_t row;
    S scale;
  };
  struct CombinationTerm {
    std::uint32_t y;
    S coefficient;
  };
  struct Combination {
    std::uint32_t first;
    std::uint32_t last;
  };

  void merge(const Series<S, W>& series, std::span<const Term> terms);
  std::uint32_t find_combination(const std::map<std::uint32_t, S>& combination,
                                 std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>>& alike);

  std::size_t orders_;
  std::vector<Convolution> convolutions_;
  std::vector<Combination> combinations_;
  std::vector<CombinationTerm> combination_terms_;
  std::vector<Target> targets_;
  std::vector<Block> x_;  // [group][order], lanes within
  std::vector<Block> y_;
  std::vector<Block> result_;  // [group]
};

}  // namespace dalembert
