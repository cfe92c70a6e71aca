// Check, equations, series, comparison, stability: texts and JSON.
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <dalembert/base/stop.hpp>
#include <dalembert/session/check.hpp>
#include <dalembert/session/compare.hpp>
#include <dalembert/session/equations.hpp>
#include <dalembert/session/series.hpp>
#include <dalembert/session/stability.hpp>

#include "bindings.hpp"
#include "calls.hpp"
#include "model_handle.hpp"
#include "options.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

using Strings = std::vector<std::string>;
using release = nb::call_guard<nb::gil_scoped_release>;

struct Texts {
  std::string text, json, latex;
  Strings warnings;
};

Texts check(const ModelHandle& model) {
  const session::CheckReport report = session::check(*model);
  return {to_text(report), to_json(report), {}, report.warnings};
}

Texts equations(const ModelHandle& model, bool numbers) {
  const session::EquationsPage page = session::equations(*model, {.numbers = numbers});
  return {to_text(page), to_json(page), to_latex(page), {}};
}

Texts series(const ModelHandle& model, const session::SeriesOptions& options, Visitor& visitor) {
  const nb::gil_scoped_release released;
  const std::function<bool()> go_on = [&] { return visitor.go_on(); };
  const StopScope scope(go_on);
  const session::SeriesReport report = session::series(*model, options);
  return {to_text(report), to_json(report), to_latex(report), report.warnings};
}

Texts series_in_python(const ModelHandle& model, int order, int digits, bool exact) {
  Visitor visitor;
  try {
    return series(model, {.order = order, .digits = digits, .exact = exact}, visitor);
  } catch (const Stopped&) {
    visitor.rethrow();
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nb::python_error();
  }
}

Texts stability(const ModelHandle& model, const Strings& box, double a, double epsilon,
                std::optional<double> step) {
  const session::StabilityReport report =
      session::stability(*model, {.box = box, .a = a, .epsilon = epsilon, .step = step});
  return {to_text(report), to_json(report), {}, {}};
}

// What a comparison is asked besides the options of runs.
struct ComparisonWishes {
  Strings methods;
  std::vector<double> tolerances, steps;
  std::size_t samples;
  int digits;
  std::string page;
};

Texts compare(const ModelHandle& model, const std::vector<GivenOption>& given, const ComparisonWishes& wishes,
              Visitor& visitor) {
  const nb::gil_scoped_release released;
  CompareOptions options = session::compare_options(*model, given, wishes.methods);
  if (!wishes.tolerances.empty()) options.tolerances = wishes.tolerances;
  options.steps = wishes.steps;
  options.samples = wishes.samples;
  options.digits = wishes.digits;
  Strings notes;
  options.note = [&](const std::string& note) { notes.push_back(note); };
  options.go_on = [&] { return visitor.go_on(); };
  const session::ComparisonReport report = session::compare(*model, options);
  if (report.compared.interrupted) notes.emplace_back("interrupted: not all runs are there");
  if (!wishes.page.empty()) write_page(wishes.page, report);
  return {to_text(report), to_json(report), to_csv(report), notes};
}

Texts compare_in_python(const ModelHandle& model, const nb::dict& options, const Strings& methods,
                        const std::vector<double>& tolerances, const std::vector<double>& steps,
                        std::size_t samples, int digits, const std::string& page) {
  Visitor visitor;
  Texts texts =
      compare(model, given_options(options), {methods, tolerances, steps, samples, digits, page}, visitor);
  visitor.rethrow();
  return texts;
}

}  // namespace

void bind_reports(nb::module_& module) {
  nb::class_<Texts>(module, "Texts")
      .def_ro("text", &Texts::text)
      .def_ro("json", &Texts::json)
      .def_ro("latex", &Texts::latex)
      .def_ro("warnings", &Texts::warnings);
  module.def("check", check, release());
  module.def("equations", equations, release());
  module.def("series", series_in_python);
  module.def("stability", stability, nb::arg("model"), nb::arg("box"), nb::arg("a"), nb::arg("epsilon"),
             nb::arg("step").none(), release());
  module.def("compare", compare_in_python);
}

}  // namespace dalembert::python
