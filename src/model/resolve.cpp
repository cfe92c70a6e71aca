// From a name in an expression to its meaning. Errors have no place here: the parser adds it.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

#include "names.hpp"

namespace dalembert {

Expr Names::resolve(const std::string& name, const Scope& scope) {
  constexpr std::string_view lambda = "lambda(";
  if (name.starts_with(lambda)) {
    return resolve_multiplier(name.substr(lambda.size(), name.size() - lambda.size() - 1), scope);
  }
  const std::size_t length = name.find('\'');
  const std::string base = name.substr(0, length);
  const std::size_t primes = length == std::string::npos ? 0 : name.size() - length;
  if (base == "t") {
    if (primes > 0) throw Error(fmt::format("the time has no derivative {}", in_quotes(name)));
    if (!scope.time) throw Error(fmt::format("the time 't' cannot be used in {}", scope.where));
    return time_;
  }
  if (base == "lambda") throw Error("write lambda(name) for the multiplier of the constraint 'name'");

  const auto it = entries_.find(base);
  if (it == entries_.end()) {
    const auto output = outputs_.find(name);
    if (output == outputs_.end() || !scope.multipliers) fail_unknown(name, scope);
    return output->second;
  }
  Entry& entry = it->second;
  switch (entry.meaning) {
    case Meaning::parameter:
      if (primes > 0) {
        throw Error(fmt::format("{} is a parameter and does not change: there is no {}", in_quotes(base),
                                in_quotes(name)));
      }
      if (!entry.known) fail_too_early(base, scope);
      return entry.forms[0].expression;
    case Meaning::coordinate:
      return resolve_coordinate(entry, name, primes, scope);
    case Meaning::definition:
      break;
  }
  return resolve_definition(entry, name, primes, scope);
}

Expr Names::resolve_multiplier(const std::string& constraint, const Scope& scope) const {
  if (!scope.dynamics) throw Error("a kinematic model has no multipliers");
  if (!scope.multipliers) {
    throw Error(
        fmt::format("a multiplier may be used in forces, outputs and events only, not in {}", scope.where));
  }
  if (!constraint_places_.contains(constraint)) {
    throw Error(fmt::format("there is no constraint {}{}", in_quotes(constraint),
                            suggestion(constraint, constraints_)));
  }
  if (waiting_.contains(constraint) && !scope.waiting) {
    throw Error(
        fmt::format("{} does not act all the time: its multiplier may be used in forces, outputs and events "
                    "only, not in {}",
                    in_quotes(constraint), scope.where));
  }
  return graph_.symbol("lambda(" + constraint + ")");
}

Expr Names::resolve_coordinate(const Entry& entry, const std::string& name, std::size_t primes,
                               const Scope& scope) const {
  if (!scope.coordinates) {
    throw Error(fmt::format("the coordinate {} cannot be used in {}, which is of parameters only",
                            in_quotes(name.substr(0, name.size() - primes)), scope.where));
  }
  if (primes == 1 && !scope.velocities) {
    throw Error(fmt::format("the velocity {} cannot be used in {}", in_quotes(name), scope.where));
  }
  if (primes > 2)
    throw Error(fmt::format("{}: there are no derivatives beyond the acceleration", in_quotes(name)));
  if (primes == 2 && !scope.dynamics) throw Error("a kinematic model has no accelerations");
  if (primes == 2 && !scope.accelerations) {
    throw Error(fmt::format("the acceleration {} may be used in outputs and events only, not in {}",
                            in_quotes(name), scope.where));
  }
  return entry.forms[primes].expression;
}

Expr Names::resolve_definition(Entry& entry, const std::string& name, std::size_t primes,
                               const Scope& scope) {
  const std::string base = name.substr(0, name.size() - primes);
  if (!scope.coordinates) {
    throw Error(fmt::format("the definition {} cannot be used in {}, which is of parameters only",
                            in_quotes(base), scope.where));
  }
  if (!entry.known) fail_too_early(base, scope);
  if (primes > 2) throw Error(fmt::format("{}: there are no derivatives beyond the second", in_quotes(name)));
  for (std::size_t i = 1; i <= primes; ++i) {
    const Form& before = entry.forms[i - 1];
    if (before.acceleration) {
      throw Error(fmt::format("{} would need the derivative of the acceleration {}", in_quotes(name),
                              in_quotes(before.acceleration.name())));
    }
    if (!entry.forms[i].expression) entry.forms[i] = form(time_derivative_(before.expression));
  }
  const Form& meaning = entry.forms[primes];
  if (meaning.velocity && !scope.velocities) {
    throw Error(fmt::format("{} contains the velocity {}, which cannot be used in {}", in_quotes(name),
                            in_quotes(meaning.velocity.name()), scope.where));
  }
  if (meaning.acceleration && !scope.dynamics) throw Error("a kinematic model has no accelerations");
  if (meaning.acceleration && !scope.accelerations) {
    throw Error(fmt::format(
        "{} contains the acceleration {}, which may be used in outputs and events only, not in {}",
        in_quotes(name), in_quotes(meaning.acceleration.name()), scope.where));
  }
  if (meaning.kink && !scope.kinks) {
    throw Error(fmt::format(
        "{} contains '{}', which is not smooth and may be used in forces, outputs and events only, not in {}",
        in_quotes(name), info(meaning.kink.function()).name, scope.where));
  }
  return meaning.expression;
}

void Names::fail_unknown(const std::string& name, const Scope& scope) const {
  const std::size_t primes = name.size() - std::min(name.find('\''), name.size());
  const std::string base = name.substr(0, name.size() - primes);
  std::vector<std::string> candidates;
  if (scope.coordinates) {
    candidates.insert(candidates.end(), coordinates_.begin(), coordinates_.end());
    candidates.insert(candidates.end(), definitions_.begin(), definitions_.end());
  }
  if (scope.multipliers) {
    for (const auto& output : outputs_) candidates.push_back(output.first);
  }
  if (primes == 0) candidates.insert(candidates.end(), parameters_.begin(), parameters_.end());
  const std::array<std::string, 1> constants{"pi"};
  const bool nearer_constant =
      nearest_name(base, candidates).empty() && !nearest_name(base, constants).empty();
  throw Error(fmt::format("unknown name {}{}", in_quotes(base),
                          nearer_constant ? suggestion(base, constants) : suggestion(base, candidates)));
}

// A parameter or definition that is declared but has no meaning yet.
void Names::fail_too_early(const std::string& name, const Scope& scope) const {
  const Meaning meaning = entries_.at(name).meaning;
  const std::vector<std::string>& order = meaning == Meaning::parameter ? parameters_ : definitions_;
  const auto reading = std::find_if(order.begin(), order.end(),
                                    [this](const std::string& n) { return !entries_.at(n).known; });
  if (reading != order.end() && *reading == name)
    throw Error(fmt::format("{} refers to itself", in_quotes(name)));
  throw Error(
      fmt::format("{} is defined later; {} may use those above it only", in_quotes(name), scope.where));
}

}  // namespace dalembert
