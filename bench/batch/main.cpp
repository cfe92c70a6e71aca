// Trajectories per second: one after the other, and 4 or 8 together in the lanes of SIMD registers. Every
// trajectory of a batch starts from a position of its own; lanes share their steps. First the steps alone,
// then whole runs as a user calls them, which search the start and make their workspaces too: for the end
// alone, and for the thousand samples that runs have by default.
//     bench_batch [tolerance ...]

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/batch.hpp>
#include <dalembert/solve/solve.hpp>

#include "adomian_run.hpp"
#include "timing.hpp"
#include "work_precision.hpp"

namespace dalembert::bench {
namespace {

struct Case {
  const char* model;
  double end_time;
};
constexpr Case cases[] = {
    {"pendulum_cartesian", 10}, {"slider_crank", 1}, {"andrews", 0.03}, {"chain10", 1}, {"car_axis", 3}};

constexpr std::size_t trajectories = 8;
constexpr int repetitions = 20;

class Batch {
 public:
  Batch(const Case& what, double tolerance)
      : system_(read_model(find_model(what.model))),
        active_(system_.m()),
        velocity_(system_.given_velocities<double>()),
        end_time_(what.end_time) {
    std::iota(active_.begin(), active_.end(), std::size_t{0});
    settings_.log_tolerance = std::log(tolerance);
    for (std::size_t i = 0; i < trajectories; ++i) {  // the projection of the start makes them consistent
      starts_.push_back(system_.given_positions<double>());
      starts_.back()[0] += 1e-3 * static_cast<double>(i);
    }
    options_ = options_of(system_.model());
    options_.duration = end_time_;
    options_.tolerance = tolerance;
  }

  /// Of whole runs.
  void set_samples(int count) { options_.output_step = end_time_ / count; }

  struct Outcome {
    double seconds;     // a trajectory
    std::size_t steps;  // of a trajectory
    double difference;  // the largest of an end position from the run alone
  };

  Outcome run_alone() {
    AdomianStep<double, native_lanes> step(system_, active_, settings_);
    ends_.assign(trajectories, {});
    std::size_t steps = 0;
    const auto all = [&] {
      steps = 0;
      for (std::size_t i = 0; i < trajectories; ++i) {
        steps += run_adomian_steps<double, native_lanes>(step, starts_[i], velocity_, end_time_).steps;
        ends_[i].assign(step.q().begin(), step.q().end());
      }
    };
    return {time_runs(all, repetitions).median / trajectories, steps / trajectories, 0};
  }

  template <int lanes>
  Outcome run_together() {
    using S = Lanes<lanes>;
    AdomianStep<S, 1> step(system_, active_, settings_);
    double difference = 0;
    std::size_t steps = 0;
    const auto all = [&] {
      steps = 0;
      for (std::size_t first = 0; first < trajectories; first += lanes) {
        std::vector<S> q(system_.n()), v;
        for (const double speed : velocity_) v.push_back(S{} + speed);
        for (int lane = 0; lane < lanes; ++lane) {
          const std::vector<double>& own = starts_[first + static_cast<std::size_t>(lane)];
          for (std::size_t i = 0; i < q.size(); ++i) q[i][lane] = own[i];
        }
        steps += lanes * run_adomian_steps<S, 1>(step, q, v, end_time_).steps;
        for (int lane = 0; lane < lanes; ++lane) {
          const std::vector<double>& end = ends_[first + static_cast<std::size_t>(lane)];
          for (std::size_t i = 0; i < end.size(); ++i)
            difference = std::max(difference, std::abs(step.q()[i][lane] - end[i]));
        }
      }
    };
    return {time_runs(all, repetitions).median / trajectories, steps / trajectories, difference};
  }

  Outcome run_solve() {
    std::size_t steps = 0;
    const SampleSink<double> sum = [&](const Sample<double>& sample) {
      sum_ += sample.q[0];
      return true;
    };
    const auto one = [&] { steps = solve(system_, options_, sum).steps; };
    return {time_runs(one, trajectories * repetitions).median, steps, 0};
  }

  Outcome run_solve_batch(std::size_t count) {
    std::vector<BatchCase> cases(count);
    for (std::size_t i = 0; i < count; ++i) cases[i].q = starts_[i % trajectories];
    std::size_t steps = 0;
    const BatchSink sum = [&](const BatchSample& sample) { sum_ += sample.q[0]; };
    const auto all = [&] { steps = solve_batch(system_, cases, options_, sum).steps; };
    const double seconds = time_runs(all, repetitions).median;
    return {seconds / static_cast<double>(count), steps / std::max<std::size_t>(count / trajectories, 1), 0};
  }

 private:
  System system_;
  SolveOptions options_;
  std::vector<std::size_t> active_;
  std::vector<std::vector<double>> starts_;
  std::vector<double> velocity_;
  double end_time_;
  StepSettings settings_{};
  double sum_ = 0;  // of what the samples say
  std::vector<std::vector<double>> ends_;
};

void print(const char* model, const char* name, double tolerance, const Batch::Outcome& outcome,
           double alone) {
  std::printf("%-20s %-20s %9.0e %14.0f %9.2f %8zu %12.1e\n", model, name, tolerance, 1 / outcome.seconds,
              alone / outcome.seconds, outcome.steps, outcome.difference);
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  using namespace dalembert;
  using namespace dalembert::bench;
  std::vector<double> tolerances;
  for (int i = 1; i < argc; ++i) tolerances.push_back(std::atof(argv[i]));
  if (tolerances.empty()) tolerances = {1e-6, 1e-9, 1e-12};
  print_environment("Dalembert alone");
  std::printf("%-20s %-20s %9s %14s %9s %8s %12s\n", "", "", "tolerance", "trajectories/s", "speed-up",
              "steps", "difference");
  for (const Case& what : cases) {
    for (const double tolerance : tolerances) {
      Batch batch(what, tolerance);
      const Batch::Outcome alone = batch.run_alone();
      print(what.model, "one at a time", tolerance, alone, alone.seconds);
      print(what.model, "4 lanes", tolerance, batch.run_together<4>(), alone.seconds);
      print(what.model, "8 lanes", tolerance, batch.run_together<8>(), alone.seconds);
      for (const int samples : {1, 1000}) {
        batch.set_samples(samples);
        const char* const name = samples == 1 ? "" : ", sampled";
        const auto print_run = [&](const char* call, const Batch::Outcome& outcome, double reference) {
          print(what.model, (std::string(call) + name).c_str(), tolerance, outcome, reference);
        };
        const Batch::Outcome solved = batch.run_solve();
        print_run("solve", solved, solved.seconds);
        print_run("batch of 4", batch.run_solve_batch(4), solved.seconds);
        print_run("batch of 8", batch.run_solve_batch(8), solved.seconds);
        print_run("batch of 64", batch.run_solve_batch(64), solved.seconds);
      }
    }
  }
}
