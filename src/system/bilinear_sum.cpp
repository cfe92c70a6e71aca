#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/system/bilinear_sum.hpp>
#include <dalembert/tape/recurrence.hpp>

namespace dalembert {
namespace {

// Where a register's variation comes from: c + c₁ x varies like c₁ x.
template <class S, int W>
std::pair<Register, S> variable_part(const Series<S, W>& series, const Scaled& scaled,
                                     const std::map<Register, const Instruction*>& single_terms) {
  S scale = series.constant(scaled.coefficient);
  Register x = scaled.x;
  for (auto it = single_terms.find(x); it != single_terms.end(); it = single_terms.find(x)) {
    const LinearTerm& term = series.program().terms[it->second->first_term];
    scale *= series.constant(term.coefficient);
    x = term.x;
  }
  return {x, scale};
}

}  // namespace

template <class S, int W>
BilinearSum<S, W>::BilinearSum(const Series<S, W>& series, std::span<const Term> terms, int max_order)
    : orders_(static_cast<std::size_t>(max_order) + 1) {
  merge(series, terms);
  const std::size_t groups = (convolutions_.size() + W - 1) / W;
  const Block zero = LaneMath<Block>::of(0);
  x_.assign(groups * orders_, zero);
  y_.assign(groups * orders_, zero);
  result_.assign(groups, zero);
}

template <class S, int W>
void BilinearSum<S, W>::merge(const Series<S, W>& series, std::span<const Term> terms) {
  std::map<Register, const Instruction*> single_terms;
  for (const Instruction& instruction : series.program().instructions) {
    if (instruction.op == Op::linear && instruction.term_count == 1)
      single_terms[instruction.result] = &instruction;
  }
  // by (row, x): the combination of unknowns that x multiplies in this row
  std::map<std::pair<std::uint32_t, Register>, std::map<std::uint32_t, S>> by_row;
  for (const Term& term : terms) {
    if (term.x.x == no_register) continue;  // a constant has no coefficients beyond order 0
    const auto [x, scale] = variable_part(series, term.x, single_terms);
    const auto [it, is_new] = by_row[{term.row, x}].try_emplace(term.y, scale);
    if (!is_new) it->second += scale;
  }
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> alike;  // combinations by their unknowns
  std::map<std::pair<Register, std::uint32_t>, std::uint32_t> convolution_ids;
  for (const auto& [place, combination] : by_row) {
    const S lead = combination.begin()->second;
    const std::uint32_t id = find_combination(combination, alike);
    const auto [convolution, is_new] =
        convolution_ids.try_emplace({place.second, id}, static_cast<std::uint32_t>(convolutions_.size()));
    if (is_new) convolutions_.push_back({place.second, id});
    targets_.push_back({convolution->second, place.first, lead});
  }
}

// Combinations that differ by a factor are one: their leading coefficient is 1, the factor is the target's.
template <class S, int W>
std::uint32_t BilinearSum<S, W>::find_combination(
    const std::map<std::uint32_t, S>& combination,
    std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>>& alike) {
  const S lead = combination.begin()->second;
  std::vector<std::uint32_t> unknowns;
  std::vector<CombinationTerm> terms;
  for (const auto& [y, coefficient] : combination) {
    unknowns.push_back(y);
    terms.push_back({y, S(coefficient / lead)});
  }
  std::vector<std::uint32_t>& candidates = alike[unknowns];
  for (const std::uint32_t id : candidates) {
    const auto known = combination_terms_.begin() + combinations_[id].first;
    const bool same = std::equal(terms.begin(), terms.end(), known, [](const auto& a, const auto& b) {
      return LaneMath<S>::equal(a.coefficient, b.coefficient);
    });
    if (same) return id;
  }
  const auto first = static_cast<std::uint32_t>(combination_terms_.size());
  combination_terms_.insert(combination_terms_.end(), terms.begin(), terms.end());
  combinations_.push_back({first, static_cast<std::uint32_t>(combination_terms_.size())});
  candidates.push_back(static_cast<std::uint32_t>(combinations_.size() - 1));
  return candidates.back();
}

template <class S, int W>
void BilinearSum<S, W>::load_y(std::span<const S> y, int k) {
  for (std::size_t i = 0; i < convolutions_.size(); ++i) {
    const Combination& combination = combinations_[convolutions_[i].combination];
    S value = combination_terms_[combination.first].coefficient * y[combination_terms_[combination.first].y];
    for (std::uint32_t j = combination.first + 1; j < combination.last; ++j) {
      LaneMath<S>::add_product(value, combination_terms_[j].coefficient, y[combination_terms_[j].y]);
    }
    Block& block = y_[(i / W) * orders_ + static_cast<std::size_t>(k)];
    reinterpret_cast<S*>(&block)[i % W] = value;
  }
}

template <class S, int W>
void BilinearSum<S, W>::accumulate(const Series<S, W>& series, int k, const S& sign, std::span<S> sum) {
  if (k < 1 || convolutions_.empty()) return;
  for (std::size_t i = 0; i < convolutions_.size(); ++i) {
    Block& block = x_[(i / W) * orders_ + static_cast<std::size_t>(k)];
    reinterpret_cast<S*>(&block)[i % W] = series.get(convolutions_[i].x, k);
  }
  for (std::size_t group = 0; group < result_.size(); ++group) {
    result_[group] = recurrence::convolution(&x_[group * orders_], &y_[group * orders_], k, 1, k);
  }
  const S* results = reinterpret_cast<const S*>(result_.data());
  for (const Target& target : targets_) {
    LaneMath<S>::add_product(sum[target.row], S(sign * target.scale), results[target.convolution]);
  }
}

template class BilinearSum<double, 1>;
template class BilinearSum<double, native_lanes>;
template class BilinearSum<Real, 1>;
template class BilinearSum<Rational, 1>;
template class BilinearSum<Lanes<4>, 1>;
template class BilinearSum<Lanes<8>, 1>;

}  // namespace dalembert
