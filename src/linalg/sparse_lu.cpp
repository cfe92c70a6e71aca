#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <numeric>
#include <span>
#include <vector>

#include <klu.h>

#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/sparse_lu.hpp>

#include "dissection.hpp"
#include "packed_factors.hpp"

namespace dalembert {
namespace {

constexpr int cuts = 1;  // two parts: threads beyond two gain little, and each cut lengthens the rest

}  // namespace

struct SparseLu::Klu {
  Dissection dissection;
  FactorColumns columns;
  PackedFactors packed;
  bool is_packed = false;
  bool is_balanced = false;  // scaled by the largest entries, not by inertia
  double miss = 0;           // of a trial solution, beside its terms
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
      scales_(size, 1.0),
      scaled_values_(places.size(), 0.0),
      scaled_rhs_(size, 0.0),
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
  analyse();
  if (klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
}

void SparseLu::analyse() {
  Klu& k = *klu_;
  const auto size = static_cast<std::int32_t>(size_);
  if (size_ >= policy::dissected_size && is_symmetric()) k.dissection = dissect(column_starts_, rows_, cuts);
  if (k.dissection.order.empty()) {
    k.dissection.parts.assign(size_, 0);
    k.symbolic = klu_analyze(size, column_starts_.data(), rows_.data(), &k.common);
  } else {
    k.common.btf = 0;  // it would order anew
    std::vector<std::int32_t>& order = k.dissection.order;
    k.symbolic =
        klu_analyze_given(size, column_starts_.data(), rows_.data(), order.data(), order.data(), &k.common);
  }
}

// Rows are sorted within a column.
bool SparseLu::is_symmetric() const {
  std::vector<std::int32_t> next(column_starts_.begin(), column_starts_.end() - 1);
  for (std::size_t j = 0; j < size_; ++j) {
    for (std::int32_t e = column_starts_[j]; e < column_starts_[j + 1]; ++e) {
      const auto i = static_cast<std::size_t>(rows_[static_cast<std::size_t>(e)]);
      const std::int32_t other = next[i]++;
      if (other == column_starts_[i + 1] ||
          rows_[static_cast<std::size_t>(other)] != static_cast<std::int32_t>(j))
        return false;
    }
  }
  return true;
}

SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;
SparseLu::~SparseLu() = default;

double SparseLu::expected_fill() const {
  if (klu_->symbolic == nullptr) return static_cast<double>(size_) * static_cast<double>(size_);
  return klu_->symbolic->lnz + klu_->symbolic->unz;
}

void SparseLu::forget_order() { klu_free_numeric(&klu_->numeric, &klu_->common); }

// Where entries of M are small beside those of C, pivots would be taken off the diagonal, and the factors
// would fill in.
void SparseLu::choose_scales(FindScales find) {
  scales_ = find(size_, places(), values_);
  is_scaled_ = std::any_of(scales_.begin(), scales_.end(), [](double scale) { return scale != 1; });
}

std::vector<MatrixPlace> SparseLu::places() const {
  std::vector<MatrixPlace> places(values_.size());
  for_each_entry([&](std::size_t row, std::size_t column, std::size_t e) {
    places[e] = {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)};
  });
  return places;
}

void SparseLu::scale_values() {
  for_each_entry([&](std::size_t row, std::size_t column, std::size_t e) {
    scaled_values_[e] = values_[e] * scales_[row] * scales_[column];
  });
}

bool SparseLu::factor_with_search(FindScales find) {
  forget_order();
  choose_scales(find);
  scale_values();
  klu_->numeric =
      klu_factor(column_starts_.data(), rows_.data(), scaled_values_.data(), klu_->symbolic, &klu_->common);
  if (klu_->common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  if (klu_->numeric == nullptr || klu_->common.status != KLU_OK) return false;
  klu_->is_packed = klu_->symbolic->nblocks == 1;
  if (klu_->is_packed) pack();
  return true;
}

void SparseLu::pack() {
  FactorColumns& columns = klu_->columns;
  const auto l_entries = static_cast<std::size_t>(klu_->numeric->lnz);
  const auto u_entries = static_cast<std::size_t>(klu_->numeric->unz);
  columns.l_starts.resize(size_ + 1);
  columns.l_rows.resize(l_entries);
  columns.l_values.resize(l_entries);
  columns.u_starts.resize(size_ + 1);
  columns.u_rows.resize(u_entries);
  columns.u_values.resize(u_entries);
  columns.row_order.resize(size_);
  columns.column_order.resize(size_);
  columns.row_sizes.resize(size_);
  extract();
  klu_->packed.arrange(columns, klu_->dissection.parts, klu_->dissection.count);
}

void SparseLu::extract() {
  FactorColumns& c = klu_->columns;
  klu_extract(klu_->numeric, klu_->symbolic, c.l_starts.data(), c.l_rows.data(), c.l_values.data(),
              c.u_starts.data(), c.u_rows.data(), c.u_values.data(), nullptr, nullptr, nullptr,
              c.row_order.data(), c.column_order.data(), c.row_sizes.data(), nullptr, &klu_->common);
}

// Pivots are good as long as eliminating with them does not make entries grow.
bool SparseLu::factor_with_last_pivots() {
  Klu& k = *klu_;
  if (k.numeric == nullptr) return false;
  scale_values();
  double* const values = scaled_values_.data();
  return klu_refactor(column_starts_.data(), rows_.data(), values, k.symbolic, k.numeric, &k.common) != 0 &&
         k.common.status == KLU_OK &&
         klu_rgrowth(column_starts_.data(), rows_.data(), values, k.symbolic, k.numeric, &k.common) != 0 &&
         k.common.rgrowth > policy::worst_growth;
}

bool SparseLu::factor(double smallest_relative_pivot) {
  smallest_pivot_ = 0;
  const bool finite =
      std::all_of(values_.begin(), values_.end(), [](double value) { return std::isfinite(value); });
  if (klu_->symbolic == nullptr || !finite) return size_ == 0;
  if (factor_with_last_pivots()) {
    if (klu_->is_packed) extract();
    if (is_regular(smallest_relative_pivot)) return true;
  }
  // An inertia that is nothing beside the others, 1e-19 kg m² in some files of robots, must not scale what
  // constraints tell of its coordinates. The scales that served last are tried first; where neither are good,
  // as for some Newton matrices, which are not symmetric, the better ones are taken.
  const auto find = [&](bool balanced) {
    klu_->is_balanced = balanced;
    return factor_with_search(balanced ? find_balanced_scales : find_symmetric_scales) &&
           is_regular(smallest_relative_pivot);
  };
  double least_miss = std::numeric_limits<double>::infinity();
  bool better = false;
  for (const bool balanced : {klu_->is_balanced, !klu_->is_balanced}) {
    if (!find(balanced)) continue;
    if (is_accurate()) return true;
    if (klu_->miss < least_miss) {
      least_miss = klu_->miss;
      better = balanced;
    }
  }
  if (!std::isfinite(least_miss)) return false;
  return klu_->is_balanced == better ? is_regular(smallest_relative_pivot) : find(better);
}

bool SparseLu::is_regular(double smallest_relative_pivot) {
  if (klu_->is_packed) klu_->packed.load(klu_->columns);
  klu_rcond(klu_->symbolic, klu_->numeric, &klu_->common);
  smallest_pivot_ = klu_->common.rcond;
  return smallest_pivot_ > smallest_relative_pivot;
}

// For a solution whose parts count alike.
bool SparseLu::is_accurate() {
  const std::vector<double> wanted = find_balanced_scales(size_, places(), values_);
  std::vector<double> rhs(size_, 0.0), terms(size_, 0.0), found(size_, 0.0);
  for_each_entry([&](std::size_t i, std::size_t j, std::size_t e) { rhs[i] += values_[e] * wanted[j]; });
  solve(rhs, found, nullptr);
  for_each_entry([&](std::size_t i, std::size_t j, std::size_t e) {
    rhs[i] -= values_[e] * found[j];
    terms[i] += std::abs(values_[e] * found[j]);
  });
  klu_->miss = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (rhs[i] == 0) continue;
    const double miss = std::abs(rhs[i]) / terms[i];
    klu_->miss = std::max(klu_->miss, std::isnan(miss) ? std::numeric_limits<double>::infinity() : miss);
  }
  return klu_->miss <= policy::worst_miss;
}

void SparseLu::solve(std::span<const double> rhs, std::span<double> solution, Team* team) {
  if (size_ == 0) return;
  if (!is_scaled_) return solve_scaled(rhs, solution, team);
  for (std::size_t i = 0; i < size_; ++i) scaled_rhs_[i] = rhs[i] * scales_[i];
  solve_scaled(scaled_rhs_, solution, team);
  for (std::size_t i = 0; i < size_; ++i) solution[i] *= scales_[i];
}

void SparseLu::solve_scaled(std::span<const double> rhs, std::span<double> solution, Team* team) {
  if (klu_->is_packed) return klu_->packed.solve(rhs.data(), solution.data(), team);
  if (rhs.data() != solution.data()) std::copy(rhs.begin(), rhs.end(), solution.begin());
  klu_solve(klu_->symbolic, klu_->numeric, static_cast<std::int32_t>(size_), 1, solution.data(),
            &klu_->common);
}

}  // namespace dalembert
