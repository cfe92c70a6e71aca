#include "events/friction_mechanics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/linalg/saddle_point.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double rounding_of_rates = 1e-9;

// Those of sizes of several multipliers are a direction, which turns.
double change_of_slopes(const ModeSystems::Pressure& before, const ModeSystems::Pressure& after) {
  double change = 0, largest = 0;
  for (std::size_t i = 0; i < after.slopes.size(); ++i) {
    change = std::max(change, std::abs(after.slopes[i].second - before.slopes[i].second));
    largest = std::max(largest, std::abs(after.slopes[i].second));
  }
  return largest > 0 ? change / largest : 0;
}

}  // namespace

Mode FrictionMechanics::without_slides(const ModeSystems& systems, Mode mode) {
  mode.signs = systems.start().signs;
  return mode;
}

FrictionMechanics::FrictionMechanics(ModeSystems& systems, const Mode& mode, double t,
                                     std::span<const double> q, std::span<const double> v)
    : systems_(&systems),
      mode_(mode),
      t_(t),
      q_(q.begin(), q.end()),
      v_(v.begin(), v.end()),
      all_(systems.all(without_slides(systems, mode))),
      velocity_(Eigen::Map<const VectorXd>(v.data(), static_cast<Index>(v.size()))) {
  Mode every = mode;
  every.links.assign(every.links.size(), true);
  for (std::size_t i = 0; i < systems.link_count(); ++i) {
    rows_.push_back(*systems.row(every, i));
    if (systems.is_contact(i) || systems.is_slip(i)) mode_.links[i] = false;
  }
  all_.eval(t, q, v);
  gives_ = find_gives();
  for (std::size_t f = 0; f < model().frictions.size(); ++f) slips_.push_back(slip(f));
}

// What a unit of force along each coordinate accelerates: 1/M_ii, but no more than the most that the
// constraints allow. The inertia along one part of a quaternion may be nothing.
VectorXd FrictionMechanics::find_gives() const {
  VectorXd result = VectorXd::Zero(velocity_.size());
  for (Index i = 0; i < result.size(); ++i)
    if (all_.M(i, i) > 0) result[i] = 1 / all_.M(i, i);
  std::vector<Index> holding;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (mode_.links[i]) holding.push_back(static_cast<Index>(row(i)));
  if (holding.empty()) return result;
  const MatrixXd C = take_rows(all_.C, holding);
  const RowRank rank = find_row_rank(C);
  double most = 0;
  for (Index i = 0; i < result.size(); ++i) {
    const auto moved =
        solve_saddle_point(all_.M, C, VectorXd::Unit(result.size(), i), VectorXd::Zero(C.rows()), rank);
    if (moved) most = std::max(most, std::abs(moved->a[i]));
  }
  return most > 0 ? VectorXd(result.cwiseMin(most)) : result;
}

VectorXd FrictionMechanics::slip(std::size_t friction) const {
  const std::vector<std::size_t>& links = systems_->slips(friction);
  VectorXd result(static_cast<Index>(links.size()));
  for (std::size_t k = 0; k < links.size(); ++k) {
    const auto r = static_cast<Index>(row(links[k]));
    result[static_cast<Index>(k)] = -(all_.C.row(r).dot(velocity_) + all_.c[r]);
  }
  return result;
}

bool FrictionMechanics::is_at_rest(std::size_t friction, const Known& known) const {
  if (std::ranges::find(known.at_rest, friction) != known.at_rest.end()) return true;
  VectorXd speeds = velocity_.cwiseAbs();
  if (known.speeds.size() > 0) speeds = speeds.cwiseMax(known.speeds);
  const VectorXd gains = known.instant * gives_.cwiseProduct(all_.f.cwiseAbs());
  double scale = 0, lost = 0;
  for (const std::size_t link : systems_->slips(friction)) {
    const auto r = static_cast<Index>(row(link));
    scale += all_.C.row(r).cwiseAbs().dot(speeds) + std::abs(all_.c[r]);
    lost += all_.C.row(r).cwiseAbs().dot(gains);
  }
  return slips_[friction].norm() <= slip_rounding * scale + lost;
}

// Whether a constraint that holds or a contact that is closed presses, or what is given does.
bool FrictionMechanics::is_pressed(std::size_t friction, const Trial& trial) const {
  const auto normal = systems_->normal(friction);
  return normal ? trial.closed[*normal] : !trial.is_impact;
}

bool FrictionMechanics::is_pressed(const FrictionGroup& group, const Trial& trial) const {
  return std::ranges::any_of(group.members,
                             [&](const auto& member) { return is_pressed(member.friction, trial); });
}

// The direction of a slip in space.
double FrictionMechanics::heading(std::size_t friction, std::size_t k) const {
  const VectorXd& slip = slips_[friction];
  return slip[static_cast<Index>(k)] / slip.norm();
}

const FrictionMechanics::ForceRows& FrictionMechanics::force_rows(const Mode& mode) {
  auto [known, is_new] = force_rows_.try_emplace(mode.signs);
  if (is_new) {
    Mode every = mode_;
    every.signs = mode.signs;
    StateEvaluation at(systems_->all(every));
    at.eval(t_, q_, v_);
    known->second = {at.D, at.B, at.f};
  }
  return known->second;
}

// In space: the force of a friction along its heading h, −μ N h_k ∂w_k/∂v, where C_k is −∂w_k/∂v.
void FrictionMechanics::add_along_heading(std::size_t f, const ModeSystems::Pressure& pressure,
                                          const Trial& trial, ForceRows& rows) const {
  const Friction& friction = model().frictions[f];
  const double mu = systems_->parameter(friction.friction);
  for (const std::size_t k : {0U, 1U}) {
    const auto slip = static_cast<Index>(row(systems_->slips(f)[k]));
    const VectorXd along = mu * trial.mode.signs[friction.heading[k]] * all_.C.row(slip).transpose();
    rows.f += pressure.given * along;
    for (const auto& [link, slope] : pressure.slopes)
      rows.D.row(static_cast<Index>(row(link))) -= slope * along.transpose();
  }
}

// In space, where a slip begins, its direction is that of its own rate.
bool FrictionMechanics::solve(const Level& level, Trial& trial) {
  std::vector<std::size_t> turning;
  for (std::size_t f = 0; f < model().frictions.size(); ++f) {
    if (systems_->slips(f).size() == 2 && trial.friction[f] != 0 && at_rest_[f] && is_pressed(f, trial))
      turning.push_back(f);
  }
  Mode plain = trial.mode;
  for (const std::size_t f : turning) plain.signs[model().frictions[f].direction] = 0;
  for (const std::size_t f : turning)
    for (const std::size_t heading : model().frictions[f].heading) plain.signs[heading] = 0;
  const ForceRows rows = force_rows(plain);
  if (turning.empty()) return solve_with(level, rows, trial);
  for (const std::size_t f : turning) {  // without their friction first, unless it is at its limit
    const auto limit = limits_.find(f);
    for (std::size_t k = 0; k < 2; ++k)
      trial.mode.signs[model().frictions[f].heading[k]] =
          limit == limits_.end() ? 0 : limit->second[static_cast<Index>(k)];
  }
  constexpr int most_rounds = 1000;
  constexpr double enough = 1e-14;
  for (int round = 0; round < most_rounds; ++round) {
    ForceRows turned = rows;
    std::vector<ModeSystems::Pressure> pressures;
    for (const std::size_t f : turning) {
      pressures.push_back(pressure(f, trial));
      add_along_heading(f, pressures.back(), trial, turned);
    }
    if (!solve_with(level, turned, trial)) return false;
    double change = 0;
    for (std::size_t i = 0; i < turning.size(); ++i)
      change = std::max({change, turn_heading(level, turning[i], trial),
                         change_of_slopes(pressures[i], pressure(turning[i], trial))});
    if (!std::isfinite(change)) return false;
    if (change <= enough) return true;
  }
  return false;
}

// Uzawa's iteration: the heading h of a slip that begins with the rate w' is that of μ N h + r w', r about
// the inertia along the slip. By how much it turns.
double FrictionMechanics::turn_heading(const Level& level, std::size_t f, Trial& trial) const {
  const Friction& friction = model().frictions[f];
  const std::vector<std::size_t>& links = systems_->slips(f);
  Eigen::Vector2d before, push;
  double give = 0, scale = 0;
  const double most = systems_->parameter(friction.friction) * press(f, trial);
  for (const std::size_t k : {0U, 1U}) {
    before[k] = trial.mode.signs[friction.heading[k]];
    const auto r = static_cast<Index>(row(links[k]));
    give += all_.C.row(r).cwiseAbs2().dot(gives_) / 2;
    scale += rate_scale(level, trial, links[k]);
  }
  const Eigen::Vector2d begins(rate(level, trial, links[0]), rate(level, trial, links[1]));
  if (limits_.contains(f) && begins.norm() <= rounding_of_rates * scale) return 0;  // it stays there
  push = most * before + begins / give;
  const Eigen::Vector2d after = push / push.norm();
  for (const std::size_t k : {0U, 1U}) trial.mode.signs[friction.heading[k]] = after[k];
  const double change = (after - before).lpNorm<Eigen::Infinity>();
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  return change * push.norm() * give <= rounding * scale ? 0 : change;
}

bool FrictionMechanics::solve_with(const Level& level, const ForceRows& rows, Trial& trial) const {
  const System& system = systems_->all(without_slides(*systems_, mode_));
  return iterate_sizes(rows.D, rows.B, system.sizes(),
                       [&](const MatrixXd& D) -> std::optional<VectorXd> {
                         if (!solve_linear(level, level.is_impact ? level.force : rows.f, D, trial))
                           return std::nullopt;
                         return lambda_by_row(trial);
                       }) &&
         holds(level, trial);
}

VectorXd FrictionMechanics::lambda_by_row(const Trial& trial) const {
  VectorXd lambda(trial.lambda.size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    lambda[static_cast<Index>(row(i))] = trial.lambda[static_cast<Index>(i)];
  return lambda;
}

// Slips that stick where constraints move them do not.
bool FrictionMechanics::holds(const Level& level, const Trial& trial) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!systems_->is_slip(i) || !trial.mode.links[i] || level.is_impact) continue;
    if (std::abs(rate(level, trial, i)) > rounding_of_rates * rate_scale(level, trial, i)) return false;
  }
  return true;
}

// What is given presses without an impulse.
ModeSystems::Pressure FrictionMechanics::pressure(std::size_t friction, const Trial& trial) const {
  const auto count = static_cast<std::size_t>(trial.lambda.size());
  auto result = systems_->pressure(friction, trial.mode, t_, q_, {trial.lambda.data(), count});
  if (trial.is_impact) result.given = 0;
  return result;
}

// |N|
double FrictionMechanics::press(std::size_t friction, const Trial& trial) const {
  const auto count = static_cast<std::size_t>(trial.lambda.size());
  return std::abs(pressure(friction, trial).at({trial.lambda.data(), count}));
}

bool FrictionMechanics::solve_linear(const Level& level, const VectorXd& forces_without, const MatrixXd& D,
                                     Trial& trial) const {
  std::vector<std::size_t> links;
  VectorXd force = forces_without;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto r = static_cast<Index>(row(i));
    if (trial.mode.links[i]) links.push_back(i);
    if (systems_->is_contact(i) && !trial.closed[i])
      force -= D.row(r).transpose() * level.least[static_cast<Index>(i)];
  }
  const auto count = static_cast<Index>(links.size());
  MatrixXd C(count, velocity_.size()), forces(count, velocity_.size());
  VectorXd right(count);
  for (Index k = 0; k < count; ++k) {
    const std::size_t link = links[static_cast<std::size_t>(k)];
    C.row(k) = all_.C.row(static_cast<Index>(row(link)));
    forces.row(k) = D.row(static_cast<Index>(row(link)));
    right[k] = level.right[static_cast<Index>(link)];
  }
  const auto solution = solve_saddle_point(all_.M, C, forces, force, right, find_row_rank(C));
  if (!solution || !solution->a.allFinite() || !solution->lambda.allFinite()) return false;
  trial.x = solution->a;
  trial.lambda = level.least;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!systems_->is_contact(i)) trial.lambda[static_cast<Index>(i)] = 0;
  for (Index k = 0; k < count; ++k)
    trial.lambda[static_cast<Index>(links[static_cast<std::size_t>(k)])] = solution->lambda[k];
  return true;
}

double FrictionMechanics::rate(const Level& level, const Trial& trial, std::size_t link) const {
  return -(all_.C.row(static_cast<Index>(row(link))).dot(trial.x) - level.right[static_cast<Index>(link)]);
}

// What a rate is the small difference of: a limit of friction is where forces cancel.
double FrictionMechanics::rate_scale(const Level& level, const Trial& trial, std::size_t link) const {
  VectorXd sizes = trial.x.cwiseAbs();
  for (Index i = 0; i < sizes.size(); ++i) {
    double force = std::abs(level.force[i]);
    for (std::size_t k = 0; k < rows_.size(); ++k)
      force += std::abs(all_.C(static_cast<Index>(row(k)), i) * trial.lambda[static_cast<Index>(k)]);
    sizes[i] += force * gives_[i];
  }
  // rounding errors of a solution are those of what would move most in it
  constexpr double least = 1e-4;  // 1e-13 with rounding_of_rates
  sizes = sizes.cwiseMax(least * sizes.maxCoeff());
  return all_.C.row(static_cast<Index>(row(link))).cwiseAbs().dot(sizes) +
         std::abs(level.right[static_cast<Index>(link)]);
}

// The arguments of the signs for a trial's accelerations and multipliers.
std::vector<double> FrictionMechanics::held_arguments(const Trial& trial) {
  Mode every = mode_;
  every.signs = trial.mode.signs;
  for (const Friction& friction : model().frictions)
    if (friction.slip.size() == 2) every.signs[friction.direction] = 0;
  const System& system = systems_->all(every);
  ValueTape values(system, system.events().program);
  values.set(System::input_t(), t_);
  values.set(system.input_q(0), q_);
  values.set(system.input_v(0), v_);
  std::vector<double> lambda(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) lambda[row(i)] = trial.lambda[static_cast<Index>(i)];
  values.set(system.input_a(0), std::vector<double>(trial.x.begin(), trial.x.end()));
  values.set(system.input_lambda(0), lambda);
  values.run();
  std::vector<double> result;
  for (const Scaled& argument : system.events().held_arguments) result.push_back(values.value(argument));
  return result;
}

// What sticks has a force that its limit allows: a group along its first slip, in space both parts.
bool FrictionMechanics::friction_fits(const Level& level, const FrictionGroup& group,
                                      const Trial& trial) const {
  if (!is_pressed(group, trial)) return true;
  const std::size_t first = group.first();
  const std::vector<std::size_t>& links = systems_->slips(first);
  if (trial.friction[first] != 0) {
    if (!at_rest_[first]) return true;
    double begins = 0, scale = 0;  // along its direction
    for (std::size_t k = 0; k < links.size(); ++k) {
      const double along =
          links.size() == 1 ? trial.friction[first] : trial.mode.signs[model().frictions[first].heading[k]];
      begins += along * rate(level, trial, links[k]);
      scale += std::abs(along) * rate_scale(level, trial, links[k]);
    }
    return begins >= -rounding_of_rates * scale;
  }
  VectorXd force = VectorXd::Zero(static_cast<Index>(links.size()));
  double most = 0;
  for (const auto& [f, ratio] : group.members) {
    if (!is_pressed(f, trial)) continue;
    const Friction& friction = model().frictions[f];
    for (std::size_t k = 0; k < links.size(); ++k)
      force[static_cast<Index>(k)] += ratio * trial.lambda[static_cast<Index>(systems_->slips(f)[k])];
    const double coefficient = systems_->parameter(level.is_impact ? friction.friction : friction.sticking);
    most += std::abs(ratio) * press(f, trial) * coefficient;
  }
  return force.norm() <= most + rounding_of_forces * trial.lambda.lpNorm<Eigen::Infinity>();
}

bool FrictionMechanics::is_held_by_others(const Level& level, std::size_t f, const Trial& trial) const {
  const Friction& friction = model().frictions[f];
  if (trial.friction[f] == 0 || !at_rest_[f] || !is_pressed(f, trial) ||
      systems_->parameter(friction.sticking) <= systems_->parameter(friction.friction))
    return false;
  return std::ranges::all_of(systems_->slips(f), [&](std::size_t link) {
    return std::abs(rate(level, trial, link)) <= rounding_of_rates * rate_scale(level, trial, link);
  });
}

bool FrictionMechanics::contact_fits(const Level& level, std::size_t contact, const Trial& trial) const {
  const auto link = static_cast<Index>(contact);
  const bool is_kept = std::ranges::find(kept_, contact) != kept_.end();
  if (!trial.closed[contact])
    return !is_kept && rate(level, trial, contact) >= -rounding_of_rates * rate_scale(level, trial, contact);
  const double size =
      std::max(trial.lambda.lpNorm<Eigen::Infinity>(),
               force_scale(all_, static_cast<Index>(row(contact)), level.force, level.right[link]));
  return trial.lambda[link] - level.least[link] > (is_kept ? -1 : 0.1) * rounding_of_forces * size;
}

}  // namespace dalembert
