// Which of redundant constraints stand for all of them, along a motion.
//
// Rows of C that are independent here may depend on each other elsewhere though C keeps its rank, as those of
//
//   x² + y² = 1,   x = cos θ,   y = sin θ
//
// do, the first two where y = 0. So rows are chosen anew where others are farther from dependence.
// Multipliers of least norm do not depend on the choice.
//
// Rows and columns are compared by the largest sizes that they have had: a row that vanishes here is not one
// of rounding errors made large.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/system/state_evaluation.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

class RowChoice {
 public:
  RowChoice(const System& system, std::span<const std::size_t> active);

  /// The chosen rows, always as many.
  const std::vector<std::size_t>& active() const { return active_; }
  /// False: all constraints are independent, and nothing below costs anything.
  bool has_choice() const { return active_.size() < m_ && !active_.empty(); }

  /// Looks at a state; of large systems, at some. True: rows were chosen anew.
  bool improve(double t, std::span<const double> q, std::span<const double> v);
  /// The same for a state to come: what is good there must serve at the state looked at last, too.
  bool improve_ahead(double t, std::span<const double> q, std::span<const double> v);
  /// Both, for steps that go on from here about as far as the last one came.
  bool improve_along(double t, std::span<const double> q, std::span<const double> v);

  /// λ of all constraints becomes one of the chosen rows alone with the same Cᵀ λ, at the state looked at
  /// last.
  void convert(std::span<double> lambda) const;

  /// Whether all constraints together keep the rank that they had: then nothing was lost where the chosen
  /// rows depend on each other.
  bool keeps_rank(double t, std::span<const double> q, std::span<const double> v);

 private:
  bool eval(double t, std::span<const double> q, std::span<const double> v);
  double independence(const std::vector<Eigen::Index>& rows) const;
  double independence_here(const std::vector<Eigen::Index>& rows) const;
  std::vector<Eigen::Index> choose_best() const;
  double independence_everywhere(const std::vector<Eigen::Index>& rows) const;
  std::vector<Eigen::Index> exchange(std::vector<Eigen::Index> rows) const;
  bool take_better(bool must_serve_here);
  Eigen::MatrixXd scaled(const Eigen::MatrixXd& C) const;

  std::size_t m_;
  Eigen::Index holonomic_;         // constraints
  Eigen::Index chosen_holonomic_;  // of the chosen rows, always as many: they alone keep positions
  std::vector<std::size_t> active_;
  std::vector<Eigen::Index> rows_;  // the same
  const System* system_;
  std::optional<StateEvaluation> evaluation_;  // where there is a choice
  Eigen::VectorXd row_sizes_;                  // the largest norm of each row so far
  Eigen::VectorXd column_sizes_;               // the largest entry of each column, of rows of size 1
  Eigen::MatrixXd scaled_;                     // C at the last evaluation
  Eigen::MatrixXd here_;                       // C at the state that improve() looked at
  std::vector<Eigen::MatrixXd> past_;          // C at the start and where rows were chosen anew
  double most_independent_ = 0;                // so far
  std::size_t interval_;                       // between looks, in calls of improve()
  std::size_t calls_ = 0;
  std::optional<double> last_t_;  // of improve_along()
};

}  // namespace dalembert
