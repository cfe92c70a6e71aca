#include "sum_groups.hpp"

#include <algorithm>
#include <tuple>

namespace dalembert {

namespace {

// The latest coefficients K that are there when sums of order K are formed: position rows are one order
// ahead.
Known known_at_sums(Stage stage) { return stage == Stage::position ? Known::early_sums : Known::early_rows; }

}  // namespace

bool SumGroups::Group::has_sums_per_order() const {
  return std::any_of(per_order.begin(), per_order.end(), [](bool is) { return is; });
}

bool SumGroups::Group::has_first() const {
  return std::any_of(first.begin(), first.end(), [](SeriesPlan::Place place) { return place != 0; });
}

SumGroups::SumGroups(const SeriesPlan& plan, const std::vector<Known>& known, std::size_t width)
    : known_(known), width_(width) {
  for (const Stage stage : {Stage::position, Stage::velocity})
    add(stage, plan.stages[static_cast<std::size_t>(stage)].back());
}

const std::vector<std::size_t>& SumGroups::slots(const Operand& operand) const {
  static const std::vector<std::size_t> nowhere;
  const auto found = slots_.find(operand);
  return found == slots_.end() ? nowhere : found->second;
}

Known SumGroups::known(const Vector& vector) const {
  Known latest = Known::always;
  for (const Operand& operand : vector) latest = std::max(latest, known_[operand.place]);
  return latest;
}

// k s_k = Σ_{j=1..k} j x_j c_{k−j}, and past products, Σ_{j=1..k} x_j y_{k−j}: the term j = k.
bool SumGroups::may_have_first(const SeriesPlan::Placed& i, const Operand& a) {
  return (i.op == Op::sincos || i.op == Op::past_product) && a.place == i.x;
}

// What is known later stands on the right.
std::vector<SumGroups::Sum> SumGroups::list(Stage stage, const SeriesPlan::Code& code) const {
  std::map<SeriesPlan::Place, SeriesPlan::Place> derived;
  for (const SeriesPlan::Derivative& derivative : code.derivatives) derived[derivative.dx] = derivative.x;
  const auto operand = [&](SeriesPlan::Place place) {
    const auto found = derived.find(place);
    return found == derived.end() ? Operand{place, false} : Operand{found->second, true};
  };
  std::vector<Sum> sums;
  for (std::size_t i = 0; i < code.nonlinear.size(); ++i) {
    const std::uint32_t first = code.nonlinear[i].pair;
    const std::uint32_t last =
        i + 1 < code.nonlinear.size() ? code.nonlinear[i + 1].pair : code.sums.pair_count();
    for (std::uint32_t pair = first; pair < last; ++pair) {
      const std::uint32_t place = code.sums.places[pair];
      const auto op = static_cast<std::uint32_t>(code.nonlinear[i].instruction.op);
      sums.push_back({operand(code.sums.a[place]),
                      operand(code.sums.b[place]),
                      place < code.sums.per_order,
                      place,
                      {op, pair - first},
                      false});
      Sum& sum = sums.back();
      if (known_[sum.b.place] < known_[sum.a.place]) std::swap(sum.a, sum.b);
      sum.has_first = known_[sum.a.place] != Known::always && known_[sum.a.place] <= known_at_sums(stage) &&
                      may_have_first(code.nonlinear[i].instruction, sum.a);
    }
  }
  return sums;
}

// Sums of the same role stand together, whole groups of them first: those of all sines have the vectors of
// derivatives in common with those of all cosines. Vectors of operands that are known at the same time can be
// kept early.
std::vector<SumGroups::Sum> SumGroups::in_blocks(std::vector<Sum> sums) const {
  const auto known = [&](const Operand& operand) {
    const Known when = known_[operand.place];
    return when == Known::early_sums ? Known::position : when;
  };
  const auto kind = [&](const Sum& sum) {
    return std::tuple(!sum.per_order, known(sum.b), known(sum.a), !sum.has_first, sum.role);
  };
  std::stable_sort(sums.begin(), sums.end(), [&](const Sum& x, const Sum& y) { return kind(x) < kind(y); });
  std::vector<Sum> blocks, rest;
  for (std::size_t i = 0; i < sums.size();) {
    std::size_t end = i;
    while (end < sums.size() && kind(sums[end]) == kind(sums[i])) ++end;
    const std::size_t whole = i + (end - i) / width_ * width_;
    for (; i < end; ++i) (i < whole ? blocks : rest).push_back(sums[i]);
  }
  blocks.insert(blocks.end(), rest.begin(), rest.end());
  return blocks;
}

void SumGroups::add(Stage stage, const SeriesPlan::Code& code) {
  const std::vector<Sum> sums = in_blocks(list(stage, code));
  const std::size_t first = groups_.size();
  for (std::size_t i = 0; i < sums.size(); i += width_) {
    Vector a(width_), b(width_);
    Group group;
    group.per_order.assign(width_, false);
    group.first.assign(width_, 0);
    for (std::size_t lane = 0; lane < width_ && i + lane < sums.size(); ++lane) {
      const Sum& sum = sums[i + lane];
      a[lane] = sum.a;
      b[lane] = sum.b;
      group.per_order[lane] = sum.per_order;
      if (sum.has_first) group.first[lane] = sum.b.place;
      results_[{stage, sum.place}] = groups_.size() * width_ + lane;
    }
    if (known(a) > known_at_sums(stage)) group.first.assign(width_, 0);
    group.a = vector(a);
    group.b = vector(b);
    groups_.push_back(group);
  }
  ranges_[stage] = {first, groups_.size()};
}

std::size_t SumGroups::vector(const Vector& operands) {
  const auto [found, is_new] = vectors_.try_emplace(operands, vectors_.size());
  if (is_new) {
    for (std::size_t lane = 0; lane < width_; ++lane) {
      if (operands[lane].place != 0) slots_[operands[lane]].push_back(found->second * width_ + lane);
    }
  }
  return found->second;
}

}  // namespace dalembert
