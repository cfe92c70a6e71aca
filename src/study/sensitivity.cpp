#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/study/sensitivity.hpp>

namespace dalembert::study {

void SobolIndices::add(std::span<const double> f) {
  if (!std::ranges::all_of(f, [](double x) { return std::isfinite(x); })) {
    ++left_out_;
    return;
  }
  if (count_++ == 0) shift_ = f.front();
  const double a = f.front() - shift_, b = f.back() - shift_;
  sum_ += a + b;
  squares_ += a * a + b * b;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const double d = f[i + 1] - f.front();
    Sums& sums = sums_[i];
    sums.d += d;
    sums.dd += d * d;
    sums.bd += b * d;
    sums.bdd += b * d * d;
    sums.bbdd += b * b * d * d;
    sums.dddd += d * d * d * d;
  }
}

std::vector<SobolIndex> SobolIndices::indices() const {
  std::vector<SobolIndex> result(sums_.size());
  const auto n = static_cast<double>(count_);
  if (count_ < 2) return result;
  const double mean = sum_ / (2 * n);
  const double variance = squares_ / (2 * n) - mean * mean;
  if (!(variance > 0)) return result;
  const auto error = [&](double squares, double of) {
    return std::sqrt(std::max(squares / n - of * of, 0.0) / n);
  };
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Sums& s = sums_[i];
    const double first = (s.bd - mean * s.d) / n;  // E[ (b − mean) d ]
    const double first_squares = s.bbdd - 2 * mean * s.bdd + mean * mean * s.dd;
    const double total = s.dd / (2 * n);
    result[i] = {first / variance, error(first_squares, first) / variance, total / variance,
                 error(s.dddd / 4, total) / variance};
  }
  return result;
}

}  // namespace dalembert::study
