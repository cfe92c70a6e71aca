#include "methods/partition.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

#include <dalembert/linalg/lu_factors.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/state_evaluation.hpp>

#include "control/expected_forces.hpp"
#include "control/rest_sizes.hpp"
#include "control/subsystems.hpp"
#include "methods/explicit.hpp"
#include "run/state_jump.hpp"
#include "runge_kutta/accelerations.hpp"
#include "runge_kutta/ode_stepper.hpp"

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Columns of a matrix of constraints, split into dependent ones, whose square matrix is inverted, and the
// rest.
struct Split {
  std::vector<Index> dependent, independent;

  explicit Split(Index columns = 0, std::vector<Index> chosen = {}) : dependent(std::move(chosen)) {
    for (Index i = 0; i < columns; ++i) {
      if (!std::binary_search(dependent.begin(), dependent.end(), i)) independent.push_back(i);
    }
  }

  MatrixXd square(const MatrixXd& matrix) const { return matrix(Eigen::all, dependent); }

  // The smallest pivot of the square matrix with rows of size 1: how well the dependent ones are determined.
  double quality(const MatrixXd& matrix) const {
    if (dependent.empty()) return 1;
    MatrixXd rows = square(matrix);
    for (Index row = 0; row < rows.rows(); ++row) rows.row(row) /= matrix.row(row).norm();
    LuFactors lu;
    lu.factor(rows);
    return lu.smallest_pivot();
  }
};

class PartitionOde : public MotionOde {
 public:
  PartitionOde(const Problem& problem, const SolveOptions& options)
      : at_(problem.system),
        accelerations_(problem.system, problem.active),
        expected_(problem.system, options.tolerance),
        subsystems_(problem.system, problem.start.units),
        rest_(subsystems_, options),
        holonomic_(problem.system.holonomic()),
        n_(static_cast<Index>(problem.system.n())),
        q_(n_),
        v_(n_),
        least_q_(problem.least_q) {
    PartitionOde::choose_unknowns(problem.start.t, problem.start.q, problem.start.v);
  }

  std::vector<std::size_t> groups() const override {
    std::vector<std::size_t> result;
    const auto group = [&](Index i) { return subsystems_.of_coordinate()[static_cast<std::size_t>(i)]; };
    for (const Index i : positions_.independent) result.push_back(group(i));
    for (const Index i : velocities_.independent) result.push_back(subsystems_.count() + group(i));
    return result;
  }

  bool choose_unknowns(double t, std::span<const double> q, std::span<const double> v) override {
    accelerations_.improve_rows(t, q, v);
    take_rows();
    at_.eval(t, q, v);
    std::copy(q.begin(), q.end(), q_.begin());
    begin_t_ = t;
    begin_q_.assign(q.begin(), q.end());
    begin_v_.assign(v.begin(), v.end());
    // a new partition starts the integration anew: not for less. Chosen, not measured.
    constexpr double much_better = 4;
    const auto improve = [&](Split& split, const std::vector<Index>& rows) {
      const MatrixXd matrix = at_.C(rows, Eigen::all);
      const Split best(n_, choose_pivot_columns(matrix));
      const bool first = split.dependent.size() + split.independent.size() == 0;
      if (!first && best.quality(matrix) <= much_better * split.quality(matrix)) return false;
      split = best;
      return true;
    };
    const bool new_positions = improve(positions_, position_rows_);
    const bool new_velocities = improve(velocities_, velocity_rows_);
    return new_positions || new_velocities;
  }

  void write(double, std::span<const double> q, std::span<const double> v, std::span<double> y) override {
    std::size_t next = 0;
    for (const Index i : positions_.independent) y[next++] = q[static_cast<std::size_t>(i)];
    for (const Index i : velocities_.independent) y[next++] = v[static_cast<std::size_t>(i)];
  }

  bool read(double t, std::span<const double> y, std::span<double> q, std::span<double> v) override {
    if (!find_positions(t, y) || !find_velocities(y.subspan(positions_.independent.size()))) return false;
    std::copy(q_.begin(), q_.end(), q.begin());
    std::copy(v_.begin(), v_.end(), v.begin());
    return true;
  }

  void expect_near(std::span<const double> q) override { std::copy(q.begin(), q.end(), q_.begin()); }

  void expect(double t, double end, std::span<const double>) override {
    expected_.look(accelerations_, t, end, begin_q_, begin_v_);
    look_again();
  }
  void raise_sizes(double h, std::span<double> sizes) const override {
    raise_to(expected_, h, sizes);
    raise_to(rest_, h, sizes);
  }
  void look_again(double, std::span<const double>) override { look_again(); }

  bool eval(double t, std::span<const double> y, std::span<double> slope) override {
    // from the last positions, then straight on from the start of the step
    if (!find_state(t, y)) {
      for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = begin_q_[i] + (t - begin_t_) * begin_v_[i];
      if (!find_state(t, y)) {
        std::copy(begin_q_.begin(), begin_q_.end(), q_.begin());
        return false;
      }
      reason.clear();
    }
    if (!accelerations_.eval(t, {q_.data(), q_.size()}, {v_.data(), v_.size()})) {
      reason = Accelerations::singular_reason();
      return false;
    }
    std::size_t next = 0;
    for (const Index i : positions_.independent) slope[next++] = v_[static_cast<std::size_t>(i)];
    for (const Index i : velocities_.independent) {
      slope[next++] = accelerations_.a()[static_cast<std::size_t>(i)];
    }
    return true;
  }

 private:
  void take_rows() {
    velocity_rows_.clear();
    position_rows_.clear();
    for (const std::size_t row : accelerations_.rows().active()) {
      velocity_rows_.push_back(static_cast<Index>(row));
      if (row < holonomic_) position_rows_.push_back(static_cast<Index>(row));
    }
  }

  void look_again() {
    if (accelerations_.eval(begin_t_, begin_q_, begin_v_)) rest_.look(accelerations_, begin_q_);
  }

  // To the least sizes of positions and velocities.
  template <class Least>
  void raise_to(const Least& least, double h, std::span<double> sizes) const {
    std::size_t next = 0;
    const auto raise = [&](double size) {
      sizes[next] = std::max(sizes[next], size);
      ++next;
    };
    for (const Index i : positions_.independent) raise(least.least_q(static_cast<std::size_t>(i), h));
    for (const Index i : velocities_.independent) raise(least.least_v(static_cast<std::size_t>(i), h));
  }

  // Where the partition becomes singular within the step, Newton's method finds another solution.
  bool find_state(double t, std::span<const double> y) {
    if (!find_positions(t, y) || !find_velocities(y.subspan(positions_.independent.size()))) return false;
    if (positions_.dependent.empty()) return true;
    // as Newton's `enough` below: positions are right to that before the last change
    constexpr double round_off = 1e-8;
    if (!has_jumped({begin_q_, begin_v_, least_q_}, {q_, v_}, t - begin_t_, 1, round_off)) return true;
    reason = "the dependent coordinates are those of another motion; a shorter step may help";
    return false;
  }

  // Newton's method from the last positions; leaves C and c of the result in at_.
  bool find_positions(double t, std::span<const double> y) {
    constexpr double enough = 1e-8;  // the next change would be below round-off
    // a coordinate may be carried far by the independent ones: more than the three of a short step
    constexpr int most_iterations = 20;
    std::size_t next = 0;
    for (const Index i : positions_.independent) q_[static_cast<std::size_t>(i)] = y[next++];
    for (int iteration = 0; !position_rows_.empty(); ++iteration) {
      at_.eval(t, {q_.data(), q_.size()}, {v_.data(), v_.size()});
      ++iterations;
      lu_.factor(positions_.square(at_.C(position_rows_, Eigen::all)));
      const VectorXd change = lu_.solve(at_.g(position_rows_));
      double size = 0;
      for (std::size_t k = 0; k < positions_.dependent.size(); ++k) {
        double& q = q_[static_cast<std::size_t>(positions_.dependent[k])];
        q -= change[static_cast<Index>(k)];
        size = std::max(size, std::abs(q));
      }
      const double relative = change.lpNorm<Eigen::Infinity>() / std::max(size, 1e-300);
      if (!std::isfinite(relative) || iteration == most_iterations) {
        reason = "Newton's method does not find the dependent coordinates; a shorter step may help";
        return false;
      }
      if (relative <= enough) break;
    }
    at_.eval(t, {q_.data(), q_.size()}, {v_.data(), v_.size()});
    return true;
  }

  // C_d v_d = −c − C_i v_i
  bool find_velocities(std::span<const double> independent) {
    std::size_t next = 0;
    for (const Index i : velocities_.independent) v_[static_cast<std::size_t>(i)] = independent[next++];
    if (velocities_.dependent.empty()) return true;
    const MatrixXd C = at_.C(velocity_rows_, Eigen::all);
    VectorXd right = -at_.c(velocity_rows_);
    for (const Index i : velocities_.independent) right -= C.col(i) * v_[static_cast<std::size_t>(i)];
    lu_.factor(velocities_.square(C));
    right = lu_.solve(right);
    for (std::size_t k = 0; k < velocities_.dependent.size(); ++k) {
      v_[static_cast<std::size_t>(velocities_.dependent[k])] = right[static_cast<Index>(k)];
    }
    if (right.allFinite()) return true;
    reason = "the dependent velocities are not determined here";
    return false;
  }

  StateEvaluation at_;
  Accelerations accelerations_;
  ExpectedForces expected_;
  Subsystems subsystems_;
  RestSizes rest_;
  std::size_t holonomic_;
  Index n_;
  std::vector<Index> position_rows_, velocity_rows_;  // independent constraints
  Split positions_, velocities_;
  std::vector<double> q_, v_;
  double least_q_;      // that q has been
  double begin_t_ = 0;  // of the step
  std::vector<double> begin_q_, begin_v_;
  LuFactors lu_;
};

}  // namespace

RunReport run_partition(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink) {
  PartitionOde ode(problem, options);
  OdeStepper stepper(ode, table_of(options), options, problem.system.n());
  return run_steps(problem, options, sink, stepper);
}

std::string refuse_partition(const Problem& problem, const SolveOptions& options) {
  if (!options.stabilization) return refuse_multiplier_forces(problem);
  return "keeps the constraints by itself and takes no stabilization";
}

}  // namespace dalembert
