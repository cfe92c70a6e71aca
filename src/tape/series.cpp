#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/tape/series.hpp>

#include "series_run.hpp"

namespace dalembert {

template <class S>
Series<S>::Series(std::shared_ptr<const SeriesPlan> plan, std::vector<S> constants, int max_order, Team* team)
    : SeriesData<S>(std::move(plan), std::move(constants), max_order), team_(team) {
  run(Stage::constant, 0);
}

template <class S>
void Series<S>::set_constants(std::vector<S> constants) {
  this->take_constants(std::move(constants));
  run(Stage::constant, 0);
}

template <class S>
void Series<S>::find_factors(Stage stage, std::span<const std::uint32_t> instructions) {
  const auto number = static_cast<std::size_t>(stage);
  const Code& code = plan_->stages[number].back();
  for (const std::uint32_t i : instructions) find_factors(convolutions_[number].back(), code.nonlinear[i]);
}

template class Series<double>;
template class Series<Real>;
template class Series<Rational>;
template class Series<Lanes<4>>;
template class Series<Lanes<8>>;

}  // namespace dalembert
