#include "campaign/formulas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace dalembert::campaign {
namespace {

constexpr std::array potentials{"A*X^4/4",          "A*cos(X)",          "A*(X - Y)^2/2",
                                "A*sin(X)*cos(Y)",  "A*exp(-X^2)",       "A*sqrt(1 + X^2 + Y^2)",
                                "A*log(1 + X^2)/B", "A*X*Y/4",           "A*cosh(X/2)",
                                "A*atan(X)*Y/3",    "A/(1 + X^2 + Y^2)", "A*(X + Y)^3/(5 + X^2 + Y^2)",
                                "K*X^2/2",          "A*X*sin(W*t)",      "A*tanh(X - Y)^2"};
constexpr std::array inertias{
    "X^2*Y'^2/2", "0.3*cos(X - Y)*X'*Y'", "sin(X)^2*X'^2/2", "0.4*X*Y'",
    "0.3*X'*Y'",  "exp(X/3)*Y'^2/3",      "0.2*sin(t)*X'^2", "(1 + 0.5*cos(Y))*X'^2"};
constexpr std::array dissipations{"A*X'^2/2", "A*(X' - Y')^2/2", "A*X'^4/4", "A*(sqrt(1 + X'^2) - 1)",
                                  "A*X^2*X'^2/2"};
constexpr std::array smooth_forces{"A*sin(W*t)",        "A*cos(X)*tanh(Y')",   "-A*X'*sqrt(1 + X^2)",
                                   "A*atan(Y)",         "-A*(X^2 - 1)*X'",     "A*exp(-t/B)*X",
                                   "-A*tanh(X'/B)",     "A*Y' - B*X",          "A*sinh(X/2)/cosh(X)",
                                   "A*asin(sin(X)/2)",  "A*acos(X/(1 + X^2))", "A*atan2(X, 2 + Y^2)",
                                   "A*(1 + X^2)^(1/3)", "A*(2 + sin(Y))^X/5"};
constexpr std::array surfaces{"X - A*Y^2",    "X + sin(Y)",          "X + X^3/3 + A*Y", "X*cos(Y) - A*Y",
                              "X^2 + Y^2",    "X^2 + A*Y^2",         "X + A*Y",         "X*Y + X",
                              "exp(X/2) + Y", "sqrt(1 + X^2) - A*Y", "atan(X) + Y",     "X - A*tanh(Y)"};
constexpr std::array surfaces_of_three{"X^2 + Y^2 + Z^2",         "X + Y*Z",
                                       "X - A*sin(Y)*cos(Z)",     "X*cos(Y) - Z",
                                       "sqrt(1 + X^2 + Y^2) - Z", "X + Y - A*Z"};
constexpr std::array motions{"0.3*sin(W*t)", "0.2*t", "0.1*t^2", "0.3*(cos(W*t) - 1)", "0.2*sin(t)*cos(W*t)"};
constexpr std::array rolling{"X'*sin(Z) - Y'*cos(Z)", "X' - Y*Z'",        "X' + A*Y'",
                             "X' - A*Z'*cos(Y)",      "X' + Y'*Z - A*Z'", "X'*(1 + Y^2) - Z'",
                             "X' - Y' - A*Z'*X"};
constexpr std::array rolling_of_two{"X' + A*Y'", "X' - Y'*X", "X'*cos(Y) - A*Y'"};

constexpr std::array arguments{"X",
                               "X - B",
                               "X + B",
                               "sin(W*t)",
                               "X - Y",
                               "X'",
                               "X' - B",
                               "cos(W*t) - 0.3",
                               "X^2 - B",
                               "X*Y",
                               "X + A*X'",
                               "X*cos(Y) - 0.2",
                               "X' - A*sin(W*t)",
                               "A*X - B*Y",
                               "t - T",
                               "X' + Y'",
                               "sin(3*X)",
                               "X*X'",
                               "A*(X - 0.2) - B*X'",
                               "P*X + P*Y",
                               "P*(B - X) - A*X'",
                               "P*X'*cos(Y) + P*X'",
                               "P*X - P*B",
                               "P*(X - Y)/A",
                               "P*sin(W*t) + P*X"};
// S and R are arguments of switches
constexpr std::array kinks{"abs(S)",
                           "sign(S)",
                           "max(S, 0)",
                           "max(0, S)",
                           "min(S, 0)",
                           "min(A, S)",
                           "max(S, R)",
                           "min(S, R)",
                           "atan2(sin(W*S), cos(W*S))",
                           "abs(abs(S) - B)",
                           "max(0, min(S, B))",
                           "max(S, 0)*max(R, 0)",
                           "sign(S)*sign(R)",
                           "tanh(abs(S))",
                           "1/(1 + abs(S))",
                           "sqrt(1 + max(S, 0))",
                           "abs(S)*X",
                           "sign(S)*Y",
                           "max(S, 0)^2",
                           "(S + abs(S))/2",
                           "max(max(S, R), 0)",
                           "sin(max(S, R))",
                           "exp(-abs(S))",
                           "sign(S)*S^2",
                           "abs(S)*S",
                           "max(S, 0)^1.5"};
// X falls onto R with stiffness K and damping D
constexpr std::array contacts{"max(K*(R - X) - D*X', 0)",
                              "max(0, K*(R - X) - D*X')",
                              "max(K*R - K*X - D*X', 0)",
                              "K*max(R - X - D/K*X', 0)",
                              "-min(K*(X - R) + D*X', 0)",
                              "-min(0, -(K*(R - X) - D*X'))",
                              "(K*(R - X) - D*X' + abs(K*(R - X) - D*X'))/2",
                              "(K*(R - X) - D*X')*(1 + sign(K*(R - X) - D*X'))/2",
                              "K*max(R - X, 0) - D*X'*(1 + sign(R - X))/2",
                              "K*max(R - X, 0)*(1 - D/10*X')",
                              "max((R - X)*K - X'*D, 0)*1",
                              "K*(max(R, X) - X)",
                              "K*(R - min(R, X)) - K*(X - min(R, X))*0",
                              "max(K*(R - X) - D*X', 0)/(1 + 0.1*X^2)",
                              "max(2*(K*(R - X)/2 - D*X'/2), 0)",
                              "K*max(R - X, 0)^2"};
constexpr std::array pulses{
    "A*exp(-((t - T)/H)^2/2)/H", "A/(1 + ((t - T)/H)^2)^2/H",   "A/cosh((t - T)/H)^2/H",
    "A*tanh((t - T)/H)",         "A*exp(-((X - B)/H)^2/2)/H/5", "A*atan((t - T)/H)",
    "A/(1 + exp(-(t - T)/H))",   "A*exp(-((t - T)/H)^4)/H",     "A*tanh((X - B)/H)",
    "-A*X'/(1 + ((X - B)/H)^2)", "A*exp(-100*sin(t - T)^2)*3"};

constexpr std::array frictions{"-A*sign(X')",           "A*sign(B - X')",
                               "-A*(1 + X^2)*sign(X')", "-A*sign(X')*(1 + exp(-X'^2))",
                               "-P*sign(P*X')",         "A*sign(0.3*sin(W*t) - X')",
                               "-A*X'/5 - A*sign(2*X')"};
// on X, and on Y in return
constexpr std::array<std::array<const char*, 2>, 3> rubbing{{{"-C*sign(X' - Y')", "-C*sign(Y' - X')"},
                                                             {"-C*sign(X' - Y')", "C*sign(X' - Y')"},
                                                             {"C*sign(Y' - X')", "-C*sign(Y' - X')"}}};

}  // namespace

Formulas::Formulas(Canvas& canvas, std::size_t count, double duration, bool other_units)
    : canvas_(canvas), dice_(canvas.dice), duration_(duration) {
  for (std::size_t i = 0; i < count; ++i) {
    DrawnCoordinate& added =
        coordinates_.emplace_back(DrawnCoordinate{fmt::format("x{}", i), dice_.off_zero(1.2)});
    if (other_units) added.unit = std::pow(10, static_cast<double>(dice_.between(0, 12)) - 6);
    const std::string velocity =
        dice_.chance(0.6) ? fmt::format(", velocity = {}", dice_.off_zero(1) * added.unit) : "";
    canvas_.sketch.set("coordinates", added.name,
                       fmt::format("{{ position = {}{} }}", added.start * added.unit, velocity));
  }
}

// q = u x: energies in x are the same, the force on q is that on x by u.
void Formulas::write_units() {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, start, unit] : coordinates_) {
    if (unit == 1) continue;
    values.emplace_back(name, fmt::format("({}/{})", name, unit));
    values.emplace_back(name + "'", fmt::format("({}'/{})", name, unit));
    canvas_.sketch.divide("forces", name, fmt::format("{}", unit));
  }
  canvas_.sketch.replace_names(values);
}

std::string Formulas::fill(std::string_view pattern, const std::string& x) {
  std::vector<std::string> names;
  for (const DrawnCoordinate& coordinate : coordinates_) names.push_back(coordinate.name);
  for (std::size_t i = names.size(); i > 1; --i) std::swap(names[i - 1], names[dice_.below(i)]);
  if (!x.empty()) std::swap(names[0], *std::find(names.begin(), names.end(), x));
  std::vector<std::pair<std::string, std::string>> values;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string letter(1, "XYZ"[i]);
    values.emplace_back(letter, names[i % names.size()]);
    values.emplace_back(letter + "'", names[i % names.size()] + "'");
  }
  const auto needs = [&](const char* letter) {
    return with_names_replaced(pattern, {{letter, ""}}).size() < pattern.size();
  };
  if (needs("A")) values.emplace_back("A", canvas_.number(0.2, 1.5));
  if (needs("B")) values.emplace_back("B", canvas_.number(0.2, 1.5));
  if (needs("W")) values.emplace_back("W", canvas_.number(0.5, 6));
  if (needs("P")) values.emplace_back("P", canvas_.number(0.3, 3, 1));
  if (needs("K")) values.emplace_back("K", canvas_.magnitude(3, 300));
  if (needs("T")) values.emplace_back("T", canvas_.number(0.1 * duration_, 0.9 * duration_));
  if (needs("H")) values.emplace_back("H", canvas_.magnitude(0.002, 0.3));
  return with_names_replaced(pattern, values);
}

void Formulas::energies() {
  Sketch& sketch = canvas_.sketch;
  for (const auto& [name, start, unit] : coordinates_) {
    sketch.add("energy", "kinetic", fmt::format("{}/2*{}'^2", canvas_.number(1, 3), name));
    if (dice_.chance(0.8))
      sketch.add("energy", "potential", fmt::format("{}*{}^2/2", canvas_.number(0.3, 3), name));
  }
  if (dice_.chance(0.5)) sketch.add("energy", "kinetic", draw(inertias));
  for (std::size_t i = dice_.below(3); i > 0; --i) sketch.add("energy", "potential", draw(potentials));
  if (dice_.chance(0.3)) sketch.add("energy", "dissipation", draw(dissipations));
}

void Formulas::matrices() {
  const std::size_t n = coordinates_.size();
  std::vector<std::vector<std::string>> mass(n, std::vector<std::string>(n, "\"0\""));
  std::string force;
  for (std::size_t i = 0; i < n; ++i) {
    mass[i][i] = fmt::format("\"{}\"", fill(dice_.chance(0.5) ? "2 + A" : "2 + A + sin(X)"));
    for (std::size_t j = 0; j < i; ++j) {
      if (dice_.chance(0.5))
        mass[i][j] = mass[j][i] = fmt::format("\"{}\"", fill(dice_.chance(0.5) ? "0.4" : "0.5*cos(X)"));
    }
    force += fmt::format("{}\"-{}*{} + {}\"", i > 0 ? ", " : "", canvas_.number(0.5, 4), coordinates_[i].name,
                         draw(smooth_forces));
  }
  std::string rows;
  for (const auto& row : mass) rows += fmt::format("{}[{}]", rows.empty() ? "" : ", ", fmt::join(row, ", "));
  canvas_.sketch.set("equations", "mass", "[" + rows + "]");
  canvas_.sketch.set("equations", "force", "[" + force + "]");
}

void Formulas::smooth_force() { push(dice_.pick(coordinates_).name, draw(smooth_forces)); }

std::string Formulas::at_start(const std::string& formula) const {
  std::vector<std::pair<std::string, std::string>> values{{"t", "0"}};
  for (const auto& [name, start, unit] : coordinates_) values.emplace_back(name, fmt::format("({})", start));
  return with_names_replaced(formula, values);
}

void Formulas::holonomic(std::size_t count, bool rheonomic) {
  std::vector<std::string> drawn;
  for (std::size_t i = 0; i < count; ++i) {
    const bool three = coordinates_.size() > 2 && dice_.chance(0.5);
    std::string formula = three ? draw(surfaces_of_three) : draw(surfaces);
    if (i > 0 && dice_.chance(0.15)) {  // redundant: a multiple of a former one, or a mix
      formula = i > 1 ? fmt::format("{} - ({})", drawn[0], drawn[1]) : fmt::format("2*({})", drawn[0]);
    } else if (rheonomic && (i == 0 || dice_.chance(0.4))) {
      formula += " + " + draw(motions);
    }
    drawn.push_back(formula);
    canvas_.sketch.set("constraints.holonomic", fmt::format("g{}", i),
                       fmt::format("\"{} = {}\"", formula, at_start(formula)));
  }
}

void Formulas::nonholonomic(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::string formula = coordinates_.size() > 2 ? draw(rolling) : draw(rolling_of_two);
    if (dice_.chance(0.3)) formula += " = " + draw(motions);
    canvas_.sketch.set("constraints.nonholonomic", fmt::format("a{}", i), "\"" + formula + "\"");
  }
}

std::string Formulas::switch_argument() {
  std::string argument = draw(arguments);
  if (dice_.chance(0.2)) {
    argument = fmt::format("{}*({})", canvas_.number(0.3, 3, 0.6), argument);
  } else if (dice_.chance(0.1)) {
    argument = fmt::format("({})/{}", argument, canvas_.number(0.3, 3));
  } else if (dice_.chance(0.1)) {
    argument = fmt::format("-({})", argument);
  }
  return canvas_.part(argument);
}

std::string Formulas::kink_formula() {
  const std::string pattern = kinks[dice_.below(kinks.size())];
  return fill(with_names_replaced(pattern, {{"S", switch_argument()}, {"R", switch_argument()}}));
}

void Formulas::kink() {
  const std::string formula = canvas_.part(kink_formula());
  const char* const shape = dice_.pick(std::array{"A*{}", "-A*{}", "{}", "-{}*A", "{}/B"});
  push(dice_.pick(coordinates_).name, fill(fmt::format(fmt::runtime(shape), formula)));
}

void Formulas::contact() {
  const std::string& z = coordinates_[0].name;
  const double floor = coordinates_[0].start - dice_.value(0.05, 0.4);
  const std::string gap = Dice::text_of(floor);
  canvas_.sketch.add("energy", "potential", fmt::format("9.81*{}", z));
  const std::string pattern = contacts[dice_.below(contacts.size())];
  const std::string stiffness = canvas_.magnitude(100, 2000, 0.6), damping = canvas_.number(0, 3, 0.6);
  push(z, with_names_replaced(pattern,
                              {{"X", z}, {"X'", z + "'"}, {"R", gap}, {"K", stiffness}, {"D", damping}}));
  if (coordinates_.size() > 1 && dice_.chance(0.5)) {  // friction by the same force
    push(coordinates_[1].name,
         fmt::format("-0.3*tanh({}'/0.1)*max({} - {}, 0)*{}", coordinates_[1].name, gap, z, stiffness));
  }
}

void Formulas::friction() {
  if (coordinates_.size() > 1 && dice_.chance(0.5)) {
    const std::string size = canvas_.number(0.2, 1.5);
    const auto& pair = rubbing[dice_.below(rubbing.size())];
    for (std::size_t i = 0; i < 2; ++i) {
      push(coordinates_[i].name, with_names_replaced(pair[i], {{"C", size},
                                                               {"X'", coordinates_[0].name + "'"},
                                                               {"Y'", coordinates_[1].name + "'"}}));
    }
  } else {
    const std::string& x = dice_.pick(coordinates_).name;
    push(x, fill(frictions[dice_.below(frictions.size())], x));
  }
  if (dice_.chance(0.5)) push(dice_.pick(coordinates_).name, fill("2*A*sin(W*t)"));
}

void Formulas::pulse() { push(dice_.pick(coordinates_).name, draw(pulses)); }

}  // namespace dalembert::campaign
