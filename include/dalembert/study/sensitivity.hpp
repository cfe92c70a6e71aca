// How much of the variance of a result each varied quantity makes: Sobol's indices.
//
// From samples A and B of all quantities and A_i, A with quantity i of B [saltelli2010]:
//   first order  S_i = E[ f(B) (f(A_i) − f(A)) ] / V,      total  T_i = E[ (f(A) − f(A_i))² ] / (2 V)
// with V the variance of f over A and B.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dalembert::study {

struct SobolIndex {
  double first = 0, first_error = 0;  ///< with the standard error of the mean
  double total = 0, total_error = 0;
};

class SobolIndices {
 public:
  explicit SobolIndices(std::size_t quantities) : sums_(quantities) {}

  /// f(A), f(A_1), ..., f(A_d), f(B) of one sample; one that is not all finite is left out.
  void add(std::span<const double> f);
  std::uint64_t samples() const { return count_; }
  std::uint64_t left_out() const { return left_out_; }
  /// By quantity; zero where the variance is.
  std::vector<SobolIndex> indices() const;

 private:
  struct Sums {  // of d = f(A_i) − f(A) and b = f(B)
    double d = 0, dd = 0, bd = 0, bdd = 0, bbdd = 0, dddd = 0;
  };
  std::vector<Sums> sums_;
  std::uint64_t count_ = 0, left_out_ = 0;
  double shift_ = 0;              // the first value, beside which the others are summed
  double sum_ = 0, squares_ = 0;  // of A and B
};

}  // namespace dalembert::study
