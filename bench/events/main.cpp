// Events: Hénon-Heiles at 1e-15 without events, with one that never happens and with the section x = 0,
// beside heyoka; a bouncing ball beside its closed form and Siconos. Runs as a user's: `solve` with its
// energies and checks.
//     bench_events [a Python that has heyoka, or "" [a Python that has siconos]]

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>

#include "timing.hpp"
#include "work_precision.hpp"

namespace dalembert::bench {
namespace {

constexpr int repetitions = 20;

struct Case {
  const char* name;
  const char* event;
};
constexpr Case cases[]{{"none", ""},
                       {"never", "\n[[event]]\nname = \"never\"\nwhen = \"x - 2\"\n"},
                       {"section", "\n[[event]]\nname = \"section\"\nwhen = \"x\"\n"}};

// The program alone, and by compiled code.
void measure_henon_heiles() {
  const std::string text = read_text(DALEMBERT_BENCH_EVENTS "/henon_heiles.toml");
  for (const char* native : {"off", "on"}) {
    std::vector<std::function<void()>> calls;
    std::vector<RunReport> reports(std::size(cases));
    std::vector<System> systems;
    for (const Case& one : cases) systems.emplace_back(read_model_text(text + one.event));
    for (std::size_t i = 0; i < std::size(cases); ++i) {
      calls.emplace_back([&, i] {
        SolveOptions options = options_of(systems[i].model());
        options.native = native;
        reports[i] = solve(systems[i], options, SampleSink<double>());
      });
    }
    const std::vector<Timing> timings = time_in_turn(calls, repetitions);
    for (std::size_t i = 0; i < std::size(cases); ++i) {
      std::printf("| dalembert, native %s, %s | %ld | %zu | %.3g | %.3g | %.0f %% |\n", native, cases[i].name,
                  static_cast<long>(reports[i].steps), reports[i].events.size(), 1e3 * timings[i].median,
                  1e3 * timings[i].minimum, 100 * (timings[i].minimum / timings[0].minimum - 1));
    }
  }
}

void run_rival(const std::string& python, const char* script, const char* name) {
  if (python.empty()) {
    std::fprintf(stderr, "%s is left out: no Python that has it was named\n", name);
    return;
  }
  std::fflush(stdout);
  const std::string command = fmt::format("'{}' '{}/{}'", python, DALEMBERT_BENCH_EVENTS, script);
  if (std::system(command.c_str()) != 0) std::fprintf(stderr, "%s failed\n", name);
}

// Height and velocity at 3 s of the shipped ball, from its flights.
std::pair<double, double> exact_ball(double end) {
  constexpr double gravity = 9.81, restitution = 0.9, height = 1;
  double t = std::sqrt(2 * height / gravity), speed = gravity * t;
  for (;;) {
    speed *= restitution;
    const double flight = 2 * speed / gravity;
    if (t + flight > end) break;
    t += flight;
  }
  const double s = end - t;
  return {speed * s - gravity * s * s / 2, speed - gravity * s};
}

void measure_ball() {
  const System system(read_model_text(R"toml(
[coordinates]
y = { position = 1, velocity = 0 }
[energy]
kinetic = "y'^2/2"
potential = "9.81*y"
[[contact]]
name = "floor"
gap = "y"
restitution = 0.9
)toml"));
  const auto [q, v] = exact_ball(3);
  RunReport report;
  double y = 0, u = 0;
  const Timing timing = time_runs(
      [&] {
        SolveOptions options = options_of(system.model());
        options.duration = options.output_step = 3;
        report = solve(system, options, SampleSink<double>([&](const Sample<double>& sample) {
                         y = sample.q[0];
                         u = sample.v[0];
                         return true;
                       }));
      },
      repetitions);
  std::printf("| dalembert | %ld | %.3g | %.3g | %.1e | %.1e |\n", static_cast<long>(report.steps),
              1e3 * timing.median, 1e3 * timing.minimum, std::abs(y - q), std::abs(u - v));
}

}  // namespace
}  // namespace dalembert::bench

int main(int argc, char** argv) {
  using namespace dalembert::bench;
  const std::string heyoka = argc > 1 ? argv[1] : "", siconos = argc > 2 ? argv[2] : "";
  print_environment("heyoka of PyPI, Siconos of Debian");
  std::printf("\nHénon-Heiles, 2000 units of time at 1e-15\n");
  std::printf(
      "| run, event | steps | found | median in ms | minimum | over none |\n|---|---|---|---|---|---|\n");
  measure_henon_heiles();
  run_rival(heyoka, "heyoka_events.py", "heyoka");
  std::printf("\nA ball from 1 m, restitution 0.9, after 3 s\n");
  std::printf("| run | steps | median in ms | minimum | error of y | of y' |\n|---|---|---|---|---|---|\n");
  measure_ball();
  run_rival(siconos, "siconos_ball.py", "Siconos");
}
