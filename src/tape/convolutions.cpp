#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <type_traits>
#include <vector>

#include <dalembert/base/stop.hpp>
#include <dalembert/tape/convolutions.hpp>

namespace dalembert {
namespace {

// In a register, not lane by lane through memory: a load of a whole block must not wait for as many small
// stores.
template <class Block, class S>
Block gather(const S* row, const std::uint32_t* at) {
  if constexpr (sizeof(Block) == 8 * sizeof(S)) {
    return Block{row[at[0]], row[at[1]], row[at[2]], row[at[3]],
                 row[at[4]], row[at[5]], row[at[6]], row[at[7]]};
  } else if constexpr (sizeof(Block) == 4 * sizeof(S)) {
    return Block{row[at[0]], row[at[1]], row[at[2]], row[at[3]]};
  } else {
    return row[at[0]];
  }
}

// Compilers load an operand again for each of its uses, which this forbids.
template <class Block>
Block in_register(const Block& x) {
  Block copy = x;
#if defined(__AVX512VL__)
  if constexpr (std::is_trivially_copyable_v<Block>) asm("" : "+v"(copy));
#endif
  return copy;
}

}  // namespace

template <class S>
Convolutions<S>::Convolutions(const SeriesPlan::Sums& plan, int max_order)
    : plan_(&plan), group_count_(plan.a.size() / width) {
  const Block zero = LaneMath<Block>::of(0);
  const Block one = LaneMath<Block>::of(1);
  if constexpr (in_streams) {
    place_streams(max_order);
  } else {
    memory_.assign((static_cast<std::size_t>(max_order) + 1) * group_count_, {zero, zero});
  }
  sums_.assign(group_count_ + 1, zero);
  next_.assign(group_count_ * (in_streams ? orders_at_once - 1 : 1), zero);
  factors_.assign(group_count_, one);
  reciprocals_.assign(1, zero);
  for (int k = 1; k <= max_order; ++k) reciprocals_.push_back(one / LaneMath<Block>::of(k));
}

template <class S>
void Convolutions<S>::load(const S* row, int k) {
  if constexpr (in_streams) {
    Block* to = stream_memory_.data() + k;
    for (const std::uint32_t series : series_) {
      *to = row[series];
      to += stride_;
    }
    return;
  }
  Coefficients* to = memory_.data() + static_cast<std::size_t>(k) * group_count_;
  const std::uint32_t* b = plan_->b.data();
  for (const std::uint32_t *a = plan_->a.data(), *last = a + plan_->a.size(); a != last;
       a += width, b += width)
    *to++ = {gather<Block>(row, a), gather<Block>(row, b)};
}

template <class S>
void Convolutions<S>::run(int k) {
  if (plan_->a.empty()) return;
  if constexpr (in_streams) {
    run_streams(k);
  } else if (k == 1) {
    std::fill(sums_.begin(), sums_.end(), LaneMath<Block>::of(0));
  } else if (!std::is_trivially_copyable_v<Block>) {
    run_one_order(k);
  } else if (k % 2 == 0) {
    run_two_orders(k);
  } else {
    add_ends(k);
  }
}

template <class S>
auto Convolutions<S>::finished(std::size_t group, const Block& sum, int k) const -> Block {
  if (group * width >= plan_->others_first) return sum * factors_[group];
  const Block& reciprocal = reciprocals_[static_cast<std::size_t>(k)];
  return LaneMath<Block>::divide(sum, LaneMath<Block>::of(k), reciprocal) * factors_[group];
}

template <class S>
void Convolutions<S>::run_one_order(int k) {
  const std::function<bool()>* const go_on = asked_to_go_on();
  for (const Groups& groups : {groups_per_order(), other_groups()}) {
    for (std::size_t i = groups.first; i < groups.last; ++i) {
      Block sum = LaneMath<Block>::of(0);
      for (int j = 1; j < k; ++j) {
        stop_unless(go_on);
        LaneMath<Block>::add_product(sum, row(j)[i].a, row(k - j)[i].b);
      }
      sums_[i] = finished(i, sum, k);
    }
  }
}

// Numbers that processors multiply faster than they load them: every coefficient is read once for two orders.
// At even k come the sums of order k and, from the same coefficients, those of order k + 1 but for their ends
// j = 1 and j = k. Several groups together hide the latency of the additions.
template <class S>
void Convolutions<S>::run_two_orders(int k) {
  for (std::size_t i = 0; i < group_count_;) {
    switch (group_count_ - i) {
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

template <class S>
template <int N>
std::size_t Convolutions<S>::run_groups(std::size_t first, int k) {
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
    low += group_count_;
    high -= group_count_;
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
template <class S>
void Convolutions<S>::add_ends(int k) {
  const Coefficients* low = row(1);
  const Coefficients* high = row(k - 1);
  for (std::size_t i = 0; i < group_count_; ++i) {
    Block sum = next_[i];
    LaneMath<Block>::add_product(sum, low[i].a, high[i].b);
    LaneMath<Block>::add_product(sum, high[i].a, low[i].b);
    sums_[i] = finished(i, sum, k);
  }
}

// The same in streams. Coefficients of several trajectories do not fit the first-level cache, so each is read
// once for four orders.
template <class S>
void Convolutions<S>::place_streams(int max_order) {
  // an odd number of lines of 64 bytes, so that streams do not meet in the same sets of a cache
  constexpr std::size_t per_line = std::max<std::size_t>(64 / sizeof(Block), 1);
  stride_ = ((static_cast<std::size_t>(max_order) / per_line + 1) | 1U) * per_line;
  std::map<std::uint32_t, std::size_t> stream_of;
  const auto stream = [&](std::uint32_t series) {
    const auto [it, is_new] = stream_of.try_emplace(series, series_.size());
    if (is_new) series_.push_back(series);
    return it->second;
  };
  struct Operands {
    std::size_t a = 0, b = 0;
  };
  std::vector<Operands> operands(group_count_);
  for (const Groups& groups : {groups_per_order(), other_groups()}) {
    for (std::size_t i = groups.first; i < groups.last; ++i)
      operands[i] = {stream(plan_->a[i]), stream(plan_->b[i])};
  }
  stream_memory_.assign(stride_ * series_.size(), LaneMath<Block>::of(0));
  const Block* memory = stream_memory_.data();
  for (const Operands& of : operands) streams_.push_back({memory + of.a * stride_, memory + of.b * stride_});
}

template <class S>
void Convolutions<S>::run_streams(int k) {
  if (k < orders_at_once) return run_streams_one_order(k);
  switch (k % orders_at_once) {
    case 0:
      return run_streams_four_orders(k);
    case 1:
      return add_ends_of_streams<1>(k);
    case 2:
      return add_ends_of_streams<2>(k);
    default:
      return add_ends_of_streams<3>(k);
  }
}

// Every group's sum, sum_of(streams, group), as finished() has it.
template <class S>
template <class F>
inline void Convolutions<S>::finish_streams(int k, F sum_of) {
  const Streams* streams = streams_.data();
  const Block* factor = factors_.data();
  Block* out = sums_.data();
  const Block order = LaneMath<Block>::of(k);
  const Block reciprocal = reciprocals_[static_cast<std::size_t>(k)];
  for (auto [i, last] = groups_per_order(); i < last; ++i) {
    out[i] = LaneMath<Block>::divide(sum_of(streams[i], i), order, reciprocal) * factor[i];
  }
  for (auto [i, last] = other_groups(); i < last; ++i) out[i] = sum_of(streams[i], i) * factor[i];
}

template <class S>
void Convolutions<S>::run_streams_one_order(int k) {
  finish_streams(k, [k](const Streams& s, std::size_t) {
    Block sum = LaneMath<Block>::of(0);
    for (int j = 1; j < k; ++j) LaneMath<Block>::add_product(sum, s.a[j], s.b[k - j]);
    return sum;
  });
}

// At multiples k of B = 4: the sums of order k and, from the same coefficients, what they decide of the sums
// of orders k + r, r = 1, 2, 3: a_j b_{k+r−j} over j and k + r − j in 1 .. k − 1. Two sums for each hide the
// latency of the additions.
template <class S>
void Convolutions<S>::run_streams_four_orders(int k) {
  constexpr int B = orders_at_once;
  Block* next = next_.data();
  const std::size_t count = group_count_;
  finish_streams(
      k, [=](const Streams& s, std::size_t group) __attribute__((always_inline)) {
        const Block* b = s.b + k;
        Block sum[2][B];
        for (int r = 0; r < B; ++r) sum[0][r] = sum[1][r] = LaneMath<Block>::of(0);
        Block window[B - 1];  // b_{k−j+1} .. b_{k−j+B−1}
        for (int i = 1; i < B; ++i) window[i - 1] = b[i - B];
        for (int d = 1; d < B; ++d) {
          const Block x = in_register(s.a[d]);
          for (int r = 0; r < d; ++r) LaneMath<Block>::add_product(sum[d % 2][r], x, window[B - 1 - d + r]);
        }
        for (int j = B; j < k; j += B) {
          Block w[2 * B - 1];
          for (int i = 0; i < B; ++i) w[i] = in_register(b[i - j - B + 1]);
          for (int i = B; i < 2 * B - 1; ++i) w[i] = window[i - B];
          for (int d = 0; d < B; ++d) {
            const Block x = in_register(s.a[j + d]);
            for (int r = 0; r < B; ++r) LaneMath<Block>::add_product(sum[d % 2][r], x, w[B - 1 - d + r]);
          }
          for (int i = 0; i < B - 1; ++i) window[i] = w[i];
        }
        for (int r = 1; r < B; ++r)
          next[static_cast<std::size_t>(r - 1) * count + group] = sum[0][r] + sum[1][r];
        return Block(sum[0][0] + sum[1][0]);
      });
}

// The products with coefficients that came after the last multiple of four: a_j b_{k−j} with j or k − j up to
// `ends`.
template <class S>
template <int ends>
void Convolutions<S>::add_ends_of_streams(int k) {
  const Block* next = next_.data() + (ends - 1) * group_count_;
  finish_streams(k, [k, next](const Streams& s, std::size_t group) {
    Block sum = next[group];
    Block other = LaneMath<Block>::of(0);
    for (int j = 1; j <= ends; ++j) {
      LaneMath<Block>::add_product(sum, s.a[j], s.b[k - j]);
      LaneMath<Block>::add_product(other, s.a[k - j], s.b[j]);
    }
    return Block(sum + other);
  });
}

template class Convolutions<double>;
template class Convolutions<Real>;
template class Convolutions<Rational>;
template class Convolutions<Lanes<4>>;
template class Convolutions<Lanes<8>>;

}  // namespace dalembert
