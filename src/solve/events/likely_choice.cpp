// A choice of closed contacts and frictions that stick or slide, for many contacts in the plane at once.
//
// With x0 the motion without contacts, rates ν = ν0 + ... of gaps and w of slips are linear in the forces λ
// along the gaps and Λ = β₊ − β₋ of friction, and
//
//   0 <= λ ⊥ ν >= 0,   0 <= β± ⊥ σ ± w >= 0,   0 <= σ ⊥ μ λ − β₊ − β₋ >= 0
//
// is one linear complementarity problem, copositive for impacts, which Lemke's method solves
// [stewarttrinkle1996]. Its answer is computed again, and judged, as any other choice.
#include <algorithm>
#include <cmath>

#include <dalembert/linalg/complementarity.hpp>
#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/linalg/saddle_point.hpp>

#include "events/friction_mechanics.hpp"

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of a friction: the number of its contact, μ, and the part of λ beside the unknown one.
struct Limit {
  Index contact;
  double coefficient, least;
};

// λ of contacts, then Λ of frictions, from what a unit of each makes of their rates and what these are
// without.
std::optional<VectorXd> forces_of_contacts(const MatrixXd& give, const VectorXd& start,
                                           const std::vector<Limit>& limits) {
  const auto m = static_cast<Index>(limits.size()), both = start.size(), n = both - m;
  VectorXd scale = give.diagonal().cwiseAbs().cwiseSqrt();
  for (double& one : scale) one = one > 0 ? 1 / one : 1;
  MatrixXd A = MatrixXd::Zero(both + 2 * m, both + 2 * m);
  VectorXd b = VectorXd::Zero(both + 2 * m);
  const MatrixXd scaled = scale.asDiagonal() * give * scale.asDiagonal();
  A.topLeftCorner(both, both) = scaled;
  A.block(0, both, both, m) = -scaled.rightCols(m);
  A.block(both, 0, m, both) = -scaled.bottomRows(m);
  A.block(both, both, m, m) = scaled.bottomRightCorner(m, m);
  b.head(both) = scale.cwiseProduct(start);
  b.segment(both, m) = -b.segment(n, m);
  for (Index k = 0; k < m; ++k) {
    const auto& [contact, coefficient, least] = limits[static_cast<std::size_t>(k)];
    const Index limit = both + m + k;
    A(n + k, limit) = A(both + k, limit) = 1;
    A(limit, contact) = coefficient * scale[contact] / scale[n + k];
    A(limit, n + k) = A(limit, both + k) = -1;
    b[limit] = coefficient * least / scale[n + k];
  }
  const auto z = solve_complementarity(A, b);
  if (!z) return std::nullopt;
  constexpr double rounding = 1e-10;
  const double least = n > 0 ? rounding * z->head(n).maxCoeff() : 0;
  VectorXd forces = z->head(both);
  for (Index i = 0; i < n; ++i)
    if (forces[i] <= least) forces[i] = 0;
  forces.tail(m) -= z->segment(both, m);
  return VectorXd(scale.cwiseProduct(forces));
}

}  // namespace

// Nothing: there are frictions of other kinds.
auto FrictionMechanics::complementary_unknowns(const std::vector<Question>& questions) const
    -> std::optional<Unknowns> {
  Unknowns result;
  for (const Question& question : questions)
    if (question.kind == Question::Kind::contact) result.contacts.push_back(question.index);
  for (const Question& question : questions) {
    if (question.kind != Question::Kind::friction) continue;
    for (const FrictionGroup::Member& member : question.group.members) {
      const auto normal = systems_->normal(member.friction);
      const bool is_asked = normal && std::ranges::find(result.contacts, *normal) != result.contacts.end();
      if (!is_asked || systems_->slips(member.friction).size() != 1) return std::nullopt;
      if (at_rest_[member.friction]) result.frictions.push_back(member.friction);
    }
  }
  return result;
}

// Where sticking contacts share their forces in no unique way, the answer itself may fit where others with
// its choice do not.
std::optional<FrictionMechanics::Trial> FrictionMechanics::likely_trial(
    const std::vector<Question>& questions, const Level& level) {
  const auto unknowns = complementary_unknowns(questions);
  if (!unknowns) return std::nullopt;
  const std::vector<std::size_t> first(questions.size(), 0);
  const auto answer = solve_complementary(level, trial_of(questions, first, level.is_impact), *unknowns);
  if (!answer) return std::nullopt;
  Trial trial = trial_of(questions, choice_of(questions, level, *answer), level.is_impact);
  Trial exact = trial;
  if (solve(level, exact) && fits(level, questions, exact)) return exact;
  trial.x = answer->x;
  trial.lambda = answer->lambda;
  return fits(level, questions, trial) ? std::optional(trial) : std::nullopt;
}

std::vector<std::size_t> FrictionMechanics::choice_of(const std::vector<Question>& questions,
                                                      const Level& level, const Trial& answer) const {
  std::vector<std::size_t> chosen(questions.size(), 0);
  const auto choose = [&](std::size_t i, int option) {
    const auto found = std::ranges::find(questions[i].options, option);
    if (found != questions[i].options.end())
      chosen[i] = static_cast<std::size_t>(found - questions[i].options.begin());
  };
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& question = questions[i];
    if (question.kind == Question::Kind::contact)
      choose(i, answer.lambda[static_cast<Index>(question.index)] > 0 ? 1 : 0);
    if (question.kind != Question::Kind::friction || !at_rest_[question.index]) continue;
    constexpr double rounding = 1e-7;
    const std::size_t link = systems_->slips(question.index)[0];
    const double w = rate(level, answer, link);
    const bool sticks = std::abs(w) <= rounding * rate_scale(level, answer, link);
    choose(i, sticks ? 0 : w < 0 ? -1 : 1);
  }
  return chosen;
}

// The motion without contacts, and what a unit of the force of each contact and friction makes of it.
std::optional<FrictionMechanics::FreeMotion> FrictionMechanics::free_motion(
    const Level& level, const ForceRows& rows, const std::vector<std::size_t>& links, std::size_t contacts) {
  std::vector<Index> holding;
  VectorXd right(static_cast<Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!mode_.links[i]) continue;
    right[static_cast<Index>(holding.size())] = level.right[static_cast<Index>(i)];
    holding.push_back(static_cast<Index>(row(i)));
  }
  const auto count = static_cast<Index>(holding.size());
  const MatrixXd C = take_rows(all_.C, holding), D = take_rows(rows.D, holding);
  const RowRank rank = find_row_rank(C);
  VectorXd force = level.is_impact ? level.force : rows.f;
  for (std::size_t i = 0; i < contacts; ++i)
    force -=
        level.least[static_cast<Index>(links[i])] * rows.D.row(static_cast<Index>(row(links[i]))).transpose();
  const auto start = solve_saddle_point(all_.M, C, D, force, right.head(count), rank);
  if (!start) return std::nullopt;
  FreeMotion result{start->a, MatrixXd(velocity_.size(), static_cast<Index>(links.size()))};
  for (std::size_t i = 0; i < links.size(); ++i) {
    const MatrixXd& forces = i < contacts ? rows.D : all_.C;
    const auto moved =
        solve_saddle_point(all_.M, C, D, -forces.row(static_cast<Index>(row(links[i]))).transpose(),
                           VectorXd::Zero(count), rank);
    if (!moved) return std::nullopt;
    result.moved.col(static_cast<Index>(i)) = moved->a;
  }
  return result;
}

// Velocities or accelerations and forces, by link. What slides already does so on.
std::optional<FrictionMechanics::Trial> FrictionMechanics::solve_complementary(const Level& level,
                                                                               const Trial& trial,
                                                                               const Unknowns& unknowns) {
  Mode sliding = trial.mode;
  for (const std::size_t f : unknowns.frictions) sliding.signs[model().frictions[f].direction] = 0;
  std::vector<std::size_t> links = unknowns.contacts;
  for (const std::size_t f : unknowns.frictions) links.push_back(systems_->slips(f)[0]);
  const auto free = free_motion(level, force_rows(sliding), links, unknowns.contacts.size());
  if (!free) return std::nullopt;
  Trial answer = trial;
  answer.x = free->x;
  const auto size = static_cast<Index>(links.size());
  MatrixXd give(size, size);
  VectorXd start(size);
  for (Index i = 0; i < size; ++i) {
    const std::size_t link = links[static_cast<std::size_t>(i)];
    give.row(i) = -all_.C.row(static_cast<Index>(row(link))) * free->moved;
    start[i] = rate(level, answer, link);
  }
  std::vector<Limit> limits;
  for (const std::size_t f : unknowns.frictions) {
    const Friction& friction = model().frictions[f];
    const std::size_t normal = *systems_->normal(f);
    limits.push_back({std::ranges::find(unknowns.contacts, normal) - unknowns.contacts.begin(),
                      systems_->parameter(level.is_impact ? friction.friction : friction.sticking),
                      level.least[static_cast<Index>(normal)]});
  }
  const auto forces = forces_of_contacts(give, start, limits);
  if (!forces) return std::nullopt;
  answer.x += free->moved * *forces;
  answer.lambda.setZero();
  for (Index i = 0; i < size; ++i)
    answer.lambda[static_cast<Index>(links[static_cast<std::size_t>(i)])] = (*forces)[i];
  return answer;
}

}  // namespace dalembert
