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

namespace dalembert {

/// The text of the recursion of a system with these active constraints, for so many trajectories at once.
LanesSource lanes_source(const System& system, std::span<const std::size_t> active, std::size_t lanes);

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

  /// The orders behind the first.
  void rest(Series<S>& series, int order) {
    for (const Stage stage : {Stage::position, Stage::velocity}) {
      const std::size_t count = series.plan().stages[static_cast<std::size_t>(stage)].back().nonlinear.size();
      while (all_.size() < count) all_.push_back(static_cast<std::uint32_t>(all_.size()));
      series.find_factors(stage, std::span(all_).first(count));
    }
    memory_.rows = reinterpret_cast<double*>(series.rows());
    memory_.factors = reinterpret_cast<const double*>(series.row_factors());
    memory_.position_factors = reinterpret_cast<const double*>(series.sum_factors(Stage::position));
    memory_.velocity_factors = reinterpret_cast<const double*>(series.sum_factors(Stage::velocity));
    code_->rest(&memory_, order);
  }

 private:
  std::shared_ptr<const LanesCode> code_;
  std::vector<S> streams_;
  std::vector<std::uint32_t> all_;  // instructions, by their numbers
  LanesMemory memory_{};
};

}  // namespace dalembert
