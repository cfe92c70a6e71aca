#include "multistep/backward_differences.hpp"

namespace dalembert {
namespace {

constexpr std::size_t rows = BackwardDifferences::max_order;
using Square = std::array<std::array<double, rows>, rows>;

// R_ij = Π_{l=1..i} (l − 1 − j ratio)/l
Square make_rescaling(double ratio) {
  Square r{};
  for (std::size_t j = 0; j < rows; ++j) {
    double product = 1;
    for (std::size_t i = 0; i < rows; ++i) {
      product *= (static_cast<double>(i) - static_cast<double>(j + 1) * ratio) / static_cast<double>(i + 1);
      r[i][j] = product;
    }
  }
  return r;
}

}  // namespace

void BackwardDifferences::rescale(int order, double ratio) {
  static const Square u = make_rescaling(1);
  const Square r = make_rescaling(ratio);
  const auto k = static_cast<std::size_t>(order);
  Square product{};
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < k; ++j)
      for (std::size_t l = 0; l < k; ++l) product[i][j] += r[i][l] * u[l][j];
  std::array<double, rows> old{};
  for (std::size_t component = 0; component < size_; ++component) {
    for (std::size_t i = 0; i < k; ++i) old[i] = (*this)[static_cast<int>(i) + 1][component];
    for (std::size_t j = 0; j < k; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < k; ++i) sum += old[i] * product[i][j];
      (*this)[static_cast<int>(j) + 1][component] = sum;
    }
  }
}

}  // namespace dalembert
