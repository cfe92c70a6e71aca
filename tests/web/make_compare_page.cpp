// Writes a page that compares two methods whose numbers are known: make_compare_page OUT.html
#include <cmath>
#include <cstddef>

#include <dalembert/model/builder.hpp>
#include <dalembert/output/page.hpp>

int main(int, char** argv) {
  using namespace dalembert;
  Comparison comparison;
  comparison.reference = "a run of adomian with 40 digits";
  comparison.methods = {{"adomian", {}, {}}, {"rk4", {}, {}}};
  Comparison::Drift drift;
  for (int i = 0; i <= 100; ++i) {
    drift.t.push_back(0.1 * i);
    drift.position.push_back(1e-9 * i * i);
    drift.velocity.push_back(1e-8 * i);
    drift.energy.push_back(1e-7 * i);
  }
  comparison.methods[1].drift = drift;
  for (int k = 3; k <= 12; k += 3) {
    const double tolerance = std::pow(10.0, -k);
    const auto steps = static_cast<std::size_t>(100 * k);
    comparison.methods[0].runs.push_back({tolerance, 1e-4 * k, steps, 0.1 * tolerance});
    comparison.methods[1].runs.push_back({tolerance, 1e-4 * std::pow(tolerance, -0.25), steps, tolerance});
  }
  RunRecord record(ModelBuilder("Two methods").coordinate("x", {.position = 1}).kinetic("x'^2/2").build());
  record.generator = "make_compare_page";
  Page page(record);
  page.has_run = false;
  page.comparison = comparison;
  write_page(argv[1], page);
}
