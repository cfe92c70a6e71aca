#include "events/link_mechanics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/linalg/complementarity.hpp>
#include <dalembert/linalg/orthogonal.hpp>
#include <dalembert/linalg/policy.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/linalg/saddle_point.hpp>

#include "events/friction_groups.hpp"

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

LinkMechanics::LinkMechanics(ModeSystems& systems, const Mode& mode, double t, std::span<const double> q,
                             std::span<const double> v)
    : all_(systems.all(mode)),
      q_(Eigen::Map<const VectorXd>(q.data(), static_cast<Index>(q.size()))),
      v_(Eigen::Map<const VectorXd>(v.data(), static_cast<Index>(v.size()))) {
  Mode every = mode;
  every.links.assign(every.links.size(), true);
  for (std::size_t i = 0; i < systems.link_count(); ++i) {
    rows_.push_back(*systems.row(every, i));
    if (mode.links[i] && !systems.is_contact(i)) links_.push_back(i);
  }
  all_.eval(t, q, v);
  const auto count = static_cast<Index>(links_.size());
  B_.resize(count, q_.size());
  b_.resize(count);
  gamma_.resize(count);
  for (Index k = 0; k < count; ++k) {
    const Index r = row(links_[static_cast<std::size_t>(k)]);
    B_.row(k) = all_.C.row(r);
    b_[k] = all_.c[r];
    gamma_[k] = all_.gamma[r];
  }
  rank_ = find_row_rank(B_);
}

double LinkMechanics::residual(std::size_t link) const {
  const Index r = row(link);
  return r < all_.g.size() ? all_.g[r] : all_.C.row(r).dot(v_) + all_.c[r];
}

double LinkMechanics::residual_scale(std::size_t link) const {
  const Index r = row(link);
  const VectorXd& x = r < all_.g.size() ? q_ : v_;
  const double largest = std::max(x.cwiseAbs().maxCoeff(), 1e-3);
  return all_.C.row(r).cwiseAbs().sum() * largest;
}

double LinkMechanics::gap_rate(std::size_t link, const VectorXd& v) const {
  return -(all_.C.row(row(link)).dot(v) + all_.c[row(link)]);
}

double LinkMechanics::gap_acceleration(std::size_t link, const VectorXd& a) const {
  return -(all_.C.row(row(link)).dot(a) - all_.gamma[row(link)]);
}

// An impact across the contact leaves rounding errors of all velocities in its rate.
double LinkMechanics::rate_scale(std::size_t link, const VectorXd& v) const {
  return all_.C.row(row(link)).cwiseAbs().sum() * v.cwiseAbs().maxCoeff() + std::abs(all_.c[row(link)]);
}

double LinkMechanics::acceleration(std::size_t link, const VectorXd& a) const {
  return all_.C.row(row(link)).dot(a) - all_.gamma[row(link)];
}

double LinkMechanics::acceleration_scale(std::size_t link, const VectorXd& a) const {
  return all_.C.row(row(link)).cwiseAbs().dot(a.cwiseAbs()) + std::abs(all_.gamma[row(link)]);
}

// [M Bᵀ; B 0] [x; μ] = [force; constraint]
LinkMechanics::Response LinkMechanics::solve(const VectorXd& force, const VectorXd& constraint) const {
  const auto solution = solve_saddle_point(all_.M, B_, force, constraint, rank_);
  if (!solution) throw Error("a motion that the constraints allow has no inertia: impulses have no answer");
  return {solution->a, solution->lambda};
}

LinkMechanics::Coupling LinkMechanics::couple(std::span<const std::size_t> contacts) const {
  const auto count = static_cast<Index>(contacts.size());
  Coupling result;
  result.A.resize(count, count);
  for (Index j = 0; j < count; ++j) {
    result.unit.push_back(solve(-all_.C.row(row(contacts[static_cast<std::size_t>(j)])).transpose(),
                                VectorXd::Zero(b_.size())));
    for (Index i = 0; i < count; ++i)
      result.A(i, j) = -all_.C.row(row(contacts[static_cast<std::size_t>(i)])).dot(result.unit.back().x);
  }
  result.A = (result.A + result.A.transpose().eval()) / 2;
  return result;
}

std::optional<LinkMechanics::Jump> LinkMechanics::jump(std::span<const TouchingContact> contacts) const {
  const auto count = static_cast<Index>(contacts.size());
  const Response onto = solve(VectorXd::Zero(v_.size()), -(B_ * v_ + b_));
  std::vector<std::size_t> links;
  for (const TouchingContact& one : contacts) links.push_back(one.link);
  const Coupling coupling = couple(links);
  const VectorXd free = v_ + onto.x;  // on the constraints
  VectorXd rate(count), newton(count), poisson(count);
  for (Index i = 0; i < count; ++i) {
    const TouchingContact& one = contacts[static_cast<std::size_t>(i)];
    const bool is_newton = one.law == Contact::Law::newton;
    rate[i] = gap_rate(one.link, free);
    newton[i] = is_newton ? one.restitution * std::min(gap_rate(one.link, v_), 0.0) : 0;
    poisson[i] = is_newton ? 0 : one.restitution;
  }
  auto impulse = solve_complementarity(coupling.A, rate + newton);
  if (!impulse) return std::nullopt;
  if (poisson.any()) {
    const VectorXd given = poisson.cwiseProduct(*impulse);
    const auto more = solve_complementarity(coupling.A, rate + newton + coupling.A * (*impulse + given));
    if (!more) return std::nullopt;
    *impulse += given + *more;
  }
  Jump result{free, {}};
  VectorXd multipliers = onto.multipliers;
  for (Index i = 0; i < count; ++i) {
    const double size = (*impulse)[i];
    result.v += size * coupling.unit[static_cast<std::size_t>(i)].x;
    multipliers += size * coupling.unit[static_cast<std::size_t>(i)].multipliers;
    if (size != 0) result.impulses.emplace_back(links[static_cast<std::size_t>(i)], size);
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    if (multipliers[static_cast<Index>(k)] != 0)
      result.impulses.emplace_back(links_[k], multipliers[static_cast<Index>(k)]);
  }
  return result;
}

// What cancels leaves rounding errors of the velocities that were, the second round those of what is left,
// and what is left of these is nothing.
void LinkMechanics::hold(std::span<const std::size_t> links, Jump& jump, const VectorXd& wanted) const {
  if (links.empty()) return;
  const Coupling coupling = couple(links);
  const auto count = static_cast<Index>(links.size());
  VectorXd scale = coupling.A.diagonal().cwiseAbs().cwiseSqrt(), rate(count);
  for (double& s : scale) s = s > 0 ? 1 / s : 1;
  PseudoInverse inverse;
  inverse.factor(scale.asDiagonal() * coupling.A * scale.asDiagonal(), policy::dependent_rows);
  const double fastest = std::max(v_.cwiseAbs().maxCoeff(), jump.v.cwiseAbs().maxCoeff());
  for (int round = 0; round < 2; ++round) {
    for (Index i = 0; i < count; ++i) rate[i] = gap_rate(links[static_cast<std::size_t>(i)], jump.v);
    if (wanted.size() > 0) rate -= wanted;
    const VectorXd impulse = -scale.cwiseProduct(inverse.solve(scale.cwiseProduct(rate)));
    for (Index i = 0; i < count; ++i) jump.v += impulse[i] * coupling.unit[static_cast<std::size_t>(i)].x;
  }
  constexpr double nothing = std::numeric_limits<double>::epsilon() * 1e-9;
  for (double& one : jump.v)
    if (std::abs(one) < nothing * fastest) one = 0;
}

std::optional<LinkMechanics::Forces> LinkMechanics::contact_forces(
    std::span<const std::size_t> contacts) const {
  const auto count = static_cast<Index>(contacts.size());
  const Coupling coupling = couple(contacts);
  VectorXd acceleration(count);
  for (Index i = 0; i < count; ++i)
    acceleration[i] = acceleration_beside({}, {}, contacts[static_cast<std::size_t>(i)]);
  const auto force = solve_complementarity(coupling.A, acceleration);
  if (!force) return std::nullopt;
  acceleration += coupling.A * *force;
  Forces result;
  result.force.assign(force->begin(), force->end());
  result.acceleration.assign(acceleration.begin(), acceleration.end());
  for (const std::size_t contact : contacts)
    result.scale.push_back(force_scale(all_, row(contact), all_.f, all_.gamma[row(contact)]));
  return result;
}

double LinkMechanics::acceleration_beside(std::span<const std::size_t> contacts, const Forces& forces,
                                          std::size_t link) const {
  VectorXd pull = all_.f;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    pull -= forces.force[k] * all_.C.row(row(contacts[k])).transpose();
  return gap_acceleration(link, solve(pull, gamma_).x);
}

}  // namespace dalembert
