#include "events/friction_mechanics.hpp"

#include <algorithm>
#include <cmath>
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

constexpr double rounding_of_rates = 1e-9, rounding_of_forces = 1e-11;

Mode without_slides(const ModeSystems& systems, Mode mode) {
  mode.signs = systems.start().signs;
  return mode;
}

bool depends_on_multipliers(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::ranges::any_of(symbols, [](Expr symbol) { return symbol.name().starts_with("lambda("); });
}

}  // namespace

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
  for (std::size_t f = 0; f < model().frictions.size(); ++f) slips_.push_back(slip(f));
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
  double scale = 0;
  for (const std::size_t link : systems_->slips(friction)) {
    const auto r = static_cast<Index>(row(link));
    scale += all_.C.row(r).cwiseAbs().dot(speeds) + std::abs(all_.c[r]);
  }
  return slips_[friction].norm() <= slip_rounding * scale;
}

// Whether a constraint that holds or a contact that is closed presses.
bool FrictionMechanics::is_pressed(std::size_t friction, const Trial& trial) const {
  return trial.closed[systems_->normal(friction)];
}

// Contacts stay closed, frictions stick and signs stay what they are where that is possible.
std::vector<FrictionMechanics::Question> FrictionMechanics::questions(std::span<const std::size_t> contacts,
                                                                      const Known& known, bool impact) {
  std::vector<Question> result;
  for (const std::size_t link : contacts) result.push_back({Question::Kind::contact, link, {1, 0}});
  at_rest_.clear();
  std::vector<bool> is_of_friction(model().held_signs.size(), false);
  for (std::size_t f = 0; f < model().frictions.size(); ++f) {
    const Friction& friction = model().frictions[f];
    is_of_friction[friction.direction] = true;
    for (const std::size_t heading : friction.heading) is_of_friction[heading] = true;
    at_rest_.push_back(impact || is_at_rest(f, known));
    const std::size_t normal = systems_->normal(f);
    if (!mode_.links[normal] && std::ranges::find(contacts, normal) == contacts.end()) continue;
    const bool in_plane = friction.slip.size() == 1;
    std::vector<int> options{0, 1, -1};
    if (!in_plane) options = {0, 1};
    const int before = mode_.signs[friction.direction] < 0 ? -1 : 1;
    const bool goes_on = !impact && mode_.signs[friction.direction] != 0 &&
                         std::ranges::find(known.at_rest, f) == known.at_rest.end();
    if (goes_on && in_plane) options = {before, 0, -before};
    if (!at_rest_[f]) options = {in_plane && slips_[f][0] < 0 ? -1 : 1};
    const auto told = known.frictions.find(f);
    if (told != known.frictions.end() && at_rest_[f]) options = told->second;
    result.push_back({Question::Kind::friction, f, options});
  }
  const std::vector<double> arguments = held_arguments(trial_of({}, {}));
  for (std::size_t s = 0; s < is_of_friction.size(); ++s) {
    if (is_of_friction[s]) continue;
    const int before = mode_.signs[s] < 0 ? -1 : 1;
    std::vector<int> options{before, -before};
    if (arguments[s] != 0 && !depends_on_multipliers(model().held_signs[s].argument))
      options = {arguments[s] < 0 ? -1 : 1};
    const auto told = known.signs.find(s);
    if (told != known.signs.end()) options = told->second;
    constexpr double of_scale = 1e-6;  // the place of a change of sign is that of the method's own curve
    const auto scale = known.scales.find(s);
    result.push_back(
        {Question::Kind::sign, s, options, scale == known.scales.end() ? 0 : of_scale * scale->second});
  }
  return result;
}

// The direction of a slip in space, and behind it how small its part along this is taken for zero.
double FrictionMechanics::heading(std::size_t friction, std::size_t k) const {
  constexpr double small = 1e-12;
  const VectorXd& slip = slips_[friction];
  return k < 2 ? slip[static_cast<Index>(k)] / slip.norm() : small * slip.norm();
}

FrictionMechanics::Trial FrictionMechanics::trial_of(const std::vector<Question>& questions,
                                                     const std::vector<std::size_t>& chosen) const {
  Trial trial;
  trial.mode = mode_;
  trial.closed = mode_.links;
  trial.friction.assign(model().frictions.size(), 0);
  trial.lambda.setZero(static_cast<Index>(rows_.size()));
  trial.x.setZero(velocity_.size());
  for (const Friction& friction : model().frictions) trial.mode.signs[friction.direction] = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& question = questions[i];
    const int option = question.options[chosen[i]];
    switch (question.kind) {
      case Question::Kind::contact:
        trial.closed[question.index] = trial.mode.links[question.index] = option == 1;
        break;
      case Question::Kind::friction: {
        trial.friction[question.index] = option;
        if (!is_pressed(question.index, trial)) break;
        const Friction& friction = model().frictions[question.index];
        trial.mode.signs[friction.direction] = option;
        for (std::size_t k = 0; k < friction.heading.size(); ++k)
          trial.mode.signs[friction.heading[k]] = option == 0 ? 0 : heading(question.index, k);
        for (const std::size_t link : systems_->slips(question.index)) trial.mode.links[link] = option == 0;
        break;
      }
      case Question::Kind::sign:
        trial.mode.signs[question.index] = option;
        break;
    }
  }
  return trial;
}

// Choices of frictions that nothing presses are all the same: the first alone is tried.
template <class Take>
void FrictionMechanics::try_all(const std::vector<Question>& questions, const Level& level, Take take) {
  constexpr int most = 4096;
  std::vector<std::size_t> chosen(questions.size(), 0);
  gave_up_ = false;
  for (int tried = 0;; ++tried) {
    gave_up_ = tried == most;
    if (gave_up_) return;
    Trial trial = trial_of(questions, chosen);
    bool is_new = true;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (questions[i].kind == Question::Kind::friction && !is_pressed(questions[i].index, trial))
        is_new = is_new && chosen[i] == 0;
    }
    if (is_new && solve(level, trial) && fits(level, questions, trial) && !take(trial)) return;
    std::size_t i = questions.size();
    while (i > 0 && ++chosen[i - 1] == questions[i - 1].options.size()) chosen[--i] = 0;
    if (i == 0) return;
  }
}

const MatrixXd& FrictionMechanics::force_rows(const Mode& mode) {
  auto [known, is_new] = force_rows_.try_emplace(mode.signs);
  if (is_new) {
    Mode every = mode_;
    every.signs = mode.signs;
    StateEvaluation at(systems_->all(every));
    at.eval(t_, q_, v_);
    known->second = at.D;
  }
  return known->second;
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
  const MatrixXd rows = force_rows(plain);
  if (turning.empty()) return solve_with(level, rows, trial);
  for (const std::size_t f : turning)  // without their friction first
    for (const std::size_t heading : model().frictions[f].heading) trial.mode.signs[heading] = 0;
  constexpr int most_rounds = 200;
  constexpr double enough = 1e-14;
  for (int round = 0; round < most_rounds; ++round) {
    MatrixXd D = rows;
    for (const std::size_t f : turning) {
      const Friction& friction = model().frictions[f];
      const double mu = systems_->parameter(friction.friction);
      for (std::size_t k = 0; k < 2; ++k)
        D.row(static_cast<Index>(row(systems_->normal(f)))) -=
            mu * trial.mode.signs[friction.heading[k]] *
            all_.C.row(static_cast<Index>(row(systems_->slips(f)[k])));
    }
    if (!solve_with(level, D, trial)) return false;
    double change = 0;
    for (const std::size_t f : turning) {
      const std::vector<std::size_t>& links = systems_->slips(f);
      const Eigen::Vector2d begins(rate(level, trial, links[0]), rate(level, trial, links[1]));
      const Eigen::Vector2d direction = begins / begins.norm();
      for (std::size_t k = 0; k < 2; ++k) {
        double& heading = trial.mode.signs[model().frictions[f].heading[k]];
        change = std::max(change, std::abs(direction[static_cast<Index>(k)] - heading));
        heading = direction[static_cast<Index>(k)];
      }
    }
    if (!std::isfinite(change)) return false;
    if (change <= enough) return true;
  }
  return false;
}

bool FrictionMechanics::solve_with(const Level& level, const MatrixXd& D, Trial& trial) const {
  std::vector<std::size_t> links;
  VectorXd force = level.force;
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
    if (all_.M(i, i) > 0) sizes[i] += force / all_.M(i, i);
  }
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

bool FrictionMechanics::friction_fits(const Level& level, std::size_t f, const Trial& trial) const {
  if (!is_pressed(f, trial)) return true;
  const Friction& friction = model().frictions[f];
  const std::vector<std::size_t>& links = systems_->slips(f);
  double square = 0;
  for (const std::size_t link : links) square += std::pow(trial.lambda[static_cast<Index>(link)], 2);
  if (trial.friction[f] == 0) {
    const double coefficient = systems_->parameter(level.is_impact ? friction.friction : friction.sticking);
    const double most = coefficient * std::abs(trial.lambda[static_cast<Index>(systems_->normal(f))]);
    return std::sqrt(square) <= most + rounding_of_forces * trial.lambda.lpNorm<Eigen::Infinity>();
  }
  if (!at_rest_[f] || links.size() == 2) return true;
  return trial.friction[f] * rate(level, trial, links[0]) >=
         -rounding_of_rates * rate_scale(level, trial, links[0]);
}

bool FrictionMechanics::fits(const Level& level, const std::vector<Question>& questions, const Trial& trial) {
  const double largest = trial.lambda.lpNorm<Eigen::Infinity>();
  for (const Question& question : questions) {
    if (question.kind != Question::Kind::contact) continue;
    const auto link = static_cast<Index>(question.index);
    const bool fits = trial.closed[question.index]
                          ? trial.lambda[link] - level.least[link] > 0.1 * rounding_of_forces * largest
                          : rate(level, trial, question.index) >=
                                -rounding_of_rates * rate_scale(level, trial, question.index);
    if (!fits) return false;
  }
  for (std::size_t f = 0; f < model().frictions.size(); ++f)
    if (!friction_fits(level, f, trial)) return false;
  std::vector<double> arguments;
  for (const Question& question : questions) {
    if (question.kind != Question::Kind::sign || question.options.size() == 1) continue;
    if (arguments.empty()) arguments = held_arguments(trial);
    const double noise = std::max(rounding_of_forces * largest, question.noise);
    if (trial.mode.signs[question.index] * arguments[question.index] < -noise) return false;
  }
  return true;
}

FrictionMechanics::Answer FrictionMechanics::choose(std::span<const std::size_t> contacts,
                                                    const Known& known) {
  const auto count = static_cast<Index>(rows_.size());
  Level level{all_.f, VectorXd(count), VectorXd::Zero(count)};
  for (Index i = 0; i < count; ++i)
    level.right[i] = all_.gamma[static_cast<Index>(row(static_cast<std::size_t>(i)))];
  Answer answer;
  std::optional<Trial> first;
  const VectorXd inertia = (all_.M.diagonal().array() > 0).select(all_.M.diagonal(), 1);
  // While it is at rest, a friction that sticks more than it slides may do either: it sticks.
  const auto is_other = [&](const Trial& trial) {
    constexpr double alike = 1e-7;  // beside what the forces alone would do
    const double size = all_.f.cwiseQuotient(inertia).cwiseAbs().maxCoeff();
    if ((trial.x - first->x).norm() <= alike * (trial.x.norm() + first->x.norm() + size)) return false;
    if (trial.closed != first->closed) return true;
    // a sign that has just changed: its argument is zero for either
    if (trial.friction == first->friction && !known.scales.empty()) return false;
    for (std::size_t f = 0; f < trial.friction.size(); ++f) {
      const Friction& friction = model().frictions[f];
      if (trial.friction[f] != first->friction[f] &&
          systems_->parameter(friction.sticking) > systems_->parameter(friction.friction))
        return false;
    }
    return true;
  };
  try_all(questions(contacts, known, false), level, [&](const Trial& trial) {
    if (!first) {
      first = trial;
      answer.count = 1;
    } else if (is_other(trial)) {
      ++answer.count;
    }
    return answer.count < 2;
  });
  if (!first) return answer;
  answer.mode = first->mode;
  answer.a = first->x;
  for (std::size_t f = 0; f < first->friction.size(); ++f) {
    if (systems_->slips(f).size() == 2 && first->friction[f] != 0 && at_rest_[f] && is_pressed(f, *first))
      answer.starting.push_back(f);
  }
  return answer;
}

std::optional<FrictionMechanics::Trial> FrictionMechanics::first_that_fits(
    const std::vector<Question>& questions, const Level& level) {
  std::optional<Trial> found;
  try_all(questions, level, [&](const Trial& trial) {
    found = trial;
    return false;
  });
  return found;
}

std::optional<LinkMechanics::Jump> FrictionMechanics::jump(std::span<const TouchingContact> contacts) {
  const auto count = static_cast<Index>(rows_.size());
  Level level{all_.M * velocity_, VectorXd(count), VectorXd::Zero(count), true};
  for (Index i = 0; i < count; ++i)
    level.right[i] = -all_.c[static_cast<Index>(row(static_cast<std::size_t>(i)))];
  std::vector<std::size_t> links;
  VectorXd poisson = VectorXd::Zero(count);
  for (const TouchingContact& one : contacts) {
    const auto link = static_cast<Index>(one.link), r = static_cast<Index>(row(one.link));
    links.push_back(one.link);
    const double approach = std::min(-(all_.C.row(r).dot(velocity_) + all_.c[r]), 0.0);
    if (one.law == Contact::Law::newton) level.right[link] += one.restitution * approach;
    if (one.law == Contact::Law::poisson) poisson[link] = one.restitution;
  }
  const std::vector<Question> asked = questions(links, {}, true);
  auto found = first_that_fits(asked, level);
  if (found && poisson.any()) {
    level.force = all_.M * found->x;
    const VectorXd first = found->lambda;
    level.least = poisson.cwiseProduct(first);
    found = first_that_fits(asked, level);
    if (found) found->lambda += first;
  }
  if (!found) return std::nullopt;
  LinkMechanics::Jump result{found->x, {}};
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double impulse = found->lambda[static_cast<Index>(i)];
    if (impulse != 0) result.impulses.emplace_back(i, impulse);
  }
  return result;
}

}  // namespace dalembert
