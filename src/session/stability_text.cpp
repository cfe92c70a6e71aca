// Admissible gains and steps for people and for programs.
#include <cmath>
#include <iterator>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/output/run_record.hpp>
#include <dalembert/session/stability.hpp>
#include <dalembert/solve/solve.hpp>

namespace dalembert::session {
namespace {

std::string question_text(const StabilityReport& report) {
  const ModelData& model = *report.model.model();
  const auto& [question, estimate] = std::tie(report.question, report.estimate);
  std::string text = heading_of(model) + "\n";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < question.box.size(); ++i) {
    fmt::format_to(out, "  {:15}{} from {:.6g} to {:.6g}\n", i == 0 ? "box" : "", model.coordinates[i].name,
                   question.box[i].low, question.box[i].high);
  }
  fmt::format_to(out, "  {:15}t from {:.6g} to {:.6g}\n", "", question.time.low, question.time.high);
  fmt::format_to(out, "  {:15}a = {}, epsilon = {}, step = {}\n", "asked for", shortest(question.a),
                 shortest(question.epsilon), shortest(question.step));
  fmt::format_to(out, "  {:15}|f| = {:.1e}{}\n", "start", estimate.start_residual,
                 estimate.start_residual > question.epsilon ? ", beyond epsilon: the conditions say nothing"
                 : report.starts_inside                     ? ""
                                        : ", outside the box: the conditions say nothing");
  return text;
}

std::string conditions_text(const StabilityEstimate& estimate) {
  const SecondDerivativeBound& bound = estimate.bound;
  std::string text = "\nEuler's method with F = k f keeps |f| <= epsilon in the box if\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  |1 + step k| <= a{:23}{:.6g} <= k <= {:.6g}\n", "", estimate.contraction.low,
                 estimate.contraction.high);
  fmt::format_to(out, "  |f''| <= 2 (1 - a) epsilon / step^2 = {:.6g}\n", estimate.allowed);
  if (!std::isfinite(bound.A + bound.B + bound.D)) {
    return text +
           "    f_q^+ is not bounded where |f| <= epsilon: nothing follows; try a smaller box or epsilon\n";
  }
  fmt::format_to(out, "    where |f''| <= {:.6g} + {:.6g} |k| + {:.6g} k^2  (intervals, {} cells)\n", bound.A,
                 bound.B, bound.D, bound.cells);
  if (estimate.largest_gain) fmt::format_to(out, "{:42}|k| <= {:.6g}\n", "", *estimate.largest_gain);
  if (estimate.admissible) {
    fmt::format_to(out, "  admissible{:30}{:.6g} <= k <= {:.6g}\n", "", estimate.admissible->low,
                   estimate.admissible->high);
  } else {
    text += "  no gain is admissible at this step\n";
  }
  if (estimate.largest_step) {
    fmt::format_to(out, "  there are admissible gains up to        step = {:.6g}\n", *estimate.largest_step);
  }
  return text;
}

std::string limits_text(const StabilityReport& report) {
  std::string text = fmt::format(
      "\nErrors of f' = K f decay, exact limits of the methods:\n"
      "  method    step |k| <=   k at this step       longest step for the model's K{}\n",
      report.gains_over
          ? fmt::format(" from t = {:.6g} to {:.6g}", report.gains_over->low, report.gains_over->high)
          : "");
  for (const auto& [method, limit, longest] : report.limits) {
    const std::string step = longest == 0          ? "none, K makes errors grow"
                             : std::isinf(longest) ? "any, K is zero"
                                                   : fmt::format("{:.6g}", longest);
    fmt::format_to(std::back_inserter(text), "  {:8}  {:<12.5f}  {:>10.6g} <= k < 0   {}\n", method, limit,
                   -limit / report.question.step, step);
  }
  return text;
}

// Beshaw's estimate for example 1, with what is wrong in it.
std::string published_text(const ModelData& model, const StabilityQuestion& question) {
  const bool is_example = model.source.starts_with("Beshaw") && model.source.ends_with("example 1");
  if (!is_example || question.a != 0.99 || question.epsilon != 0.1 || question.step != 0.002) return "";
  const double corrected = *solve_gain({81.9, 37.9, 3.4, 0}, 500);
  return fmt::format(
      "\nPublished for these numbers: -359.6 <= k <= -0.5. It differs because\n"
      "  - |1 + step k| <= a gives k <= (a - 1)/step = -5, not -0.5;\n"
      "  - its own bound 81.9 + 37.9 |k| + 3.4 k^2 <= 500 gives |k| <= {:.4g}, not 359.6: together {:.4g} <= "
      "k <= -5;\n"
      "  - that bound lets f be as large as anywhere in the box. The conditions are about |f| <= epsilon, "
      "where\n"
      "    the terms with k are small: the intervals above use it.\n",
      corrected, -corrected);
}

nlohmann::ordered_json range_json(const std::optional<GainRange>& range) {
  return range ? nlohmann::ordered_json{range->low, range->high} : nlohmann::ordered_json();
}

nlohmann::ordered_json number_json(const std::optional<double>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

}  // namespace

std::string to_text(const StabilityReport& report) {
  return question_text(report) + conditions_text(report.estimate) + limits_text(report) +
         published_text(*report.model.model(), report.question);
}

std::string to_json(const StabilityReport& report) {
  const auto& [question, estimate] = std::tie(report.question, report.estimate);
  nlohmann::ordered_json json{{"title", report.model.model()->title},
                              {"a", question.a},
                              {"epsilon", question.epsilon},
                              {"step", question.step}};
  for (std::size_t i = 0; i < question.box.size(); ++i)
    json["box"][report.model.model()->coordinates[i].name] = {question.box[i].low, question.box[i].high};
  json["start_residual"] = estimate.start_residual;
  json["starts_inside"] = report.starts_inside;
  json["contraction"] = range_json(estimate.contraction);
  json["admissible"] = range_json(estimate.admissible);
  json["largest_gain"] = number_json(estimate.largest_gain);
  json["largest_step"] = number_json(estimate.largest_step);
  for (const auto& [method, limit, longest] : report.limits)
    json["limits"][std::string(method)] = {{"limit", limit}, {"longest_step", longest}};
  return json.dump(2);
}

}  // namespace dalembert::session
