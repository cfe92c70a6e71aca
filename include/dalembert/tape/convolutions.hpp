// Sums Σ_{j=1..k−1} a_j b_{k−j} of many pairs of series at once: the part of a product's coefficient k that
// lower orders decide, and nearly all the arithmetic of an expansion.
//
// No sum waits for another, so in doubles as many as a SIMD register holds are formed at once, whatever they
// are needed for. The coefficients are copied into lanes order by order. With lanes of trajectories nothing
// has to be gathered: the coefficients of a series stand one behind the other in a stream, and pairs with a
// series in common share its stream. Nothing is allocated after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <dalembert/expr/lanes.hpp>
#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

template <class S>
class Convolutions {
 public:
  /// Pairs whose sums share a register.
  static constexpr int width = std::is_same_v<S, double> ? native_lanes : 1;
  using Block = std::conditional_t<width == 1, S, Lanes<width>>;

  /// Room for orders 0 .. max_order. The plan must outlive it.
  Convolutions(const SeriesPlan::Sums& plan, int max_order);
  /// A factor of the sum of a pair, at all orders; at first 1.
  void set_factor(std::uint32_t pair, const S& factor) {
    reinterpret_cast<S*>(factors_.data())[plan_->places[pair]] = factor;
  }

  const S* factors() const { return reinterpret_cast<const S*>(factors_.data()); }

  /// Takes coefficient k >= 1 of all series from a row of coefficients k.
  void load(const S* row, int k);
  /// The sums of order k >= 1 of all pairs, when orders 1 .. k − 1 are loaded; orders must come in sequence.
  void run(int k);

  /// At the places of the plan.
  const S* sums() const { return reinterpret_cast<const S*>(sums_.data()); }

 private:
  struct Coefficients {  // of a group of pairs at one order
    Block a;
    Block b;
  };
  struct Streams {  // of a group's operands, from order 0 on
    const Block* a;
    const Block* b;
  };
  struct Groups {
    std::size_t first, last;
  };
  // Whether coefficients stand in streams, by series, or in rows, by order.
  static constexpr bool in_streams = LaneMath<S>::lanes > 1;
  // How many orders a pass over streams serves.
  static constexpr int orders_at_once = 4;

  Groups groups_per_order() const { return {0, (plan_->per_order + width - 1) / width}; }
  Groups other_groups() const {
    const std::size_t first = plan_->others_first / width;
    return {first, first + (plan_->others + width - 1) / width};
  }

  void place_streams(int max_order);
  void run_one_order(int k);
  void run_two_orders(int k);
  template <int N>
  std::size_t run_groups(std::size_t first, int k);
  void add_ends(int k);
  void run_streams(int k);
  template <class F>
  void finish_streams(int k, F sum_of);
  void run_streams_one_order(int k);
  void run_streams_four_orders(int k);
  template <int ends>
  void add_ends_of_streams(int k);
  Block finished(std::size_t group, const Block& sum, int k) const;
  const Coefficients* row(int k) const { return memory_.data() + static_cast<std::size_t>(k) * group_count_; }

  const SeriesPlan::Sums* plan_;
  std::size_t group_count_;
  std::vector<Coefficients> memory_;   // [order][group]
  std::vector<std::uint32_t> series_;  // of each stream
  std::size_t stride_ = 0;             // from one stream to the next
  std::vector<Block> stream_memory_;   // [stream][order]
  std::vector<Streams> streams_;       // [group]
  std::vector<Block> sums_;            // [group], and one more
  std::vector<Block> next_;            // what is known of the sums of the next orders
  std::vector<Block> factors_;
  std::vector<Block> reciprocals_;  // 1 / k
};

extern template class Convolutions<double>;
extern template class Convolutions<Real>;
extern template class Convolutions<Rational>;
extern template class Convolutions<Lanes<4>>;
extern template class Convolutions<Lanes<8>>;

}  // namespace dalembert
