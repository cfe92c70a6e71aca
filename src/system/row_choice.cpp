#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <dalembert/linalg/orthogonal.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/row_choice.hpp>

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Places that are remembered, and exchanges of rows that are tried: a change is rare, and these are small.
constexpr std::size_t most_places = 8;
constexpr std::size_t most_exchanges = 200;

}  // namespace

RowChoice::RowChoice(const System& system, std::span<const std::size_t> active)
    : m_(system.m()),
      holonomic_(static_cast<Index>(system.holonomic())),
      chosen_holonomic_(std::count_if(active.begin(), active.end(),
                                      [&](std::size_t row) { return row < system.holonomic(); })),
      active_(active.begin(), active.end()),
      rows_(active.begin(), active.end()),
      system_(&system),
      row_sizes_(VectorXd::Zero(static_cast<Index>(system.m()))),
      column_sizes_(VectorXd::Zero(static_cast<Index>(system.n()))),
      interval_(1 + active.size() * active.size() * system.n() / policy::cheap_look) {}

MatrixXd RowChoice::scaled(const MatrixXd& C) const {
  const double largest = column_sizes_.maxCoeff();
  MatrixXd result = C;
  for (Index i = 0; i < C.rows(); ++i)
    if (row_sizes_[i] > 0) result.row(i) /= row_sizes_[i];
  for (Index j = 0; j < C.cols(); ++j)
    result.col(j) /= std::max(column_sizes_[j], largest / policy::most_stretch);
  const double length = result.rowwise().norm().maxCoeff();
  if (length > 0) result /= length;
  return result;
}

// False: C has entries that are no numbers.
bool RowChoice::eval(double t, std::span<const double> q, std::span<const double> v) {
  if (!evaluation_) evaluation_.emplace(*system_);
  evaluation_->eval(t, q, v);
  const MatrixXd& C = evaluation_->C;
  if (!C.allFinite()) return false;
  row_sizes_ = row_sizes_.cwiseMax(C.rowwise().norm());
  for (Index i = 0; i < C.rows(); ++i) {
    if (row_sizes_[i] > 0)
      column_sizes_ = column_sizes_.cwiseMax(C.row(i).transpose().cwiseAbs() / row_sizes_[i]);
  }
  scaled_ = scaled(C);
  return true;
}

double RowChoice::independence(const std::vector<Index>& rows) const {
  return choose_independent_rows(take_rows(scaled_, rows), static_cast<Index>(rows.size())).smallest_pivot;
}

double RowChoice::independence_here(const std::vector<Index>& rows) const {
  return choose_independent_rows(take_rows(scaled(here_), rows), static_cast<Index>(rows.size()))
      .smallest_pivot;
}

// Nonholonomic rows are compared without their parts along the chosen holonomic ones.
std::vector<Index> RowChoice::choose_best() const {
  std::vector<Index> rows = choose_independent_rows(scaled_.topRows(holonomic_), chosen_holonomic_).rows;
  const Index missing = static_cast<Index>(rows_.size()) - chosen_holonomic_;
  if (missing == 0) return rows;
  const MatrixXd free = make_kernel_basis(take_rows(scaled_, rows));
  const MatrixXd rest = scaled_.bottomRows(scaled_.rows() - holonomic_) * free;
  for (const Index row : choose_independent_rows(rest, missing).rows) rows.push_back(holonomic_ + row);
  return rows;
}

double RowChoice::independence_everywhere(const std::vector<Index>& rows) const {
  double least = independence(rows);
  for (const MatrixXd& C : past_) {
    const ChosenRows there =
        choose_independent_rows(take_rows(scaled(C), rows), static_cast<Index>(rows.size()));
    least = std::min(least, there.smallest_pivot);
  }
  return least;
}

// Methods that drift carry what they have lost from rows to rows: best are those that need not be changed
// again where the motion comes back to. One row for another as long as that helps, the best ones first.
std::vector<Index> RowChoice::exchange(std::vector<Index> rows) const {
  std::vector<Index> others;
  for (Index j = 0; j < scaled_.rows(); ++j)
    if (!std::binary_search(rows.begin(), rows.end(), j)) others.push_back(j);
  if (rows.size() * others.size() > most_exchanges) return rows;
  const double needed = std::min(policy::good_rows, independence(rows) / 2);
  double best = independence_everywhere(rows);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const Index other : others) {
      if ((other < holonomic_) != (rows[k] < holonomic_)) continue;
      std::vector<Index> changed = rows;
      changed[k] = other;
      std::sort(changed.begin(), changed.end());
      const double found = independence_everywhere(changed);
      if (!(found > best) || independence(changed) < needed) continue;
      return found > policy::much_better_rows * best ? exchange(changed) : changed;
    }
  }
  return rows;
}

bool RowChoice::take_better(bool must_serve_here) {
  const double present = independence(rows_);
  most_independent_ = std::max(most_independent_, present);
  if (present >= policy::good_rows) return false;
  std::vector<Index> best = choose_best();
  most_independent_ = std::max(most_independent_, independence(best));
  if (independence(best) <= policy::much_better_rows * present) return false;
  best = exchange(best);
  if (must_serve_here && independence_here(best) < std::min(policy::good_rows, independence_here(rows_)) / 2)
    return false;
  if (past_.size() < most_places) past_.push_back(evaluation_->C);
  rows_ = best;
  active_.assign(rows_.begin(), rows_.end());
  return true;
}

bool RowChoice::improve(double t, std::span<const double> q, std::span<const double> v) {
  if (!has_choice() || calls_++ % interval_ != 0 || !eval(t, q, v)) return false;
  here_ = evaluation_->C;
  if (past_.empty()) past_.push_back(here_);
  return take_better(false);
}

bool RowChoice::improve_ahead(double t, std::span<const double> q, std::span<const double> v) {
  if (!has_choice() || (calls_ - 1) % interval_ != 0 || here_.size() == 0) return false;
  return eval(t, q, v) && take_better(true);
}

bool RowChoice::improve_along(double t, std::span<const double> q, std::span<const double> v) {
  if (!has_choice()) return false;
  bool changed = improve(t, q, v);
  const double h = last_t_ ? t - *last_t_ : 0;
  last_t_ = t;
  std::vector<double> ahead(q.size());
  for (const double share : {1.0, 2.0}) {  // the next step may be longer
    if (h == 0) break;
    for (std::size_t i = 0; i < q.size(); ++i) ahead[i] = q[i] + share * h * v[i];
    changed = improve_ahead(t + share * h, ahead, v) || changed;
  }
  return changed;
}

void RowChoice::convert(std::span<double> lambda) const {
  const Eigen::Map<const VectorXd> before(lambda.data(), static_cast<Index>(lambda.size()));
  const VectorXd force = here_.transpose() * before;
  const VectorXd chosen = solve_least_squares(take_rows(here_, rows_).transpose(), force);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (std::size_t k = 0; k < active_.size(); ++k) lambda[active_[k]] = chosen[static_cast<Index>(k)];
}

bool RowChoice::keeps_rank(double t, std::span<const double> q, std::span<const double> v) {
  if (!has_choice() || !eval(t, q, v)) return false;
  const double now = independence(choose_best());
  most_independent_ = std::max(most_independent_, now);
  return now > policy::lost_rank * most_independent_;
}

}  // namespace dalembert
