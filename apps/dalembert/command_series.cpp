#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/solve/series_solution.hpp>

#include "command.hpp"
#include "layout.hpp"
#include "terminal.hpp"

namespace dalembert::app {
namespace {

struct SeriesArguments {
  ModelArguments model;
  int order = 8;
  int digits = 0;
  bool exact = false;
  bool latex = false;
  bool json = false;
};

// "1 t" style names are avoided: a row per order, a column per variable.
void print_table(const SeriesTable& table) {
  for (const SeriesVariable& variable : table.variables) {
    fmt::print("{}\n", variable.name);
    for (std::size_t k = 0; k < variable.coefficients.size(); ++k) {
      if (variable.coefficients[k] != "0") fmt::print("  t^{:<3} {}\n", k, variable.coefficients[k]);
    }
    if (variable.is_zero()) fmt::print("  0\n");
  }
}

std::string latex_number(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos)
    return "\\frac{" + text.substr(0, slash) + "}{" + text.substr(slash + 1) + "}";
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return text.substr(0, e) + " \\cdot 10^{" + std::to_string(std::stoi(text.substr(e + 1))) + "}";
}

std::string latex_series(const SeriesVariable& variable, const std::string& time) {
  std::string sum;
  for (std::size_t k = 0; k < variable.coefficients.size(); ++k) {
    std::string c = variable.coefficients[k];
    if (c == "0") continue;
    const bool negative = c[0] == '-';
    if (negative) c.erase(0, 1);
    sum += sum.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    if (c != "1" || k == 0) sum += latex_number(c);
    if (k == 1) sum += " " + time;
    if (k > 1) sum += " " + time + "^{" + std::to_string(k) + "}";
  }
  return sum.empty() ? "0" : sum;
}

void print_latex(const SeriesTable& table) {
  const std::string time = table.t0 == "0" ? "t" : "(t - " + table.t0 + ")";
  fmt::print("\\begin{{aligned}}\n");
  for (const SeriesVariable& variable : table.variables) {
    fmt::print("{} &= {} \\\\\n", latex_name(variable.name), latex_series(variable, time));
  }
  fmt::print("\\end{{aligned}}\n");
}

// Roots at their branch point are expanded with the largest double in place of an infinite slope.
bool is_finite(const std::string& coefficient) {
  if (coefficient.find("nan") != std::string::npos || coefficient.find("inf") != std::string::npos)
    return false;
  constexpr double beyond = 1e300;
  const std::size_t exponent = coefficient.find("e+");
  return exponent == std::string::npos || std::abs(std::strtod(coefficient.c_str(), nullptr)) < beyond;
}

// Keeps the coefficients before the first that is not finite; says whether there was one.
bool drop_not_finite(SeriesTable& table) {
  bool any = false;
  for (SeriesVariable& variable : table.variables) {
    std::vector<std::string>& c = variable.coefficients;
    const auto first = std::find_if_not(c.begin(), c.end(), is_finite);
    any = any || first != c.end();
    c.erase(first, c.end());
  }
  return any;
}

std::vector<std::string> kink_warnings(const System& system, const SeriesTable& table) {
  std::vector<std::string> warnings;
  for (const std::string& call : system.non_analytic())
    warnings.push_back("'" + call + "' has a kink or a jump: the series is right up to it, not across it");
  for (const std::string& call : table.on_switch)
    warnings.push_back(
        fmt::format("'{}' switches at t = {}: the series is that of the time after it", call, table.t0));
  return warnings;
}

void print_json(const SeriesTable& table, const std::vector<std::string>& warnings) {
  nlohmann::ordered_json json{
      {"t0", table.t0}, {"order", table.order}, {"convention", "M a = f - C^T lambda"}};
  for (const SeriesVariable& variable : table.variables) {
    json["coefficients"][variable.name] = variable.coefficients;
  }
  json["warnings"] = warnings;
  fmt::print("{}\n", json.dump(2));
}

void series(const SeriesArguments& arguments) {
  if (arguments.exact && arguments.digits > 0) throw Error("--exact and --digits exclude each other");
  if (arguments.latex && arguments.json) throw Error("--latex and --json exclude each other");
  if (arguments.order < 1 || arguments.order > 2000) {
    throw Error(fmt::format("--order must be between 1 and 2000, not {}", arguments.order));
  }
  const Model model = arguments.model.load();
  const System system(model);
  SeriesTable table = arguments.exact ? expand_exactly(system, arguments.order)
                                      : expand_numerically(system, arguments.order, arguments.digits);
  std::vector<std::string> warnings = kink_warnings(system, table);
  if (drop_not_finite(table)) {
    warnings.push_back("the series has coefficients that are not finite: the motion is singular here");
    exit_status() = stopped_early;
  }
  for (const std::string& warning : warnings) say(wrap_words(warning, "Warning: ", "  "));
  if (arguments.json) {
    print_json(table, warnings);
  } else if (arguments.latex) {
    print_latex(table);
  } else {
    fmt::print("{}one Adomian expansion at t = {}, powers of t - {}; M a = f - C^T lambda\n\n",
               heading_of(*model) + "\n", table.t0, table.t0);
    print_table(table);
  }
}

}  // namespace

void add_series(CLI::App& app) {
  const auto arguments = std::make_shared<SeriesArguments>();
  CLI::App* command = app.add_subcommand("series", "one Adomian expansion: series of q, v, lambda");
  arguments->model.add_to(*command);
  command->add_option("--order", arguments->order, "highest power of t")->capture_default_str();
  command->add_option("--digits", arguments->digits, "compute in so many decimal digits");
  command->add_flag("--exact", arguments->exact, "in rationals, where all values stay rational");
  command->add_flag("--latex", arguments->latex, "as LaTeX");
  command->add_flag("--json", arguments->json, "as JSON");
  command->footer(
      "Examples:\n"
      "  dalembert series two_link_robot --exact --order 8\n"
      "  dalembert series andrews --digits 50 --order 20 --json");
  command->callback([arguments] { series(*arguments); });
}

}  // namespace dalembert::app
