#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/tape/series_data.hpp>

namespace dalembert {

template <class S>
std::vector<S> evaluate_constants(const Program& program, const std::unordered_map<NodeId, S>& parameters) {
  std::vector<S> values;
  values.reserve(program.constants.size());
  for (const Expr& constant : program.constants) values.push_back(evaluate<S>(constant, parameters));
  return values;
}

template <class S>
SeriesData<S>::SeriesData(std::shared_ptr<const SeriesPlan> plan, std::vector<S> constants, int max_order)
    : plan_(std::move(plan)),
      max_order_(max_order),
      row_size_(plan_->row_size),
      places_(plan_->places.data()),
      inputs_(plan_->program->inputs.data()) {
  const S zero = LaneMath<S>::of(0);
  memory_.assign((static_cast<std::size_t>(max_order) + 1) * row_size_, zero);
  for (const Place branch : plan_->branches) sides_.emplace(branch, Side{zero, false});
  for (std::size_t stage = 0; stage < plan_->stages.size(); ++stage) {
    for (const SeriesPlan::Code& code : plan_->stages[stage])
      convolutions_[stage].emplace_back(code.sums, max_order);
  }
  take_constants(std::move(constants));
}

template <class S>
void SeriesData<S>::take_constants(std::vector<S> constants) {
  constants_ = std::move(constants);
  terms_.clear();
  for (const SeriesPlan::Term& term : plan_->terms) terms_.push_back({constants_[term.coefficient], term.x});
  factors_.clear();
  for (const SeriesPlan::RowConstants& row : plan_->row_constants)
    factors_.push_back({constants_[row.x], constants_[row.y]});
}

template class SeriesData<double>;
template class SeriesData<Real>;
template class SeriesData<Rational>;
template class SeriesData<Lanes<4>>;
template class SeriesData<Lanes<8>>;

template std::vector<double> evaluate_constants(const Program&, const std::unordered_map<NodeId, double>&);
template std::vector<Real> evaluate_constants(const Program&, const std::unordered_map<NodeId, Real>&);
template std::vector<Rational> evaluate_constants(const Program&,
                                                  const std::unordered_map<NodeId, Rational>&);

}  // namespace dalembert
