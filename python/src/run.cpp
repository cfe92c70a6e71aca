// Runs, their numbers, their dense output.
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <dalembert/session/motion_curve.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/session/run_output.hpp>
#include <dalembert/session/summary.hpp>
#include <dalembert/solve/dense_output.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "model_handle.hpp"
#include "options.hpp"

namespace nb = nanobind;

namespace dalembert::python {
namespace {

// The whole motion of a run. Its system lives as long as it does.
class Dense {
 public:
  explicit Dense(session::LoadedModel model) : model_(std::move(model)), motion_(model_.system()) {
    constexpr std::size_t most = std::size_t{1} << 28;  // 2 GB
    motion_.limit(most);
  }

  DenseOutput& motion() { return motion_; }
  double start() const { return motion_.start(); }
  double end() const { return motion_.end(); }

  // A row [q, v] per time.
  Array eval(const Numbers& times) {
    const std::size_t width = 2 * model_.system().n();
    std::vector<double> rows(times.size() * width);
    {
      const nb::gil_scoped_release release;
      const std::scoped_lock lock(mutex_);
      if (!curve_) curve_.emplace(motion_, model_.system().n());
      curve_->eval(span_of(times), rows);
    }
    return make_array(std::move(rows), {times.size(), width});
  }

  // A row [q, v, a, λ, outputs] per time.
  Array states(const Numbers& times) {
    const System& system = model_.system();
    const std::size_t width = 3 * system.n() + system.m() + system.equations().outputs.size();
    std::vector<double> rows;
    {
      const nb::gil_scoped_release release;
      const std::scoped_lock lock(mutex_);
      rows.reserve(times.size() * width);
      for (const double t : span_of(times)) {
        const DenseOutput::State state = motion_.at(t);
        for (const auto* part : {&state.q, &state.v, &state.a, &state.lambda, &state.outputs})
          rows.insert(rows.end(), part->begin(), part->end());
      }
    }
    return make_array(std::move(rows), {times.size(), width});
  }

 private:
  session::LoadedModel model_;
  DenseOutput motion_;
  std::optional<session::MotionCurve> curve_;
  std::mutex mutex_;  // evaluation has a workspace
};

struct RunResult {
  ModelHandle model;
  session::Motion motion;
  std::shared_ptr<Dense> dense;
  bool by_signal = false;
};

// What a run is asked to do beside the options of the library.
struct Wishes {
  bool every_step;
  bool dense;
  nb::object progress;  // of (t, fraction, steps)
  nb::object callback;  // of (t, y)
};

session::RowWatcher watch_rows(const Wishes& wishes, Visitor& visitor, std::size_t coordinates) {
  if (wishes.callback.is_none()) return {};
  return [&wishes, &visitor, coordinates](std::span<const double> row) {
    return visitor.visit([&] {
      const std::span<const double> y = row.subspan(1, 2 * coordinates);
      return is_not_false(wishes.callback(row[0], make_array({y.begin(), y.end()}, {y.size()})));
    });
  };
}

std::function<bool(const Progress&)> watch_progress(const Wishes& wishes, Visitor& visitor) {
  if (wishes.progress.is_none()) return [&visitor](const Progress&) { return visitor.go_on(); };
  return [&wishes, &visitor](const Progress& progress) {
    return visitor.visit(
        [&] { return is_not_false(wishes.progress(progress.t, progress.fraction, progress.steps)); });
  };
}

std::unique_ptr<RunResult> run(const ModelHandle& model, const nb::dict& options, bool every_step, bool dense,
                               nb::object progress, nb::object callback) {
  const std::vector<GivenOption> given = given_options(options);
  const Wishes wishes{every_step, dense, std::move(progress), std::move(callback)};
  Visitor visitor;
  std::unique_ptr<RunResult> result;
  {
    const nb::gil_scoped_release release;
    SolveOptions all = options_for(model.described(), given);
    all.estimate_error = true;
    if (every_step) all.output_step = 0;
    all.progress = watch_progress(wishes, visitor);
    std::shared_ptr<Dense> kept;
    if (dense) {
      if (model->is_kinematic()) throw Error("runs of kinematic models keep no dense output");
      kept = std::make_shared<Dense>(*model);
      all.dense_output = &kept->motion();
    }
    session::Motion motion =
        session::run_watched(*model, all, watch_rows(wishes, visitor, model.described().coordinates.size()));
    result = std::make_unique<RunResult>(RunResult{model, std::move(motion), std::move(kept)});
  }
  const RunReport& report = result->motion.report();
  if (!wishes.progress.is_none() && reached_end(report.outcome))  // short runs tell nothing on their way
    visitor.visit([&] { return is_not_false(wishes.progress(report.end_time, 1.0, report.steps)); });
  visitor.rethrow();
  result->by_signal = visitor.interrupted();
  return result;
}

// Rows of all columns, the run's own memory.
View numbers_of(nb::handle_t<RunResult> self) {
  const session::Motion& motion = nb::cast<const RunResult&>(self).motion;
  static const double nothing = 0;
  return View(motion.numbers.empty() ? &nothing : motion.numbers.data(),
              {motion.samples(), motion.columns.size()}, self);
}

// Of a column, with all digits of the run.
std::vector<std::string> decimals_of(const RunResult& result, std::size_t column) {
  const session::Motion& motion = result.motion;
  std::vector<std::string> texts;
  for (std::size_t i = column; i < motion.decimals.size(); i += motion.columns.size())
    texts.push_back(motion.decimals[i]);
  return texts;
}

session::OutputOptions output_options(const nb::dict& wanted) {
  session::OutputOptions options;
  for (const auto [key, value] : wanted) {
    const auto name = nb::cast<std::string>(key);
    if (name == "files") options.files = nb::cast<std::vector<std::string>>(value);
    if (name == "columns") options.columns = nb::cast<std::vector<std::string>>(value);
    if (name == "plots") options.plots = nb::cast<std::vector<std::string>>(value);
    if (name == "against") options.against = nb::cast<std::string>(value);
    if (name == "report") options.report = nb::cast<std::string>(value);
    if (name == "animation") options.animation = nb::cast<std::string>(value);
    if (name == "stills")
      for (auto& [times, file] : nb::cast<std::vector<std::pair<std::vector<double>, std::string>>>(value))
        options.stills.push_back({times, file});
  }
  return options;
}

void write(const RunResult& result, const nb::dict& wanted) {
  const session::OutputOptions options = output_options(wanted);
  const nb::gil_scoped_release release;
  session::write_outputs(*result.model, result.motion, options);
}

const RunReport& report_of(const RunResult& result) { return result.motion.report(); }

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<Dense>(module, "Dense")
      .def_prop_ro("start", &Dense::start)
      .def_prop_ro("end", &Dense::end)
      .def("eval", &Dense::eval)
      .def("states", &Dense::states);
  nb::class_<RunResult>(module, "RunResult")
      .def_prop_ro("numbers", numbers_of)
      .def("decimals", decimals_of)
      .def_prop_ro("dense", [](const RunResult& self) { return self.dense; })
      .def_prop_ro("by_signal", [](const RunResult& self) { return self.by_signal; })
      .def_prop_ro("outcome", [](const RunResult& self) { return outcome_word(report_of(self).outcome); })
      .def_prop_ro("reached_end", [](const RunResult& self) { return reached_end(report_of(self).outcome); })
      .def_prop_ro("reason", [](const RunResult& self) { return report_of(self).reason; })
      .def_prop_ro("doubts", [](const RunResult& self) { return report_of(self).doubts; })
      .def_prop_ro("warnings", [](const RunResult& self) { return report_of(self).warnings; })
      .def_prop_ro(
          "report_json",
          [](const RunResult& self) { return report_json(report_of(self), self.motion.record.model->title); })
      .def_prop_ro("options", [](const RunResult& self) { return self.motion.record.options; })
      .def_prop_ro("summary",
                   [](const RunResult& self) {
                     return session::summary_text(report_of(self), self.model.described(), {}, false);
                   })
      .def("write", write);
  module.def("run", run, nb::arg("model"), nb::arg("options"), nb::arg("every_step"), nb::arg("dense"),
             nb::arg("progress").none(), nb::arg("callback").none());
}

}  // namespace dalembert::python
