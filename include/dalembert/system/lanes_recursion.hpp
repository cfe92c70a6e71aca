// The recursion of an Expansion in lanes by compiled code, from order 1 on.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/codegen/lanes_source.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>
#include <dalembert/tape/sincos.hpp>

namespace dalembert {

/// The text of the recursion of a system with these active constraints, for so many trajectories at once.
LanesSource lanes_source(const System& system, std::span<const std::size_t> active, std::size_t lanes);

/// On the numbers of a series of the program that the code was made for.
template <class S>
void run_values(LanesCode::Values values, Series<S>& series) {
  constexpr auto sines_and_cosines = [](const void* x, void* sine, void* cosine) {
    sincos<LaneMath<S>::lanes>(*static_cast<const S*>(x), *static_cast<S*>(sine), *static_cast<S*>(cosine));
  };
  values(reinterpret_cast<double*>(series.rows()), reinterpret_cast<const double*>(series.constants()),
         sines_and_cosines);
}

template <class S>
class LanesRecursion {
 public:
  /// As CompiledRecursion.
  LanesRecursion(std::shared_ptr<const LanesCode> code, int max_order, S* right, void* host,
                 const double* (*solve)(void*, int))
      : code_(std::move(code)), streams_(code_->source.streams * (static_cast<std::size_t>(max_order) + 2)) {
    memory_.streams = reinterpret_cast<double*>(streams_.data());
    memory_.stride = max_order + 2;
    memory_.right = reinterpret_cast<double*>(right);
    memory_.host = host;
    memory_.solve = solve;
  }

  /// The values of order 0 of the position or velocity stage. False: the interpreter must find them.
  bool evaluate(Series<S>& series, Stage stage) const {
    const LanesCode::Values values = stage == Stage::position ? code_->position : code_->velocity;
    if (values == nullptr) return false;
    run_values(values, series);
    return true;
  }

  /// The orders behind the first.
  void rest(Series<S>& series, int order) {
    series.find_factors(Stage::position, code_->source.found_at_position);
    series.find_factors(Stage::velocity, code_->source.found_at_velocity);
    memory_.constants = reinterpret_cast<const double*>(series.constants());
    memory_.rows = reinterpret_cast<double*>(series.rows());
    memory_.factors = reinterpret_cast<const double*>(series.row_factors());
    memory_.position_factors = reinterpret_cast<const double*>(series.sum_factors(Stage::position));
    memory_.velocity_factors = reinterpret_cast<const double*>(series.sum_factors(Stage::velocity));
    code_->rest(&memory_, order);
  }

 private:
  std::shared_ptr<const LanesCode> code_;
  std::vector<S> streams_;
  LanesMemory memory_{};
};

}  // namespace dalembert
