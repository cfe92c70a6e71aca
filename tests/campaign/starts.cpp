#include "campaign/starts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/state_evaluation.hpp>

#include "campaign/canvas.hpp"

namespace dalembert::campaign {
namespace {

// Of two free coordinates a and b; u stands for the one that the constraint determines.
constexpr std::array surfaces{
    "A*sin(a) + b", "a*b",       "A*cos(a)*b",  "sqrt(1 + a^2 + b^2)", "exp(a/2) - A*b", "a^3 - b",
    "A*a",          "atan(a*b)", "a/(2 + b^2)", "A*tanh(a - b)",       "A*a*sin(b) - 1", "log(2 + b^2)"};
// F stands for the surface; each has one solution for u.
constexpr std::array shapes{"u = F",
                            "u - (F)",
                            "K*(u - (F))",
                            "u + u^3/3 = (F) + (F)^3/3",
                            "sinh(u) = sinh(F)",
                            "u*(2 + cos(a)) = (F)*(2 + cos(a))",
                            "2*u - u/(1 + u^2) = 2*(F) - (F)/(1 + (F)^2)"};

enum class Wish {
  consistent,  // determined coordinates are given where they must be
  guessed,     // they are guesses, far off
  off,         // they are given, and wrong
  held,        // the free ones are fixed, the determined ones are wrong
  impossible,  // all are fixed, and one constraint is not met
  twice,       // two constraints contradict each other
};

class StartDrawing {
 public:
  explicit StartDrawing(std::uint64_t seed) : canvas_(seed), dice_(canvas_.dice) {}

  StartCase draw() {
    wish_ = static_cast<Wish>(dice_.below(6));
    for (std::size_t i = 0; i < 2; ++i) free_.push_back({fmt::format("x{}", i), dice_.off_zero(1.5)});
    const std::size_t constraints = dice_.between(1, 3);
    bad_ = dice_.below(constraints);
    for (const auto& [name, position] : free_) give_free(name, position);
    for (std::size_t i = 0; i < constraints; ++i) constrain(i);
    for (const std::string& name : names_) {
      canvas_.sketch.add("energy", "kinetic", fmt::format("{}*{}'^2", dice_.magnitude_text(1e-2, 1e2), name));
    }
    // in no constraint, and coupled to the others by its inertia
    canvas_.sketch.set("coordinates", "aside", "{ position = 1, guess = true }");
    canvas_.sketch.add(
        "energy", "kinetic",
        fmt::format("2*aside'^2 + {}*aside'*({}' - x0')", dice_.value(0, 0.05), names_.back()));
    case_.text = canvas_.sketch.text();
    return case_;
  }

 private:
  struct Free {
    std::string name;
    double position;
  };

  void give_free(const std::string& name, double position) {
    const bool fixed = wish_ == Wish::held || wish_ == Wish::impossible;
    const bool moving = wish_ != Wish::impossible && dice_.chance(0.5);
    canvas_.sketch.set("coordinates", name,
                       fmt::format("{{ position = {}{}{} }}", position,
                                   moving ? fmt::format(", velocity = {}", dice_.off_zero(2)) : "",
                                   fixed ? ", fixed = true" : ""));
    names_.push_back(name);
    if (wish_ != Wish::off && wish_ != Wish::twice) {
      case_.kept.push_back(name);
      if (moving) case_.kept.push_back(name + "'");
    }
  }

  std::string at_start(const std::string& formula) const {
    std::vector<std::pair<std::string, std::string>> values;
    for (const auto& [name, position] : free_) values.emplace_back(name, fmt::format("({})", position));
    return with_names_replaced(formula, values);
  }

  void constrain(std::size_t i) {
    const std::string u = fmt::format("u{}", i), name = fmt::format("row{}", i);
    const bool swapped = dice_.chance(0.5);
    const std::string surface =
        with_names_replaced(surfaces[dice_.below(surfaces.size())], {{"a", free_[swapped ? 1 : 0].name},
                                                                     {"b", free_[swapped ? 0 : 1].name},
                                                                     {"A", canvas_.number(0.3, 2)}});
    const std::string formula = with_names_replaced(
        shapes[dice_.below(shapes.size())],
        {{"u", u}, {"F", "(" + surface + ")"}, {"a", free_[0].name}, {"K", canvas_.magnitude(1e-4, 1e4)}});
    const bool right = wish_ == Wish::consistent || (wish_ == Wish::impossible && i != bad_);
    const double error = dice_.off_zero(wish_ == Wish::guessed ? 2 : 0.5);
    const std::string position =
        right ? at_start(surface) : fmt::format("{} + {}", at_start(surface), Dice::text_of(error));
    const char* const flag = wish_ == Wish::guessed      ? ", guess = true"
                             : wish_ == Wish::impossible ? ", fixed = true"
                                                         : "";
    canvas_.sketch.set("coordinates", u, fmt::format("{{ position = \"{}\"{} }}", position, flag));
    names_.push_back(u);
    if (wish_ == Wish::consistent) case_.kept.push_back(u);
    canvas_.sketch.set("constraints.holonomic", name, "\"" + formula + "\"");
    if (i != bad_) return;
    if (wish_ == Wish::impossible) case_.contradiction = name;
    if (wish_ == Wish::twice) {
      case_.contradiction = name;
      canvas_.sketch.set("constraints.holonomic", "other",
                         fmt::format("\"{} = {} + {}\"", u, surface, dice_.off_zero(1)));
    }
  }

  Canvas canvas_;
  Dice& dice_;
  Wish wish_ = Wish::consistent;
  std::size_t bad_ = 0;
  std::vector<Free> free_;
  std::vector<std::string> names_;
  StartCase case_;
};

// The largest residual, beside what coordinates or velocities off by themselves would make of it.
double residual(const System& system, const Start& start) {
  StateEvaluation at(system);
  at.eval(start.t, start.q, start.v);
  double worst = 0;
  for (Eigen::Index row = 0; row < at.C.rows(); ++row) {
    double of_q = 0, of_v = std::abs(at.c[row]), speed = at.c[row];
    for (Eigen::Index i = 0; i < at.C.cols(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      of_q += std::abs(at.C(row, i)) * (1 + std::abs(start.q[k]));
      of_v += std::abs(at.C(row, i)) * (1 + std::abs(start.v[k]));
      speed += at.C(row, i) * start.v[k];
    }
    if (row < at.g.size()) worst = std::max(worst, std::abs(at.g[row]) / of_q);
    worst = std::max(worst, std::abs(speed) / of_v);
  }
  return worst;
}

// How far the coordinate `aside` moved, and the largest move of all others.
std::pair<double, double> moves(const System& system, const std::vector<double>& from,
                                const std::vector<double>& to) {
  double aside = 0, others = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    double& size = system.coordinate_name(i) == "aside" ? aside : others;
    size = std::max(size, std::abs(to[i] - from[i]));
  }
  return {aside, others};
}

std::string judge_found(const System& system, const Start& start, const StartCase& wanted) {
  constexpr double round_off = 1e-13;
  const double off = residual(system, start);
  if (!(off <= round_off)) return fmt::format("the constraints are off by {:.2g}", off);
  const std::vector<double> q = system.given_positions<double>(), v = system.given_velocities<double>();
  for (const auto& [aside, others] : {moves(system, q, start.q), moves(system, v, start.v)}) {
    if (aside > others) return fmt::format("'aside' moved by {}, all others by less than {}", aside, others);
  }
  for (std::size_t i = 0; i < system.n(); ++i) {
    const std::string& name = system.coordinate_name(i);
    const auto kept = [&](const std::string& value) {
      return std::find(wanted.kept.begin(), wanted.kept.end(), value) != wanted.kept.end();
    };
    if (kept(name) && start.q[i] != q[i])
      return fmt::format("{} moved from {} to {}", name, q[i], start.q[i]);
    if (kept(name + "'") && start.v[i] != v[i])
      return fmt::format("{}' moved from {} to {}", name, v[i], start.v[i]);
  }
  return "";
}

}  // namespace

StartCase make_start(std::uint64_t seed) { return StartDrawing(seed).draw(); }

std::string judge_start(const StartCase& start) {
  const System system(read_model_text(start.text));
  try {
    const Start found = find_consistent_state(system, 0);
    if (!start.contradiction.empty())
      return fmt::format("'{}' contradicts and was not named", start.contradiction);
    return judge_found(system, found, start);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (start.contradiction.empty()) return "refused: " + message;
    return message.find(start.contradiction) != std::string::npos ? "" : "not named: " + message;
  }
}

}  // namespace dalembert::campaign
