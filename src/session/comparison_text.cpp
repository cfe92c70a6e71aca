#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/text.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/session/compare.hpp>
#include <dalembert/session/layout.hpp>

namespace dalembert::session {
namespace {

std::string count(std::size_t value) { return value == 0 ? "-" : std::to_string(value); }

double energy_error(const RunReport& report) {
  return report.energy_scale > 0 ? report.max_energy_error / report.energy_scale : report.max_energy_error;
}

std::string outcome_of(const ComparedRun& run) {
  return run.refusal.empty() ? outcome_word(run.report.outcome) : "refused";
}

// Why a run is marked.
std::string remark_of(const RunReport& report) {
  if (report.outcome == Outcome::doubtful) return "doubtful: " + join(report.doubts, "; ");
  return fmt::format("stopped at t = {:.6g}: {}", report.end_time, report.reason);
}

}  // namespace

std::string to_text(const ComparisonReport& report) {
  const MethodsCompared& compared = report.compared;
  const ModelData& model = *report.model.model();
  const SolveOptions& asked = report.options.run;
  const bool is_kinematic = report.model.is_kinematic();
  std::string head =
      fmt::format("{}t = {:g} to {:g}; errors against {}{}\n\n",
                  model.title.empty() ? "" : model.title + ", ", asked.start, asked.start + asked.duration,
                  report.reference, compared.reference.confirmed ? ", " + compared.reference.text : "");
  const auto of_motion = [&](double value) { return is_kinematic ? "-" : fmt::format("{:.1e}", value); };
  std::string text =
      fmt::format("{:21}{:>8}{:>10}{:>8}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}{:>9}\n", "method", "setting",
                  "time (s)", "steps", "evals", "q", "v", "lambda", "|g|", "|Cv+c|", "energy");
  std::string below;
  for (const ComparedRun& run : compared.runs) {
    if (!run.refusal.empty()) {
      below += wrap_words(run.refusal, fmt::format("{}: ", run.method), "  ");
      continue;
    }
    const RunReport& r = run.report;
    const bool whole = r.outcome == Outcome::finished;
    fmt::format_to(std::back_inserter(text),
                   "{:21}{:>8.0e}{:>10.3g}{:>8}{:>9}{:>9.1e}{:>9.1e}{:>9}{:>9.1e}{:>9}{:>9}{}\n", run.method,
                   run.setting, r.seconds, r.steps, count(r.evaluations), run.error_q, run.error_v,
                   of_motion(run.error_lambda), r.max_position_residual, of_motion(r.max_velocity_residual),
                   of_motion(energy_error(r)), whole ? "" : " *");
    if (!whole)
      below += wrap_words(remark_of(r), fmt::format("* {} {:.0e}: ", run.method, run.setting), "  ");
  }
  const std::string above =
      compared.reference.confirmed || compared.reference.text.empty()
          ? ""
          : wrap_words(compared.reference.text, "WARNING: the reference is ", "  ") + "\n";
  return head + above + text + (below.empty() ? "" : "\n") + below;
}

std::string to_csv(const ComparisonReport& report) {
  const MethodsCompared& compared = report.compared;
  std::string text =
      "method,kind,setting,outcome,end_time,seconds,steps,rejected,evaluations,factorizations,iterations,"
      "error_q,error_v,"
      "error_lambda,max_g,max_gv,energy\n";
  for (const ComparedRun& run : compared.runs) {
    const RunReport& r = run.report;
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   run.method, run.constant_step ? "step" : "tolerance", run.setting, outcome_of(run),
                   r.end_time, r.seconds, r.steps, r.rejected, r.evaluations, r.factorizations, r.iterations,
                   run.error_q, run.error_v, run.error_lambda, r.max_position_residual,
                   r.max_velocity_residual, energy_error(r));
  }
  if (compared.interrupted) text += "# partial: interrupted\n";
  if (!compared.reference.confirmed) text += fmt::format("# reference {}\n", compared.reference.text);
  return text;
}

std::string to_json(const ComparisonReport& report) {
  const MethodsCompared& compared = report.compared;
  nlohmann::ordered_json all{{"title", report.model.model()->title},
                             {"reference", report.reference},
                             {"reference_confirmed", compared.reference.confirmed},
                             {"reference_check", compared.reference.text},
                             {"partial", compared.interrupted},
                             {"runs", nlohmann::json::array()}};
  for (const ComparedRun& run : compared.runs) {
    const RunReport& r = run.report;
    nlohmann::ordered_json one{{"method", run.method},
                               {run.constant_step ? "step" : "tolerance", run.setting},
                               {"outcome", outcome_of(run)}};
    if (!run.refusal.empty()) {
      one["reason"] = run.refusal;
      all["runs"].push_back(one);
      continue;
    }
    if (!r.reason.empty()) one["reason"] = r.reason;
    if (!r.doubts.empty()) one["doubts"] = r.doubts;
    one.update({{"end_time", r.end_time},
                {"seconds", r.seconds},
                {"steps", r.steps},
                {"rejected", r.rejected},
                {"evaluations", r.evaluations},
                {"factorizations", r.factorizations},
                {"iterations", r.iterations},
                {"error_q", run.error_q},
                {"error_v", run.error_v},
                {"error_lambda", run.error_lambda},
                {"max_g", r.max_position_residual},
                {"max_gv", r.max_velocity_residual},
                {"energy", energy_error(r)},
                {"drift",
                 {{"t", run.drift.t},
                  {"g", run.drift.position},
                  {"gv", run.drift.velocity},
                  {"energy", run.drift.energy}}}});
    all["runs"].push_back(one);
  }
  return all.dump(1) + "\n";
}

Comparison to_page_comparison(const ComparisonReport& report) {
  const MethodsCompared& compared = report.compared;
  Comparison page;
  page.reference = report.reference;
  page.confirmed = compared.reference.confirmed;
  page.check = compared.reference.text;
  for (const ComparedRun& run : compared.runs) {
    if (!run.refusal.empty()) continue;
    if (page.methods.empty() || page.methods.back().name != run.method)
      page.methods.push_back({run.method, {}, {}});
    Comparison::MethodRuns& method = page.methods.back();
    method.runs.push_back(
        {run.setting, run.report.seconds, run.report.steps, std::max(run.error_q, run.error_v)});
    method.drift = {run.drift.t, run.drift.position, run.drift.velocity,
                    run.drift.energy};  // of the last setting
  }
  return page;
}

}  // namespace dalembert::session
