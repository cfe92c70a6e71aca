#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <vector>

#include <klu.h>

#include <dalembert/linalg/sparse_lu.hpp>

namespace dalembert {

struct SparseLu::Klu {
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  Klu() { klu_defaults(&common); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
  ~Klu() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
};

SparseLu::SparseLu(std::size_t size, std::span<const MatrixPlace> places)
    : size_(size),
      column_starts_(size + 1, 0),
      rows_(places.size()),
      values_(places.size(), 0.0),
      position_(places.size()),
      klu_(std::make_unique<Klu>()) {
  if (size == 0) return;
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return places[a].column != places[b].column ? places[a].column < places[b].column
                                                : places[a].row < places[b].row;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const MatrixPlace& place = places[order[i]];
    position_[order[i]] = i;
    rows_[i] = static_cast<std::int32_t>(place.row);
    ++column_starts_[place.column + 1];
  }
  std::partial_sum(column_starts_.begin(), column_starts_.end(), column_starts_.begin());
  klu_->symbolic =
      klu_analyze(static_cast<std::int32_t>(size), column_starts_.data(), rows_.data(), &klu_->common);
  if (klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
}

SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;
SparseLu::~SparseLu() = default;

double SparseLu::expected_fill() const {
  if (klu_->symbolic == nullptr) return static_cast<double>(size_) * static_cast<double>(size_);
  return klu_->symbolic->lnz + klu_->symbolic->unz;
}

void SparseLu::forget_order() { klu_free_numeric(&klu_->numeric, &klu_->common); }

bool SparseLu::factor_with_search() {
  forget_order();
  klu_->numeric =
      klu_factor(column_starts_.data(), rows_.data(), values_.data(), klu_->symbolic, &klu_->common);
  if (klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  return klu_->numeric != nullptr && klu_->common.status == KLU_OK;
}

// Pivots are good as long as eliminating with them does not make entries grow.
bool SparseLu::factor_with_last_pivots() {
  constexpr double worst_growth = 1e-4;
  Klu& k = *klu_;
  return k.numeric != nullptr &&
         klu_refactor(column_starts_.data(), rows_.data(), values_.data(), k.symbolic, k.numeric,
                      &k.common) != 0 &&
         k.common.status == KLU_OK &&
         klu_rgrowth(column_starts_.data(), rows_.data(), values_.data(), k.symbolic, k.numeric, &k.common) !=
             0 &&
         k.common.rgrowth > worst_growth;
}

bool SparseLu::factor(double smallest_relative_pivot) {
  smallest_pivot_ = 0;
  const bool finite =
      std::all_of(values_.begin(), values_.end(), [](double value) { return std::isfinite(value); });
  if (klu_->symbolic == nullptr || !finite) return size_ == 0;
  if (!factor_with_last_pivots() && !factor_with_search()) return false;
  klu_rcond(klu_->symbolic, klu_->numeric, &klu_->common);
  smallest_pivot_ = klu_->common.rcond;
  return smallest_pivot_ > smallest_relative_pivot;
}

void SparseLu::solve(std::span<double> x) {
  if (size_ == 0) return;
  klu_solve(klu_->symbolic, klu_->numeric, static_cast<std::int32_t>(size_), 1, x.data(), &klu_->common);
}

}  // namespace dalembert
