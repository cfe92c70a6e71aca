#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <dalembert/tape/convolutions.hpp>

namespace dalembert {
namespace {

// In a register, not lane by lane through memory: a load of a whole block must not wait for W small stores.
template <class Block, class S, std::size_t W>
Block gather(const S* row, const std::array<std::uint32_t, W>& at) {
  if constexpr (W == 8) {
    return Block{row[at[0]], row[at[1]], row[at[2]], row[at[3]],
                 row[at[4]], row[at[5]], row[at[6]], row[at[7]]};
  } else if constexpr (W == 4) {
    return Block{row[at[0]], row[at[1]], row[at[2]], row[at[3]]};
  } else {
    return row[at[0]];
  }
}

}  // namespace

template <class S, int W>
std::uint32_t Convolutions<S, W>::add(std::uint32_t a, std::uint32_t b, bool per_order) {
  pairs_.push_back({a, b, per_order});
  return size() - 1;
}

template <class S, int W>
void Convolutions<S, W>::group_pairs(bool per_order) {
  std::size_t lane = W;
  for (std::uint32_t i = 0; i < size(); ++i) {
    if (pairs_[i].per_order != per_order) continue;
    if (lane == W) {
      groups_.emplace_back();
      lane = 0;
    }
    groups_.back().a[lane] = pairs_[i].a;
    groups_.back().b[lane] = pairs_[i].b;
    sum_places_[i] = static_cast<std::uint32_t>((groups_.size() - 1) * W + lane);
    ++lane;
  }
}

template <class S, int W>
void Convolutions<S, W>::prepare(int max_order) {
  sum_places_.resize(size());
  group_pairs(true);
  groups_per_order_ = groups_.size();
  group_pairs(false);
  const Block zero = LaneMath<Block>::of(0);
  const Block one = LaneMath<Block>::of(1);
  memory_.assign((static_cast<std::size_t>(max_order) + 1) * groups_.size(), {zero, zero});
  sums_.assign(groups_.size() + 1, zero);
  next_.assign(groups_.size(), zero);
  factors_.assign(groups_.size(), one);
  reciprocals_.assign(1, zero);
  for (int k = 1; k <= max_order; ++k) reciprocals_.push_back(one / LaneMath<Block>::of(k));
}

template <class S, int W>
void Convolutions<S, W>::load(const S* row, int k) {
  Coefficients* to = memory_.data() + static_cast<std::size_t>(k) * groups_.size();
  for (const Group& group : groups_) *to++ = {gather<Block>(row, group.a), gather<Block>(row, group.b)};
}

template <class S, int W>
void Convolutions<S, W>::run(int k) {
  if (k == 1) {
    std::fill(sums_.begin(), sums_.end(), LaneMath<Block>::of(0));
  } else if (!std::is_trivially_copyable_v<Block>) {
    run_one_order(k);
  } else if (k % 2 == 0) {
    run_two_orders(k);
  } else {
    add_ends(k);
  }
}

template <class S, int W>
auto Convolutions<S, W>::finished(std::size_t group, const Block& sum, int k) const -> Block {
  if (group >= groups_per_order_) return sum * factors_[group];
  const Block& reciprocal = reciprocals_[static_cast<std::size_t>(k)];
  return LaneMath<Block>::divide(sum, LaneMath<Block>::of(k), reciprocal) * factors_[group];
}

template <class S, int W>
void Convolutions<S, W>::run_one_order(int k) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Block sum = LaneMath<Block>::of(0);
    for (int j = 1; j < k; ++j) LaneMath<Block>::add_product(sum, row(j)[i].a, row(k - j)[i].b);
    sums_[i] = finished(i, sum, k);
  }
}

// Numbers that processors multiply faster than they load them: every coefficient is read once for two orders.
// At even k come the sums of order k and, from the same coefficients, those of order k + 1 but for their ends
// j = 1 and j = k. Several groups together hide the latency of the additions.
template <class S, int W>
void Convolutions<S, W>::run_two_orders(int k) {
  for (std::size_t i = 0; i < groups_.size();) {
    switch (groups_.size() - i) {
      case 1:
        i += run_groups<1>(i, k);
        break;
      case 2:
        i += run_groups<2>(i, k);
        break;
      case 3:
        i += run_groups<3>(i, k);
        break;
      case 5:
        i += run_groups<5>(i, k);
        break;
      case 6:
        i += run_groups<6>(i, k);
        break;
      default:
        i += run_groups<4>(i, k);
        break;
    }
  }
}

template <class S, int W>
template <int N>
std::size_t Convolutions<S, W>::run_groups(std::size_t first, int k) {
  Block now[N];
  Block next[N];
  Block b_before[N];
  const Coefficients* low = row(1) + first;
  const Coefficients* high = row(k - 1) + first;
  for (int i = 0; i < N; ++i) {
    b_before[i] = high[i].b;
    now[i] = low[i].a * b_before[i];
    next[i] = LaneMath<Block>::of(0);
  }
  for (int j = 2; j < k; ++j) {
    low += groups_.size();
    high -= groups_.size();
    for (int i = 0; i < N; ++i) {
      const Block a = low[i].a;
      const Block b = high[i].b;
      LaneMath<Block>::add_product(now[i], a, b);
      LaneMath<Block>::add_product(next[i], a, b_before[i]);
      b_before[i] = b;
    }
  }
  for (int i = 0; i < N; ++i) {
    const std::size_t group = first + static_cast<std::size_t>(i);
    sums_[group] = finished(group, now[i], k);
    next_[group] = next[i];
  }
  return N;
}

// At odd k.
template <class S, int W>
void Convolutions<S, W>::add_ends(int k) {
  const Coefficients* low = row(1);
  const Coefficients* high = row(k - 1);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    Block sum = next_[i];
    LaneMath<Block>::add_product(sum, low[i].a, high[i].b);
    LaneMath<Block>::add_product(sum, high[i].a, low[i].b);
    sums_[i] = finished(i, sum, k);
  }
}

template class Convolutions<double, 1>;
template class Convolutions<double, native_lanes>;
template class Convolutions<Real, 1>;
template class Convolutions<Rational, 1>;
template class Convolutions<Lanes<4>, 1>;
template class Convolutions<Lanes<8>, 1>;

}  // namespace dalembert
