#include "sum_groups.hpp"

#include <algorithm>
#include <tuple>

namespace dalembert {

bool SumGroups::Group::has_sums_per_order() const {
  return std::any_of(per_order.begin(), per_order.end(), [](bool is) { return is; });
}

SumGroups::SumGroups(const SeriesPlan& plan) {
  for (const Stage stage : {Stage::position, Stage::velocity})
    add(stage, plan.stages[static_cast<std::size_t>(stage)].back());
}

std::pair<std::size_t, std::size_t> SumGroups::range(Stage stage) const { return ranges_.at(stage); }

const std::vector<std::size_t>& SumGroups::slots(const Operand& operand) const {
  static const std::vector<std::size_t> nowhere;
  const auto found = slots_.find(operand);
  return found == slots_.end() ? nowhere : found->second;
}

// Sums of the same role stand together: those of all sines have the vectors of derivatives in common with
// those of all cosines.
std::vector<SumGroups::Sum> SumGroups::list(const SeriesPlan::Code& code) const {
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
                      {op, pair - first}});
    }
  }
  std::stable_sort(sums.begin(), sums.end(), [](const Sum& x, const Sum& y) {
    return std::tuple(!x.per_order, x.role) < std::tuple(!y.per_order, y.role);
  });
  return sums;
}

void SumGroups::add(Stage stage, const SeriesPlan::Code& code) {
  const std::vector<Sum> sums = list(code);
  const std::size_t first = groups_.size();
  for (std::size_t i = 0; i < sums.size(); i += width) {
    Vector a{}, b{};
    Group group;
    for (std::size_t lane = 0; lane < width && i + lane < sums.size(); ++lane) {
      const Sum& sum = sums[i + lane];
      a[lane] = sum.a;
      b[lane] = sum.b;
      group.per_order[lane] = sum.per_order;
      results_[{stage, sum.place}] = groups_.size() * width + lane;
    }
    group.a = vector(a);
    group.b = vector(b);
    groups_.push_back(group);
  }
  ranges_[stage] = {first, groups_.size()};
}

std::size_t SumGroups::vector(const Vector& operands) {
  const auto [found, is_new] = vectors_.try_emplace(operands, vectors_.size());
  if (is_new) {
    for (std::size_t lane = 0; lane < width; ++lane) {
      if (operands[lane].place != 0) slots_[operands[lane]].push_back(found->second * width + lane);
    }
  }
  return found->second;
}

}  // namespace dalembert
