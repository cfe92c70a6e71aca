// Three small models over 10 s: Dalembert, DOP853, and heyoka where it is there.
//     bench_small [a Python that has heyoka, or "" [part of a model's name]]

#include <cstdio>
#include <string>
#include <vector>

#include "adomian.hpp"
#include "small/problems.hpp"

namespace {

// What each reaches with the tolerances that were tried; the references have more digits.
void print_least_errors(const std::vector<dalembert::bench::Measured>& all) {
  std::printf("\n%-34s %9s %9s %11s\n", "least error", "error", "tolerance", "median ms");
  for (const dalembert::bench::Measured& measured : all) {
    const dalembert::bench::Point* best = nullptr;
    for (const dalembert::bench::Point& point : measured.points) {
      if (point.result.finished && (best == nullptr || point.result.error < best->result.error))
        best = &point;
    }
    if (best == nullptr) continue;
    std::printf("%-34s %9.2e %9.1e %11.4f\n", measured.name.c_str(), best->result.error, best->tolerance,
                1e3 * best->timing.median);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace dalembert::bench;
  const std::string python = argc > 1 ? argv[1] : "", filter = argc > 2 ? argv[2] : "";
  print_environment("heyoka of PyPI");
  for (const small::Problem& problem : small::problems()) {
    if (problem.model.find(filter) == std::string::npos) continue;
    std::printf("\n%s\n", problem.model.c_str());
    print_table_head("position");
    std::vector<Measured> all;
    AdomianProblem own{problem.model, {}, small::end_time, {}};
    own.judge = [&](bool finished, auto q, auto v, auto, long steps, long rejected) {
      const small::State y{q[0], q[1], v[0], v[1]};
      return small::judge(problem, finished, y, steps, rejected);
    };
    for (const Contestant& contestant : adomian_contestants(own)) all.push_back(measure(contestant));
    all.push_back(measure(small::dop853_contestant(problem)));
    for (Measured& measured : small::measure_heyoka(problem, python)) all.push_back(std::move(measured));
    for (const Measured& measured : all) print_points(measured);
    print_equal_error(all, {1e-6, 1e-9, 1e-12, 1e-15});
    print_least_errors(all);
  }
}
