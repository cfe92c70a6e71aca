#include "shared_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace dalembert {

void SharedPairs::add(NodeId product, std::vector<Factor> factors) {
  std::sort(factors.begin(), factors.end());
  places_.emplace(product, products_.size());
  products_.push_back(std::move(factors));
}

void SharedPairs::change(const Pair& pair, std::size_t product, bool present) {
  std::set<std::size_t>& products = occurrences_[pair];
  if (products.size() >= 2) by_count_.erase({products.size(), pair});
  if (present) {
    products.insert(product);
  } else {
    products.erase(product);
  }
  if (products.size() >= 2) by_count_.insert({products.size(), pair});
}

void SharedPairs::search() {
  constexpr std::size_t most_factors = 24;  // pairs grow with the square
  for (std::size_t i = 0; i < products_.size(); ++i) {
    const std::vector<Factor>& factors = products_[i];
    if (factors.size() > most_factors) continue;
    for (std::size_t b = 1; b < factors.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) change({factors[a], factors[b]}, i, true);
    }
  }
  while (!by_count_.empty()) join(std::prev(by_count_.end())->second);
}

void SharedPairs::join(Pair pair) {
  const Factor joint = first_pair + pairs_.size();
  pairs_.push_back(pair);
  const std::set<std::size_t> products = occurrences_[pair];
  for (const std::size_t i : products) {
    std::vector<Factor>& factors = products_[i];
    for (const Factor gone : {pair.first, pair.second}) {
      factors.erase(std::find(factors.begin(), factors.end(), gone));
      for (const Factor other : factors) change(std::minmax(gone, other), i, false);
    }
    for (const Factor other : factors) change({other, joint}, i, true);
    factors.push_back(joint);
  }
}

}  // namespace dalembert
