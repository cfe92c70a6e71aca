// Sums Σ_{j=1..k−1} a_j b_{k−j} of many pairs of series at once: the part of a product's coefficient k that
// lower orders decide, and nearly all the arithmetic of an expansion.
//
// No sum waits for another, so W pairs share a SIMD register whatever they are needed for. The coefficients
// are copied into lanes order by order. With lanes of trajectories nothing has to be gathered: the
// coefficients of a series stand one behind the other in a stream, and pairs with a series in common share
// its stream. Nothing is allocated after prepare().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <dalembert/tape/lanes.hpp>

namespace dalembert {

template <class S, int W>
class Convolutions {
 public:
  static_assert(W == 1 || std::is_same_v<S, double>, "only doubles share a SIMD register");
  using Block = std::conditional_t<W == 1, S, Lanes<W>>;

  /// Adds a pair of series, each given by its place in a row of coefficients; returns its number.
  /// `per_order`: its sum is divided by k.
  std::uint32_t add(std::uint32_t a, std::uint32_t b, bool per_order);
  /// Makes room for orders 0 .. max_order, after the last add().
  void prepare(int max_order);
  /// A factor of the sum of a pair, at all orders; at first 1.
  void set_factor(std::uint32_t pair, const S& factor) {
    reinterpret_cast<S*>(factors_.data())[sum_places_[pair]] = factor;
  }

  /// Takes coefficient k >= 1 of all series from a row of coefficients k.
  void load(const S* row, int k);
  /// The sums of order k >= 1 of all pairs, when orders 1 .. k − 1 are loaded; orders must come in sequence.
  void run(int k);

  const S* sums() const { return reinterpret_cast<const S*>(sums_.data()); }
  /// Where in sums() the sum of a pair stands, and where a zero.
  std::uint32_t sum_place(std::uint32_t pair) const { return sum_places_[pair]; }
  std::uint32_t zero_place() const { return static_cast<std::uint32_t>(groups_.size() * W); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(pairs_.size()); }

 private:
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
    bool per_order;
  };
  struct Group {  // W pairs
    std::array<std::uint32_t, W> a{};
    std::array<std::uint32_t, W> b{};
  };
  struct Coefficients {  // of a group at one order
    Block a;
    Block b;
  };

  struct Streams {  // of a group's operands, from order 0 on
    const Block* a;
    const Block* b;
  };
  // Whether coefficients stand in streams, by series, or in rows, by order.
  static constexpr bool in_streams = LaneMath<S>::lanes > 1;
  // How many orders a pass over streams serves.
  static constexpr int orders_at_once = 4;

  void group_pairs(bool per_order);
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
  const Coefficients* row(int k) const {
    return memory_.data() + static_cast<std::size_t>(k) * groups_.size();
  }

  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> sum_places_;  // by pair
  std::vector<Group> groups_;              // first those of pairs per order
  std::size_t groups_per_order_ = 0;
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

extern template class Convolutions<double, 1>;
extern template class Convolutions<double, native_lanes>;
extern template class Convolutions<Real, 1>;
extern template class Convolutions<Rational, 1>;
extern template class Convolutions<Lanes<4>, 1>;
extern template class Convolutions<Lanes<8>, 1>;

}  // namespace dalembert
