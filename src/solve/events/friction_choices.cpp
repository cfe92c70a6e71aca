// Which contacts stay closed, which frictions stick, which signs hold: all choices whose accelerations and
// forces fit them. What a choice leads to is computed in friction_mechanics.cpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <dalembert/expr/differentiate.hpp>
#include <dalembert/linalg/row_rank.hpp>

#include "events/friction_mechanics.hpp"

namespace dalembert {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

bool depends_on_multipliers(Expr e) {
  const std::vector<Expr> symbols = symbols_in(e);
  return std::ranges::any_of(symbols, [](Expr symbol) { return symbol.name().starts_with("lambda("); });
}

}  // namespace

// Contacts stay closed, frictions stick and signs stay what they are where that is possible.
std::vector<FrictionMechanics::Question> FrictionMechanics::questions(std::span<const std::size_t> contacts,
                                                                      const Known& known, bool impact) {
  std::vector<Question> result;
  for (const std::size_t link : contacts) result.push_back({Question::Kind::contact, link, {1, 0}});
  ask_for_frictions(contacts, known, impact, result);
  ask_for_signs(known, impact, result);
  return result;
}

void FrictionMechanics::ask_for_frictions(std::span<const std::size_t> contacts, const Known& known,
                                          bool impact, std::vector<Question>& result) {
  at_rest_.clear();
  limits_ = known.limits;
  kept_ = known.closed;
  std::vector<std::size_t> resting, sliding;
  for (std::size_t f = 0; f < model().frictions.size(); ++f) {
    at_rest_.push_back(impact || is_at_rest(f, known));
    const auto normal = systems_->normal(f);
    if (normal && !mode_.links[*normal] && std::ranges::find(contacts, *normal) == contacts.end()) continue;
    if (!normal && impact) continue;
    (at_rest_[f] ? resting : sliding).push_back(f);
  }
  std::vector<FrictionGroup> groups = group_frictions(*systems_, all_, rows_, resting);
  for (const std::size_t f : sliding) groups.push_back({{{f, 1}}});
  for (const FrictionGroup& group : groups)
    result.push_back({Question::Kind::friction, group.first(), options_of(group, known, impact), 0, group});
}

// Directions are those of the group's first slip.
std::vector<int> FrictionMechanics::options_of(const FrictionGroup& group, const Known& known,
                                               bool impact) const {
  const std::size_t f = group.first();
  const Friction& friction = model().frictions[f];
  const bool in_plane = friction.slip.size() == 1;
  if (!at_rest_[f]) return {in_plane && slips_[f][0] < 0 ? -1 : 1};
  for (const auto& [member, ratio] : group.members) {
    const auto told = known.frictions.find(member);
    if (told == known.frictions.end()) continue;
    std::vector<int> options = told->second;
    for (int& option : options) option *= ratio < 0 ? -1 : 1;
    return options;
  }
  const bool goes_on = !impact && mode_.signs[friction.direction] != 0 &&
                       std::ranges::find(known.at_rest, f) == known.at_rest.end();
  if (!in_plane) return {0, 1};
  const int before = mode_.signs[friction.direction] < 0 ? -1 : 1;
  return goes_on ? std::vector{before, 0, -before} : std::vector{0, 1, -1};
}

void FrictionMechanics::ask_for_signs(const Known& known, bool impact, std::vector<Question>& result) {
  std::vector<bool> is_of_friction(model().held_signs.size(), false);
  for (const Friction& friction : model().frictions) {
    is_of_friction[friction.direction] = true;
    for (const std::size_t heading : friction.heading) is_of_friction[heading] = true;
  }
  const std::vector<double> arguments = held_arguments(trial_of({}, {}, impact));
  for (std::size_t s = 0; s < is_of_friction.size(); ++s) {
    if (is_of_friction[s]) continue;
    const int before = mode_.signs[s] < 0 ? -1 : 1;
    std::vector<int> options{before, -before};
    if (arguments[s] != 0 && !depends_on_multipliers(model().held_signs[s].argument))
      options = {arguments[s] < 0 ? -1 : 1};
    const auto told = known.signs.find(s);
    if (told != known.signs.end()) options = told->second;
    const auto scale = known.scales.find(s);
    result.push_back(
        {Question::Kind::sign, s, options, scale == known.scales.end() ? 0 : sign_rounding * scale->second});
  }
}

FrictionMechanics::Trial FrictionMechanics::trial_of(const std::vector<Question>& questions,
                                                     const std::vector<std::size_t>& chosen,
                                                     bool is_impact) const {
  Trial trial;
  trial.is_impact = is_impact;
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
      case Question::Kind::friction:
        for (const FrictionGroup::Member& member : question.group.members)
          set_friction(member.friction, member.side() * option, trial);
        break;
      case Question::Kind::sign:
        trial.mode.signs[question.index] = option;
        break;
    }
  }
  return trial;
}

void FrictionMechanics::set_friction(std::size_t f, int option, Trial& trial) const {
  trial.friction[f] = option;
  if (!is_pressed(f, trial)) return;
  const Friction& friction = model().frictions[f];
  trial.mode.signs[friction.direction] = option;
  for (std::size_t k = 0; k < friction.heading.size(); ++k)
    trial.mode.signs[friction.heading[k]] = option == 0 ? 0 : heading(f, k);
  for (const std::size_t link : systems_->slips(f)) trial.mode.links[link] = option == 0;
}

// How many there are; frictions that nothing presses have one.
double FrictionMechanics::count_choices(const std::vector<Question>& questions) const {
  double count = 1;
  std::map<std::size_t, double> pressed;  // by contact
  for (const Question& question : questions) {
    const auto options = static_cast<double>(question.options.size());
    const auto normal =
        question.kind == Question::Kind::friction ? systems_->normal(question.index) : std::nullopt;
    if (question.kind == Question::Kind::contact) {
      pressed[question.index] = 1;
    } else if (normal && question.group.members.size() == 1 && pressed.contains(*normal)) {
      pressed[*normal] *= options;
    } else {
      count *= options;
    }
  }
  for (const auto& [contact, options] : pressed) count *= 1 + options;
  return count;
}

// The choice behind that of a trial. False: there is none.
bool FrictionMechanics::go_on(const std::vector<Question>& questions, const Trial& trial,
                              std::vector<std::size_t>& chosen) const {
  for (std::size_t i = questions.size(); i-- > 0;) {
    const Question& question = questions[i];
    const bool is_free = question.kind == Question::Kind::friction && !is_pressed(question.group, trial);
    if (!is_free && ++chosen[i] < question.options.size()) return true;
    chosen[i] = 0;
  }
  return false;
}

// Choices of frictions that nothing presses are all the same: the first alone is tried.
template <class Take>
void FrictionMechanics::try_all(const std::vector<Question>& questions, const Level& level, Take take) {
  constexpr int most = 1024, few = 64;
  gave_up_ = false;
  const double count = count_choices(questions);
  if (count > few) {
    std::optional<Trial> found = likely_trial(questions, level);
    if (!found && count > most) found = pivot(questions, level);
    if (found && (!take(*found) || count > most)) return;
  }
  std::vector<std::size_t> chosen(questions.size(), 0);
  for (int tried = 0;; ++tried) {
    gave_up_ = tried == most;
    if (gave_up_) return;
    Trial trial = trial_of(questions, chosen, level.is_impact);
    if (solve(level, trial) && fits(level, questions, trial) && !take(trial)) return;
    if (!go_on(questions, trial, chosen)) return;
  }
}

// The first question whose choice does not fit its trial.
std::optional<std::size_t> FrictionMechanics::find_misfit(const Level& level,
                                                          const std::vector<Question>& questions,
                                                          const Trial& trial) {
  std::vector<double> arguments;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Question& question = questions[i];
    switch (question.kind) {
      case Question::Kind::contact:
        if (!contact_fits(level, question.index, trial)) return i;
        break;
      case Question::Kind::friction:
        if (!friction_fits(level, question.group, trial)) return i;
        break;
      case Question::Kind::sign: {
        if (question.options.size() == 1) break;
        if (arguments.empty()) arguments = held_arguments(trial);
        const double largest = trial.lambda.lpNorm<Eigen::Infinity>();
        const double noise = std::max(rounding_of_forces * largest, question.noise);
        if (trial.mode.signs[question.index] * arguments[question.index] < -noise) return i;
        break;
      }
    }
  }
  return std::nullopt;
}

bool FrictionMechanics::fits(const Level& level, const std::vector<Question>& questions, const Trial& trial) {
  return !find_misfit(level, questions, trial);
}

// Always the first that does not fit takes its next choice.
std::optional<FrictionMechanics::Trial> FrictionMechanics::pivot(const std::vector<Question>& questions,
                                                                 const Level& level) {
  constexpr int most = 1000;
  std::vector<std::size_t> chosen(questions.size(), 0);
  for (int round = 0; round < most; ++round) {
    Trial trial = trial_of(questions, chosen, level.is_impact);
    if (!solve(level, trial)) return std::nullopt;
    const std::optional<std::size_t> misfit = find_misfit(level, questions, trial);
    if (!misfit) return trial;
    chosen[*misfit] = (chosen[*misfit] + 1) % questions[*misfit].options.size();
  }
  return std::nullopt;
}

FrictionMechanics::Level FrictionMechanics::level_of_accelerations() const {
  const auto count = static_cast<Index>(rows_.size());
  Level level{all_.f, VectorXd(count), VectorXd::Zero(count)};
  for (Index i = 0; i < count; ++i)
    level.right[i] = all_.gamma[static_cast<Index>(row(static_cast<std::size_t>(i)))];
  return level;
}

std::optional<VectorXd> FrictionMechanics::accelerations(std::span<const std::size_t> contacts,
                                                         const Known& known) {
  const auto first = first_that_fits(questions(contacts, known, false), level_of_accelerations());
  return first ? std::optional(first->x) : std::nullopt;
}

FrictionMechanics::Answer FrictionMechanics::choose(std::span<const std::size_t> contacts,
                                                    const Known& known) {
  const Level level = level_of_accelerations();
  Answer answer;
  std::optional<Trial> first;
  // While it is at rest, a friction that sticks more than it slides may do either: it sticks.
  const auto is_other = [&](const Trial& trial) {
    constexpr double alike = 1e-7;  // beside what the forces alone would do
    const double size = gives_.cwiseProduct(all_.f).cwiseAbs().maxCoeff();
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
  const std::vector<Question> asked = questions(contacts, known, false);
  try_all(asked, level, [&](const Trial& trial) {
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
  answer.sticking = sticking_groups(asked, *first);
  for (std::size_t f = 0; f < first->friction.size(); ++f) {
    if (systems_->slips(f).size() == 2 && first->friction[f] != 0 && at_rest_[f] && is_pressed(f, *first))
      answer.starting.push_back(f);
    if (is_held_by_others(level, f, *first)) answer.undecided = f;
  }
  return answer;
}

// How much a group can still hold, Σ |ρ| μ N ∓ Σ ρ Λ, depends on shares where forces that are in balance with
// themselves, Dᵀ z = 0, change it.
std::vector<FrictionGroup> FrictionMechanics::sticking_groups(const std::vector<Question>& questions,
                                                              const Trial& trial) {
  constexpr double rounding = 1e-9;
  const auto in_plane = [](const Friction& one) { return one.slip.size() == 1; };
  if (std::ranges::none_of(model().frictions, in_plane)) return {};
  std::vector<Index> acting;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (trial.mode.links[i]) acting.push_back(static_cast<Index>(row(i)));
  const ForceRows& rows = force_rows(trial.mode);
  const System& system = systems_->all(without_slides(*systems_, mode_));
  const MatrixXd D = with_slopes_of_sizes(rows.D, rows.B, system.sizes(), lambda_by_row(trial));
  const RowRank rank = find_row_rank(take_rows(D, acting));
  std::vector<FrictionGroup> result;
  for (const Question& question : questions) {
    if (question.kind != Question::Kind::friction || trial.friction[question.index] != 0) continue;
    if (systems_->slips(question.index).size() != 1) continue;
    FrictionGroup group;
    VectorXd limit = VectorXd::Zero(static_cast<Index>(rows_.size())), force = limit;  // by row
    for (const auto& [f, ratio] : question.group.members) {
      if (!is_pressed(f, trial)) continue;
      group.members.push_back({f, ratio});
      const double coefficient = systems_->parameter(model().frictions[f].sticking);
      for (const auto& [link, slope] : pressure(f, trial).slopes)
        limit[static_cast<Index>(row(link))] += std::abs(ratio) * coefficient * slope;
      force[static_cast<Index>(row(systems_->slips(f)[0]))] += ratio;
    }
    if (group.members.empty()) continue;
    for (const RowDependency& one : rank.dependent) {
      const auto along = [&](const VectorXd& x) {
        double sum = x[acting[static_cast<std::size_t>(one.row)]];
        for (std::size_t k = 0; k < one.others.size(); ++k)
          sum -= one.coefficients[k] * x[acting[static_cast<std::size_t>(one.others[k])]];
        return std::abs(sum);
      };
      if (along(limit) > rounding * limit.norm() || along(force) > rounding * force.norm())
        group.depends_on_share = true;
    }
    result.push_back(std::move(group));
  }
  return result;
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
