// Factors that stand together in several products are multiplied once.
//
// Greedy: the pair that most products contain becomes one factor of all of them, and so on, until no pair
// stands in two products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>

namespace dalembert {

class SharedPairs {
 public:
  /// A node of the graph, or a pair of earlier factors.
  using Factor = std::uint64_t;
  using Pair = std::pair<Factor, Factor>;

  /// Announces a product of distinct factors.
  void add(NodeId product, std::vector<Factor> factors);
  /// Finds the pairs of all announced products.
  void search();

  /// The factors of an announced product, found pairs included; null for any other node.
  const std::vector<Factor>* find(NodeId product) const {
    const auto place = places_.find(product);
    return place == places_.end() ? nullptr : &products_[place->second];
  }
  static bool is_pair(Factor factor) { return factor >= first_pair; }
  const Pair& pair(Factor factor) const { return pairs_[static_cast<std::size_t>(factor - first_pair)]; }

 private:
  static constexpr Factor first_pair = Factor{1} << 32U;

  void change(const Pair& pair, std::size_t product, bool present);
  void join(Pair pair);

  std::map<NodeId, std::size_t> places_;
  std::vector<std::vector<Factor>> products_;  // increasing
  std::vector<Pair> pairs_;
  std::map<Pair, std::set<std::size_t>> occurrences_;  // products that contain both
  std::set<std::pair<std::size_t, Pair>> by_count_;    // pairs of two or more products
};

}  // namespace dalembert
