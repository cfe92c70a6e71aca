#include "events/friction_groups.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {

using Eigen::Index;
using Eigen::VectorXd;

namespace {

// Of accelerations: 1/√M_ii.
VectorXd units_of(const Eigen::MatrixXd& M) {
  VectorXd units = VectorXd::Ones(M.rows());
  for (Index i = 0; i < M.rows(); ++i)
    if (M(i, i) > 0) units[i] = 1 / std::sqrt(M(i, i));
  return units;
}

// ρ with row = ρ·first in C, D and γ; 0: there is none.
double ratio_of(const StateEvaluation& all, const VectorXd& units, Index first, Index row) {
  constexpr double rounding = 1e-10;
  const VectorXd a = all.C.row(first).transpose().cwiseProduct(units);
  const VectorXd b = all.C.row(row).transpose().cwiseProduct(units);
  const VectorXd da = all.D.row(first).transpose().cwiseProduct(units);
  const VectorXd db = all.D.row(row).transpose().cwiseProduct(units);
  if (!(a.squaredNorm() > 0)) return 0;
  const double ratio = a.dot(b) / a.squaredNorm();
  const double force = all.f.cwiseProduct(units).norm();
  const double turn = b.norm() * force + std::abs(all.gamma[row]) + std::abs(ratio * all.gamma[first]);
  const bool is_parallel = (b - ratio * a).norm() <= rounding * b.norm() &&
                           (db - ratio * da).norm() <= rounding * (db.norm() + b.norm()) &&
                           std::abs(all.gamma[row] - ratio * all.gamma[first]) <= rounding * turn;
  return is_parallel ? ratio : 0;
}

}  // namespace

std::vector<FrictionGroup> group_frictions(const ModeSystems& systems, const StateEvaluation& all,
                                           std::span<const std::size_t> rows,
                                           std::span<const std::size_t> frictions) {
  const VectorXd units = units_of(all.M);
  const auto row_of = [&](std::size_t f) { return static_cast<Index>(rows[systems.slips(f)[0]]); };
  std::vector<FrictionGroup> groups;
  for (const std::size_t f : frictions) {
    double ratio = 0;
    const auto group = std::ranges::find_if(groups, [&](const FrictionGroup& one) {
      const bool in_plane = systems.slips(f).size() == 1 && systems.slips(one.first()).size() == 1;
      ratio = in_plane ? ratio_of(all, units, row_of(one.first()), row_of(f)) : 0;
      return ratio != 0;
    });
    if (group != groups.end()) {
      group->members.push_back({f, ratio});
    } else {
      groups.push_back({{{f, 1}}});
    }
  }
  return groups;
}

double force_scale(const StateEvaluation& all, Index row, const VectorXd& force, double right) {
  double push = std::abs(right), give = 0;
  for (Index i = 0; i < force.size(); ++i) {
    if (!(all.M(i, i) > 0)) continue;
    push += std::abs(all.C(row, i) * force[i]) / all.M(i, i);
    give += all.C(row, i) * all.C(row, i) / all.M(i, i);
  }
  return give > 0 ? push / give : 0;
}

}  // namespace dalembert
