#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/session/compare.hpp>
#include <dalembert/session/run.hpp>

namespace dalembert::session {
namespace {

// An option that none of the methods would look at is a mistake of the call.
void refuse_idle(const Option& option, const std::vector<std::string>& compared, Spelling spelling) {
  const auto has_use = [&](const std::string& name) { return takes(find_method(name), option); };
  if (compared.empty() || std::ranges::any_of(compared, has_use)) return;
  throw Error(fmt::format("none of the compared methods has a use for {}; it is for {}",
                          spell(option, spelling), join(methods_with(option), ", ")));
}

template <class AnySystem>
ComparisonReport make_report(const LoadedModel& model, const AnySystem& system, const CompareOptions& options,
                             MethodsCompared compared) {
  ComparisonReport report{model, options, std::move(compared), reference_name(system, options)};
  if (report.compared.interrupted) report.reference += "; interrupted, not all runs are there";
  return report;
}

template <class AnySystem>
ComparisonReport compare(const LoadedModel& model, const AnySystem& system, const CompareOptions& options) {
  return make_report(model, system, options, compare_methods(system, options));
}

}  // namespace

CompareOptions compare_options(const LoadedModel& model, std::span<const GivenOption> given,
                               const std::vector<std::string>& methods, Spelling spelling) {
  CompareOptions options;
  options.run = options_of(*model.model());
  options.methods = methods;
  for (const GivenOption& one : given) {
    refuse_idle(*one.option, methods, spelling);
    set_option(options.run, *one.option, one.value, spelling);
  }
  return options;
}

ComparisonReport compare(const LoadedModel& model, const CompareOptions& options) {
  return model.is_kinematic() ? compare(model, model.kinematic_system(), options)
                              : compare(model, model.system(), options);
}

ComparisonReport report_of(const LoadedModel& model, const CompareOptions& options,
                           MethodsCompared compared) {
  return model.is_kinematic() ? make_report(model, model.kinematic_system(), options, std::move(compared))
                              : make_report(model, model.system(), options, std::move(compared));
}

void write_page(const std::string& file, const ComparisonReport& report) {
  Page page(make_record(report.model));
  page.has_run = false;
  page.comparison = to_page_comparison(report);
  dalembert::write_page(file, page);
}

}  // namespace dalembert::session
