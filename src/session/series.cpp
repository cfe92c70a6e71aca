#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/session/check.hpp>
#include <dalembert/session/series.hpp>

namespace dalembert::session {
namespace {

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

// Roots at their branch point are expanded with the largest double in place of an infinite slope.
bool is_finite(const std::string& coefficient) {
  if (coefficient.find("nan") != std::string::npos || coefficient.find("inf") != std::string::npos)
    return false;
  // the largest double in place of an infinite slope, times small numbers
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

}  // namespace

SeriesReport series(const LoadedModel& model, const SeriesOptions& options, Spelling spelling) {
  // memory and time grow with its square; nobody looks at so many. Chosen, not measured.
  constexpr int highest = 2000;
  const char* const dashes = spelling == Spelling::flag ? "--" : "";
  if (options.exact && options.digits > 0)
    throw Error(fmt::format("{0}exact and {0}digits exclude each other", dashes));
  if (options.order < 1 || options.order > highest)
    throw Error(fmt::format("{}order must be between 1 and {}, not {}", dashes, highest, options.order));
  const System& system = model.system();
  SeriesReport report{heading_of(*model.model()),
                      options.exact ? expand_exactly(system, options.order)
                                    : expand_numerically(system, options.order, options.digits),
                      {}};
  report.warnings = kink_warnings(system, report.table);
  report.is_singular = drop_not_finite(report.table);
  if (report.is_singular)
    report.warnings.emplace_back(
        "the series has coefficients that are not finite: the motion is singular here");
  return report;
}

// "1 t" style names are avoided: a row per order, a column per variable.
std::string to_text(const SeriesReport& report) {
  const SeriesTable& table = report.table;
  std::string text = fmt::format("{}\none Adomian expansion at t = {}, powers of t - {}; {}\n\n",
                                 report.heading, table.t0, table.t0, multiplier_convention);
  const auto out = std::back_inserter(text);
  for (const SeriesVariable& variable : table.variables) {
    text += variable.name + "\n";
    for (std::size_t k = 0; k < variable.coefficients.size(); ++k)
      if (variable.coefficients[k] != "0") fmt::format_to(out, "  t^{:<3} {}\n", k, variable.coefficients[k]);
    if (variable.is_zero()) text += "  0\n";
  }
  return text;
}

std::string to_latex(const SeriesReport& report) {
  const std::string time = report.table.t0 == "0" ? "t" : "(t - " + report.table.t0 + ")";
  std::string text = "\\begin{aligned}\n";
  for (const SeriesVariable& variable : report.table.variables)
    text += fmt::format("{} &= {} \\\\\n", latex_name(variable.name), latex_series(variable, time));
  return text + "\\end{aligned}\n";
}

std::string to_json(const SeriesReport& report) {
  nlohmann::ordered_json json{
      {"t0", report.table.t0}, {"order", report.table.order}, {"convention", multiplier_convention}};
  for (const SeriesVariable& variable : report.table.variables)
    json["coefficients"][variable.name] = variable.coefficients;
  json["warnings"] = report.warnings;
  return json.dump(2);
}

}  // namespace dalembert::session
