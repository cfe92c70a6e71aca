#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/solve/runge_kutta_table.hpp>

#include "runge_kutta/dop853_table.hpp"

namespace dalembert {
namespace {

using Row = RungeKuttaTable::Row;

RungeKuttaTable euler() {
  RungeKuttaTable table;
  table.name = "euler";
  table.title = "Euler's method, order 1";
  table.order = 1;
  table.stages = 1;
  table.c = {0};
  table.a = {{}};
  table.b = {{0, 1}};
  return table;
}

RungeKuttaTable heun() {  // (14) in [beshaw], without its misprint
  RungeKuttaTable table;
  table.name = "heun";
  table.title = "Heun's method, order 2";
  table.order = 2;
  table.stages = 2;
  table.c = {0, 1};
  table.a = {{}, {{0, 1}}};
  table.b = {{0, 0.5}, {1, 0.5}};
  return table;
}

RungeKuttaTable kutta3() {  // (17) in [beshaw]
  RungeKuttaTable table;
  table.name = "kutta3";
  table.title = "Kutta's method of order 3";
  table.order = 3;
  table.stages = 3;
  table.c = {0, 0.5, 1};
  table.a = {{}, {{0, 0.5}}, {{0, -1}, {1, 2}}};
  table.b = {{0, 1.0 / 6}, {1, 2.0 / 3}, {2, 1.0 / 6}};
  return table;
}

RungeKuttaTable rk4() {
  RungeKuttaTable table;
  table.name = "rk4";
  table.title = "the classical Runge-Kutta method, order 4";
  table.order = 4;
  table.stages = 4;
  table.c = {0, 0.5, 0.5, 1};
  table.a = {{}, {{0, 0.5}}, {{1, 0.5}}, {{2, 1}}};
  table.b = {{0, 1.0 / 6}, {1, 1.0 / 3}, {2, 1.0 / 3}, {3, 1.0 / 6}};
  return table;
}

// [hairer1993], II.4 and II.6
RungeKuttaTable dopri5() {
  RungeKuttaTable table;
  table.name = "dopri5";
  table.title = "Dormand & Prince, order 5(4), adaptive";
  table.order = 5;
  table.stages = 7;
  table.c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  table.b = {{0, 35.0 / 384}, {2, 500.0 / 1113}, {3, 125.0 / 192}, {4, -2187.0 / 6784}, {5, 11.0 / 84}};
  table.a = {
      {},
      {{0, 1.0 / 5}},
      {{0, 3.0 / 40}, {1, 9.0 / 40}},
      {{0, 44.0 / 45}, {1, -56.0 / 15}, {2, 32.0 / 9}},
      {{0, 19372.0 / 6561}, {1, -25360.0 / 2187}, {2, 64448.0 / 6561}, {3, -212.0 / 729}},
      {{0, 9017.0 / 3168}, {1, -355.0 / 33}, {2, 46732.0 / 5247}, {3, 49.0 / 176}, {4, -5103.0 / 18656}},
      table.b,
  };
  table.last_is_next = true;
  table.error_order = 4;
  table.error = {{0, 71.0 / 57600},      {2, -71.0 / 16695}, {3, 71.0 / 1920},
                 {4, -17253.0 / 339200}, {5, 22.0 / 525},    {6, -1.0 / 40}};
  table.pi_gain = 0.04;
  table.dense_order = 4;
  table.dense = {{{0, -12715105075.0 / 11282082432.0},
                  {2, 87487479700.0 / 32700410799.0},
                  {3, -10690763975.0 / 1880347072.0},
                  {4, 701980252875.0 / 199316789632.0},
                  {5, -1453857185.0 / 822651844.0},
                  {6, 69997945.0 / 29380423.0}}};
  return table;
}

}  // namespace

std::span<const RungeKuttaTable> runge_kutta_tables() {
  static const std::vector<RungeKuttaTable> tables{euler(), heun(),   kutta3(),
                                                   rk4(),   dopri5(), make_dop853_table()};
  return tables;
}

const RungeKuttaTable& find_runge_kutta(std::string_view name) {
  std::vector<std::string> names;
  for (const RungeKuttaTable& table : runge_kutta_tables()) {
    if (table.name == name) return table;
    names.emplace_back(table.name);
  }
  throw Error(fmt::format("there is no Runge-Kutta method '{}'{}", name, suggestion(name, names)));
}

// The stages of y' = λ y with y = 1 are polynomials in z: K_i = 1 + z Σ a_ij K_j, R = 1 + z Σ b_i K_i.
std::vector<double> stability_polynomial(const RungeKuttaTable& table) {
  const auto degree = static_cast<std::size_t>(table.stages) + 1;
  const auto one_plus_z_times = [&](const Row& row, const std::vector<std::vector<double>>& stages) {
    std::vector<double> polynomial(degree + 1, 0);
    polynomial[0] = 1;
    for (const auto& [stage, weight] : row) {
      const std::vector<double>& k = stages[static_cast<std::size_t>(stage)];
      for (std::size_t power = 0; power < degree; ++power) polynomial[power + 1] += weight * k[power];
    }
    return polynomial;
  };
  std::vector<std::vector<double>> stages;
  for (const Row& row : table.a) stages.push_back(one_plus_z_times(row, stages));
  std::vector<double> result = one_plus_z_times(table.b, stages);
  while (result.size() > 1 && result.back() == 0) result.pop_back();
  return result;
}

double real_stability_limit(const RungeKuttaTable& table) {
  const std::vector<double> polynomial = stability_polynomial(table);
  const auto stable = [&](double x) {
    double value = 0;
    for (std::size_t power = polynomial.size(); power-- > 0;) value = value * -x + polynomial[power];
    return std::abs(value) <= 1;
  };
  // finer than any gap of a stability region along a ray of the tables here; what is found is bisected
  constexpr double scan = 1e-3;
  double low = scan;
  while (stable(low + scan)) low += scan;
  double high = low + scan;
  while (high - low > 1e-15 * high) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (stable(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace dalembert
