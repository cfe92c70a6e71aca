#include "run/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/solve/solve.hpp>

namespace dalembert {
namespace {

// What the relative residuals may be. A step that chooses its length leaves errors of its tolerance, which
// add up where the method does not return to the constraints; one of constant length keeps a percent where it
// suits the motion.
double explained_residual(const RunReport& report, const SolveOptions& options) {
  constexpr double safety = 30;        // as in energy_watch.hpp
  constexpr double percent = 0.01;     // more is seen in a curve; chosen, not measured
  constexpr double round_off = 1e-12;  // of the solves with [M Cᵀ; C 0], whose condition is not known
  if (has_constant_step(options)) return percent;
  const double count = static_cast<double>(std::max<std::size_t>(report.steps, 1));
  const double allowed = safety * count * options.tolerance;
  return std::min(allowed, std::max(percent, 10 * options.tolerance)) + round_off * count;
}

bool asks_for_drift(const SolveOptions& options) {
  const SolveOptions used = restricted(options);
  return !used.project || used.stabilization == Stabilization::none ||
         used.stabilization == Stabilization::baumgarte || used.index_form == "index1";
}

std::string remedy(const SolveOptions& options) {
  return has_constant_step(options) ? "a shorter --step or an adaptive method may help"
                                    : "another method or a smaller --tolerance tells which numbers are right";
}

void judge_residual(std::vector<std::string>& remarks, const char* symbol, double relative, double size,
                    double explained) {
  if (relative <= explained) return;
  remarks.push_back(fmt::format("the constraints do not hold: {} is up to {:.1e}, {:.1e} of its terms",
                                symbol, size, relative));
}

void judge_energy(std::vector<std::string>& remarks, const RunReport& report, const SolveOptions& options) {
  if (!std::isfinite(report.start_energy)) return;  // beyond what numbers can hold: it judges nothing
  if (!std::isfinite(report.max_energy_error)) {
    remarks.emplace_back("the energy is not a finite number");
  } else if (report.max_energy_error > report.explained_energy_error) {
    const char* const what = report.conservative ? "the energy changes by" : "the energy balance is off by";
    remarks.push_back(fmt::format(
        "{} {:.1e}, of {:.1e} that {} explains; {}", what, report.max_energy_error,
        report.explained_energy_error,
        has_constant_step(options) ? "a step that suits the motion" : "the tolerance", remedy(options)));
  }
}

}  // namespace

void judge(RunReport& report, const SolveOptions& options) {
  std::vector<std::string> residuals, energy;
  const double explained = explained_residual(report, options);
  judge_residual(residuals, "|g|", report.relative_position_residual, report.max_position_residual,
                 explained);
  judge_residual(residuals, "|C v + c|", report.relative_velocity_residual, report.max_velocity_residual,
                 explained);
  judge_energy(energy, report, options);
  // a motion that leaves its constraints does not keep its energy either
  const bool is_asked = asks_for_drift(options) && !residuals.empty();
  for (std::vector<std::string>* list : {&residuals, &energy}) {
    for (std::string& remark : *list) {
      if (is_asked) remark += ", as these options let it";
      (is_asked ? report.warnings : report.doubts).push_back(std::move(remark));
    }
  }
  if (report.doubts.empty()) return;
  if (report.outcome == Outcome::finished) report.outcome = Outcome::doubtful;
  // an estimate that believes what the steps say of themselves
  report.end_error = report.error_growth = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace dalembert
