// From samples to rows of numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <dalembert/derive/equations.hpp>
#include <dalembert/expr/scalar.hpp>
#include <dalembert/model/model.hpp>
#include <dalembert/output/columns.hpp>
#include <dalembert/trajectory/sample.hpp>

namespace dalembert {

/// −Cᵀ λ, the generalized constraint force of each coordinate.
std::vector<Expr> constraint_forces(const Equations& equations);

/// Fills rows with the columns' values. What a sample does not hold, constraint forces and the view's points,
/// is computed by a program of its own.
template <class S>
class RowFiller {
 public:
  /// `forces` may be empty when no column asks for them.
  RowFiller(const Model& model, std::vector<Column> columns, const std::vector<Expr>& forces);
  RowFiller(const RowFiller&) = delete;
  RowFiller& operator=(const RowFiller&) = delete;
  ~RowFiller();

  const std::vector<Column>& columns() const { return columns_; }
  /// Valid until the next call.
  std::span<const S> fill(const Sample<S>& sample);

 private:
  class Expressions;
  // Neighbouring columns that are neighbours in a sample as well.
  struct Run {
    ColumnGroup group;
    std::size_t first, count;
  };

  std::vector<Column> columns_;
  std::vector<Run> runs_;
  std::vector<S> row_;
  std::unique_ptr<Expressions> expressions_;
};

extern template class RowFiller<double>;
extern template class RowFiller<Real>;

}  // namespace dalembert
