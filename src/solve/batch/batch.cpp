#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/path_watch.hpp>
#include <dalembert/solve/solve.hpp>
#include <dalembert/system/lanes_recursion.hpp>

#include "batch/lanes_recorder.hpp"
#include "batch/lanes_stepper.hpp"
#include "events/event_run.hpp"
#include "run/motion_recorder.hpp"
#include "run/verdict.hpp"
#include "series/adomian_stepper.hpp"

namespace dalembert {
namespace {

void check(const System& system, const BatchCase& given, std::size_t number) {
  for (const std::vector<double>* values : {&given.q, &given.v}) {
    if (!values->empty() && values->size() != system.n()) {
      throw Error(fmt::format("a case has {} values, the system {} coordinates", values->size(), system.n()));
    }
    if (!std::all_of(values->begin(), values->end(), [](double x) { return std::isfinite(x); }))
      throw Error(fmt::format("the start of case {} is not finite", number));
  }
}

// Trajectories in lanes and what is made once for all groups of them, whatever their parameters.
template <class S>
struct LanesRun {
  LanesRun(const System& system, const Problem& of_one, const SolveOptions& options, const BatchSink& sink,
           std::span<const ParameterValues> parameters, const BatchCode& code)
      : problem{system, of_one.start, of_one.active, of_one.notes, of_one.not_unique},
        stepper(problem, options, parameters,
                code && code->source.lanes == LaneMath<S>::lanes ? code : nullptr),
        recorder(problem, options, sink, stepper, parameters) {
    if (stepper.code()) recorder.use_code(stepper.code());
  }
  void set_parameters(std::span<const ParameterValues> parameters) {
    stepper.set_parameters(parameters);
    recorder.set_parameters(parameters);
  }
  Problem problem;
  LanesStepper<S> stepper;
  LanesRecorder<S> recorder;
};

constexpr std::size_t wide = 8;
constexpr std::size_t narrow = 4;

bool may_share_lanes(const System& system) {
  return !has_events(system.model()) && system.switches().size() == 0;
}

class Batch {
 public:
  Batch(const System& system, std::span<const BatchCase> cases, const SolveOptions& options,
        const BatchSink& sink, const BatchCode& code, SharedModes modes)
      : system_(system),
        cases_(cases),
        options_(options),
        sink_(sink),
        code_(code),
        modes_(modes ? std::move(modes) : make_shared_modes(system)) {
    report_.cases.resize(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) check(system, cases[i], i);
    if (options.progress) {
      options_.progress = [this, asked = options.progress](const Progress& of_group) {
        const auto share = static_cast<double>(running_) / static_cast<double>(cases_.size());
        const auto before = static_cast<double>(done_) / static_cast<double>(cases_.size());
        return asked({of_group.t, before + share * of_group.fraction, report_.steps + of_group.steps});
      };
    }
  }

  BatchReport run() {
    while (done_ < cases_.size()) {
      const std::size_t rest = cases_.size() - done_;
      prepare(std::min<std::size_t>(rest, rest > narrow ? wide : narrow));
      if (!report_.interrupted) run_group();
      done_ += running_;
      running_ = 0;
      if (!report_.interrupted && done_ < cases_.size()) ask_to_go_on();
    }
    return std::move(report_);
  }

 private:
  // Between groups: short runs ask nobody.
  void ask_to_go_on() {
    const Progress none{options_.start + options_.duration, 0, 0};
    if (options_.progress && !options_.progress(none)) report_.interrupted = true;
  }

  // The next cases; those without a start are reported at once.
  void prepare(std::size_t count) {
    group_.clear();
    running_ = count;
    for (std::size_t i = done_; i < done_ + count; ++i) {
      CaseReport& report = report_.cases[i];
      report.method = options_.method;
      report.start_time = report.end_time = options_.start;
      if (report_.interrupted) {
        leave_out(i);
        continue;
      }
      Trajectory one{i, nullptr, nullptr};
      if (!cases_[i].parameters.empty())
        one.own = std::make_unique<const System>(system_.with_parameters(cases_[i].parameters));
      try {
        one.problem = make_start(one);
        group_.push_back(std::move(one));
      } catch (const Error& error) {
        report.outcome = Outcome::stopped_early;
        report.reason = error.message();
      }
    }
  }

  void leave_out(std::size_t number) {
    report_.cases[number].outcome = Outcome::interrupted;
    report_.cases[number].reason = "interrupted";
  }

  const Problem& base() {
    if (!base_) base_.emplace(make_problem(system_, options_.start));
    return *base_;
  }

  // Cases with parameters of their own are usually like the model; whose start may be none.
  Problem make_problem_of(const System& system) {
    if (!base_ && !has_no_base_) {
      try {
        base();
      } catch (const Error&) {
        has_no_base_ = true;
      }
    }
    return base_ ? make_problem_like(*base_, system, options_.start) : make_problem(system, options_.start);
  }

  std::unique_ptr<Problem> make_start(const Trajectory& one) {
    const BatchCase& given = cases_[one.number];
    const System& system = one.own ? *one.own : system_;
    const bool has_start = !given.q.empty() || !given.v.empty();
    if (!has_start && one.own == nullptr) return std::make_unique<Problem>(base());
    if (!has_start) return std::make_unique<Problem>(make_problem_of(system));
    Start start = base().start;
    start.q = given.q.empty() ? system.given_positions<double>() : given.q;
    start.v = given.v.empty() ? system.given_velocities<double>() : given.v;
    return std::make_unique<Problem>(Problem{system, start, base().active, base().notes, base().not_unique});
  }

  bool can_share_lanes() const {
    const std::size_t rows = system_.m();
    return group_.size() > 1 && may_share_lanes(system_) &&
           std::all_of(group_.begin(), group_.end(),
                       [&](const Trajectory& one) { return one.problem->active.size() == rows; });
  }

  void run_group() {
    if (!can_share_lanes()) {
      for (Trajectory& one : group_) run_alone(one);
    } else if (group_.size() > narrow) {
      run_lanes(wide_);
    } else {
      run_lanes(narrow_);
    }
  }

  // Of every lane, those that are left as the last.
  std::vector<ParameterValues> parameters(std::size_t lanes) const {
    std::vector<ParameterValues> values;
    for (std::size_t i = 0; i < lanes; ++i)
      values.push_back(in_lane(i).problem->system.template parameter_values<double>());
    return values;
  }
  const Trajectory& in_lane(std::size_t i) const { return group_[std::min(i, group_.size() - 1)]; }

  // `run` serves all groups.
  template <class S>
  void run_lanes(std::unique_ptr<LanesRun<S>>& run) {
    const std::vector<ParameterValues> own = parameters(LaneMath<S>::lanes);
    if (run) {
      run->set_parameters(own);
    } else {
      run = std::make_unique<LanesRun<S>>(system_, *group_[0].problem, options_, sink_, own, code_);
    }
    std::vector<S> q(system_.n()), v(system_.n());
    for (std::size_t i = 0; i < LaneMath<S>::lanes; ++i) {
      for (std::size_t j = 0; j < q.size(); ++j) {
        reinterpret_cast<double*>(&q[j])[i] = in_lane(i).problem->start.q[j];
        reinterpret_cast<double*>(&v[j])[i] = in_lane(i).problem->start.v[j];
      }
    }
    LanesStepper<S>& stepper = run->stepper;
    LanesRecorder<S>& recorder = run->recorder;
    recorder.follow(group_);
    if (!stepper.restart(options_.start, q, v)) {
      for (Trajectory& one : group_) run_alone(one);
      return;
    }
    recorder.start();
    const bool parted = !drive(stepper, recorder);
    report_.steps += recorder.report.steps;
    report_.rejected += recorder.rejected();
    for (std::size_t i = 0; i < group_.size(); ++i) {
      std::vector<double>& end_q = report_.cases[group_[i].number].q;
      std::vector<double>& end_v = report_.cases[group_[i].number].v;
      end_q.clear();
      end_v.clear();
      for (const S& x : stepper.last_q()) end_q.push_back(lane(x, i));
      for (const S& x : stepper.last_v()) end_v.push_back(lane(x, i));
      const RunProgress<double> progress = recorder.progress_of(i);
      parted && !report_.interrupted ? go_on_alone(group_[i], progress) : finish(group_[i], progress.report);
    }
  }

  void run_alone(Trajectory& one) {
    if (report_.interrupted) return leave_out(one.number);
    const Problem& problem = *one.problem;
    if (options_.path_watch != nullptr) options_.path_watch->follow(one.number);
    if (has_events(system_.model())) return run_with_its_events(one);
    AdomianStepper<double> stepper(problem, options_);
    const SampleSink<double> sink = sink_of(one);
    MotionRecorder<double> recorder(problem, options_, sink, stepper);
    if (stepper.restart_near(options_.start, problem.start.q, problem.start.v)) {
      recorder.start();
    } else {
      recorder.stop(stepper.reason);
    }
    end_alone(one, stepper, recorder, {});
  }

  void run_with_its_events(const Trajectory& one) {
    CaseReport& report = report_.cases[one.number];
    const SampleSink<double> sink = sink_of(one);
    const auto keep_last = [&](const Sample<double>& sample) {
      report.q.assign(sample.q.begin(), sample.q.end());
      report.v.assign(sample.v.begin(), sample.v.end());
      return !sink || sink(sample);
    };
    const RunReport run = run_with_events(*one.problem, options_, keep_last, modes_);
    report_.steps += run.steps;
    report_.rejected += run.rejected;
    finish(one, run);
  }

  // From where the lanes have parted.
  void go_on_alone(Trajectory& one, const RunProgress<double>& progress) {
    const CaseReport& so_far = report_.cases[one.number];
    if (options_.path_watch != nullptr) options_.path_watch->follow(one.number);
    AdomianStepper<double> stepper(*one.problem, options_);
    const SampleSink<double> sink = sink_of(one);
    MotionRecorder<double> recorder(*one.problem, options_, sink, stepper);
    recorder.go_on_from(progress);
    if (!stepper.restart(progress.report.end_time, so_far.q, so_far.v)) recorder.stop(stepper.reason);
    end_alone(one, stepper, recorder, progress.report);
  }

  // `before` was counted already.
  void end_alone(Trajectory& one, AdomianStepper<double>& stepper, MotionRecorder<double>& recorder,
                 const RunReport& before) {
    drive(stepper, recorder);
    const auto end = stepper.at(stepper.t(), AdomianStepper<double>::Detail::motion);
    report_.cases[one.number].q.assign(end->q.begin(), end->q.end());
    report_.cases[one.number].v.assign(end->v.begin(), end->v.end());
    RunReport report = recorder.finish();
    report_.steps += report.steps - before.steps;
    report_.rejected += report.rejected;
    report.rejected += before.rejected;
    finish(one, report);
  }

  SampleSink<double> sink_of(const Trajectory& one) const {
    if (!sink_) return {};
    return [this, number = one.number](const Sample<double>& sample) {
      sink_({sample, number});
      return true;
    };
  }

  void finish(const Trajectory& one, RunReport report) {
    judge(report, options_);
    report_.interrupted = report_.interrupted || report.outcome == Outcome::interrupted;
    static_cast<RunReport&>(report_.cases[one.number]) = std::move(report);
  }

  const System& system_;
  std::span<const BatchCase> cases_;
  SolveOptions options_;
  const BatchSink& sink_;
  const BatchCode& code_;
  SharedModes modes_;
  std::optional<Problem> base_;  // of the model's own start
  bool has_no_base_ = false;
  std::vector<Trajectory> group_;
  std::size_t done_ = 0, running_ = 0;  // cases
  BatchReport report_;
  std::unique_ptr<LanesRun<Lanes<wide>>> wide_;
  std::unique_ptr<LanesRun<Lanes<narrow>>> narrow_;
};

}  // namespace

BatchCode make_batch_code(const System& system) {
  if (!may_share_lanes(system)) return nullptr;
  std::vector<std::size_t> all(system.m());
  std::iota(all.begin(), all.end(), std::size_t{0});
  LanesSource source = lanes_source(system, all, wide);
  if (source.text.empty()) return nullptr;
  std::string reason;
  BatchCode code = make_lanes_code(std::move(source), reason);
  if (!code) throw Error(fmt::format("no native code: {}", reason));
  return code;
}

SharedModes make_shared_modes(const System& system) {
  return has_events(system.model()) ? std::make_shared<ModeForms>(system.model()) : nullptr;
}

BatchReport solve_batch(const System& system, std::span<const BatchCase> cases, const SolveOptions& options,
                        const BatchSink& sink, const BatchCode& code, SharedModes modes) {
  if (options.method != "adomian")
    throw Error(fmt::format("batches are computed by 'adomian', not by '{}'", options.method));
  SolveOptions all = complete(options);
  all.threads = 1;
  all.estimate_error = false;
  all.dense_output = nullptr;
  refuse_outside_of_inputs(system.model(), all);
  return Batch(system, cases, all, sink, code, std::move(modes)).run();
}

}  // namespace dalembert
