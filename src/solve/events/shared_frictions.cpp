#include "events/shared_frictions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dalembert/linalg/orthogonal.hpp>
#include <dalembert/linalg/policy.hpp>
#include <dalembert/system/state_evaluation.hpp>

namespace dalembert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The projector on what rows of size one can share, I − R R⁺: of rounding errors where they are independent.
constexpr double shared = 1e-7;  // beside entries of a hundredth and more; chosen, not measured

bool is_coupled(const MatrixXd& shares, std::span<const std::size_t> one,
                std::span<const std::size_t> other) {
  return std::ranges::any_of(one, [&](std::size_t i) {
    return std::ranges::any_of(other, [&](std::size_t j) {
      return std::abs(shares(static_cast<Index>(i), static_cast<Index>(j))) > shared;
    });
  });
}

// Whether the sum of these multipliers is the same whatever is shared.
bool is_unique_sum(const MatrixXd& shares, const VectorXd& scale, const std::vector<std::size_t>& rows) {
  VectorXd sum = VectorXd::Zero(scale.size());
  for (const std::size_t row : rows) sum[static_cast<Index>(row)] = 1 / scale[static_cast<Index>(row)];
  return (shares * sum).lpNorm<Eigen::Infinity>() <= shared * sum.lpNorm<Eigen::Infinity>();
}

// I − A⁺ A with A = Dᵀ of rows of size one.
MatrixXd find_shares(const MatrixXd& D, const VectorXd& scale) {
  const MatrixXd A = D.transpose() * scale.cwiseInverse().asDiagonal();
  PseudoInverse inverse;
  inverse.factor(A, policy::dependent_rows);
  MatrixXd shares = MatrixXd::Identity(A.cols(), A.cols());
  for (Index j = 0; j < A.cols(); ++j) shares.col(j) -= inverse.solve(A.col(j));
  return shares;
}

double sum_of(std::span<const double> lambda, const std::vector<std::size_t>& rows) {
  double sum = 0;
  for (const std::size_t row : rows) sum += lambda[row];
  return sum;
}

}  // namespace

SharedFrictions::SharedFrictions(ModeSystems& systems, const Mode& mode, double t, std::span<const double> q,
                                 std::span<const double> v) {
  std::vector<Group> open;  // of one contact each, then joined
  const ModelData& model = systems.model();
  for (std::size_t f = 0; f < model.frictions.size(); ++f) {
    const auto& slips = systems.slips(f);
    if (!model.frictions[f].contact || slips.size() != 2 || !mode.links[slips[0]]) continue;
    const auto normal = systems.row(mode, *systems.normal(f));
    if (!normal) continue;
    open.push_back({{model.contacts[*model.frictions[f].contact].name},
                    {*normal},
                    {*systems.row(mode, slips[0])},
                    {*systems.row(mode, slips[1])},
                    systems.parameter(model.frictions[f].sticking)});
  }
  if (open.size() < 2) return;
  StateEvaluation at(systems.get(mode));
  at.eval(t, q, v);
  const VectorXd scale = at.D.rowwise().norm();
  if (!(scale.minCoeff() > 0)) return;
  const MatrixXd shares = find_shares(at.D, scale);
  while (!open.empty()) {
    Group group = std::move(open.back());
    open.pop_back();
    const auto joins = [&](const Group& other) {
      return is_coupled(shares, group.normals, other.normals) ||
             is_coupled(shares, group.first_slips, other.first_slips) ||
             is_coupled(shares, group.first_slips, other.second_slips) ||
             is_coupled(shares, group.second_slips, other.second_slips);
    };
    for (auto next = std::ranges::find_if(open, joins); next != open.end();
         next = std::ranges::find_if(open, joins)) {
      group.join(*next);
      open.erase(next);
    }
    const bool is_unique = std::ranges::all_of(
        std::array{&group.normals, &group.first_slips, &group.second_slips},
        [&](const std::vector<std::size_t>* rows) { return is_unique_sum(shares, scale, *rows); });
    if (group.names.size() > 1 && is_unique) groups_.push_back(std::move(group));
  }
}

void SharedFrictions::Group::join(const Group& other) {
  names.insert(names.begin(), other.names.begin(), other.names.end());
  normals.insert(normals.end(), other.normals.begin(), other.normals.end());
  first_slips.insert(first_slips.end(), other.first_slips.begin(), other.first_slips.end());
  second_slips.insert(second_slips.end(), other.second_slips.begin(), other.second_slips.end());
  sticking = std::max(sticking, other.sticking);
}

std::optional<std::string> SharedFrictions::judge(double t, std::span<const double> lambda) const {
  constexpr double rounding = 1e-6;  // far above what solves leave, far below what a motion shows
  for (const Group& group : groups_) {
    const double force = std::hypot(sum_of(lambda, group.first_slips), sum_of(lambda, group.second_slips));
    const double most = group.sticking * sum_of(lambda, group.normals);
    if (force <= most + rounding * std::max(std::abs(most), force)) continue;
    return fmt::format(
        "at t = {:.6g} the contacts {} stick with {:.3g}, where together they hold {:.3g}: how they "
        "share their forces is not unique, and the motion from there on is not right",
        t, fmt::join(group.names, ", "), force, most);
  }
  return {};
}

}  // namespace dalembert
