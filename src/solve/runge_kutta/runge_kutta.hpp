// Explicit Runge-Kutta steps on y' = F(t, y): of constant length, or chosen so that the estimated error of
// each component stays below the tolerance times the largest value that the component has had.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <dalembert/solve/runge_kutta_table.hpp>

#include "runge_kutta/ode.hpp"

namespace dalembert {

class RungeKutta {
 public:
  struct Settings {
    double tolerance = 0;  ///< 0: steps are constant
    double step = 0;
    double max_step = 0;                                    ///< 0: unlimited
    double end = std::numeric_limits<double>::quiet_NaN();  ///< of the run; none: the first limit
  };
  /// y consists of groups of quantities of like size, `groups` has the number of each component's; a
  /// component is never measured by less than a tenth of the largest of its group.
  RungeKutta(const RungeKuttaTable& table, Ode& ode, std::vector<std::size_t> groups,
             const Settings& settings);

  bool start(double t, std::span<const double> y, double direction);
  /// One accepted step, not beyond `limit`. False: `reason` tells why; the state is the one before.
  bool step(double limit);
  /// The same solution in other unknowns.
  void replace(std::span<const double> y);

  double t() const { return t_; }
  std::span<const double> y() const { return {y_.data(), size_}; }
  int order() const { return table_.order; }
  bool is_adaptive() const { return settings_.tolerance > 0; }
  /// Inside the last step. False: the slopes that it needs do not exist.
  bool eval(double t, std::span<double> y);

  std::size_t rejected = 0;
  std::size_t evaluations = 0;
  std::string reason;

 private:
  std::span<double> k(int stage) {
    return {slopes_.data() + static_cast<std::size_t>(stage) * padded_, padded_};
  }
  bool eval_slope(double t, std::span<const double> y, std::span<double> slope);
  void add_slopes(const RungeKuttaTable::Row& row, double h, std::span<double> out) const;
  void combine(const RungeKuttaTable::Row& row, double h, std::span<double> out) const;
  struct Attempt {
    bool good;
    double factor;  // of the length, for the next one
  };
  Attempt try_step(double h, bool was_rejected);
  bool eval_stages(double h);
  bool take_first_slope();
  bool finish(double h, double t);
  bool eval_end_slope();
  bool eval_dense();
  double norm(const RungeKuttaTable::Row& row);
  double scaled_norm(std::span<const double> values) const;
  void measure_growth(std::span<const double> slope, double span);
  double error(double h);
  double error_norm(double h);
  double first_step(double end);
  double least_time() const;
  double next_length(double limit, bool& last);
  void measure(std::span<const double> y, std::span<double> sizes);
  bool fail(const std::string& why);

  const RungeKuttaTable& table_;
  Ode& ode_;
  std::vector<std::size_t> groups_;
  std::vector<double> largest_;  // by group
  Settings settings_;
  std::size_t size_;
  std::size_t padded_;          // size_, and zeros to fill the last SIMD register
  std::vector<double> slopes_;  // stages, the slope at the end, extra stages; one row each
  std::vector<double> y_, y0_, y_next_, stage_, sizes_, trial_sizes_;
  std::vector<double> dense_;  // rows of the table's dense output
  double t_ = 0;
  double t0_ = 0;  // of the last step
  double h_ = 0;   // its length, with sign
  double direction_ = 1;
  double origin_ = 0;  // steps of constant length are counted from here
  std::size_t count_ = 0;
  double proposed_ = 0;  // length of the next step
  double last_error_ = 1e-4;
  bool end_slope_known_ = false;
  bool dense_known_ = false;
};

}  // namespace dalembert
