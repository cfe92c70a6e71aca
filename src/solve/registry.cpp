// The methods by name, and which options each of them takes.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/solve/solve.hpp>

#include "methods/adomian.hpp"
#include "methods/augmented_lagrangian.hpp"
#include "methods/bdf.hpp"
#include "methods/explicit.hpp"
#include "methods/generalized_alpha.hpp"
#include "methods/ndf.hpp"
#include "methods/nullspace.hpp"
#include "methods/partition.hpp"
#include "methods/rattle.hpp"

namespace dalembert {
namespace {

// Options beside those that every method takes.
using Keys = std::span<const std::string_view>;
constexpr std::array<std::string_view, 7> of_all{"method", "start",    "duration", "output_step",
                                                 "times",  "max_step", "max_steps"};
constexpr std::array<std::string_view, 6> of_adomian{"tolerance", "order",  "digits",
                                                     "threads",   "native", "projection"};
constexpr std::array<std::string_view, 5> of_constant_explicit{"step", "projection", "stabilization", "alpha",
                                                               "beta"};
constexpr std::array<std::string_view, 5> of_adaptive_explicit{"tolerance", "projection", "stabilization",
                                                               "alpha", "beta"};
constexpr std::array<std::string_view, 7> of_reduced{"runge_kutta",   "tolerance", "step", "projection",
                                                     "stabilization", "alpha",     "beta"};
constexpr std::array<std::string_view, 3> of_partition{"runge_kutta", "tolerance", "step"};
constexpr std::array<std::string_view, 3> of_bdf{"tolerance", "order", "index_form"};
constexpr std::array<std::string_view, 4> of_ndf{"tolerance", "order", "index_form", "formula"};
constexpr std::array<std::string_view, 1> of_rattle{"step"};
constexpr std::array<std::string_view, 2> of_generalized_alpha{"step", "rho"};

std::string refuse_adomian(const Problem&, const SolveOptions& options) {
  return options.order == 0 || options.order >= 4 ? "" : "needs at least order 4";
}

constexpr std::array all_methods{
    Method{"adomian",
           "multistage Adomian decomposition: series of high order, projected onto the constraints",
           of_adomian,
           1e-15,  // what doubles can hold
           run_adomian, run_adomian_digits, refuse_adomian},
    Method{"euler", "Euler's method, order 1, constant step", of_constant_explicit, 0, run_euler, nullptr,
           refuse_linear, true},
    Method{"heun", "Heun's method, order 2, constant step", of_constant_explicit, 0, run_heun, nullptr,
           refuse_linear, true},
    Method{"kutta3", "Kutta's method of order 3, constant step", of_constant_explicit, 0, run_kutta3, nullptr,
           refuse_linear, true},
    Method{"rk4", "the classical Runge-Kutta method, order 4, constant step", of_constant_explicit, 0,
           run_rk4, nullptr, refuse_linear, true},
    Method{"dopri5", "Runge-Kutta method of Dormand & Prince, order 5(4), adaptive", of_adaptive_explicit,
           1e-9, run_dopri5, nullptr, refuse_linear, true},
    Method{"dop853", "Runge-Kutta method of Dormand & Prince, order 8(5,3), adaptive", of_adaptive_explicit,
           1e-9, run_dop853, nullptr, refuse_linear, true},
    Method{"nullspace", "multipliers eliminated by a basis of the kernel of C; any Runge-Kutta method",
           of_reduced, 1e-9, run_nullspace, nullptr, refuse_nullspace, false, false},
    Method{"partition", "independent coordinates alone (Wehage & Haug); any Runge-Kutta method", of_partition,
           1e-9, run_partition, nullptr, refuse_partition, false, false},
    Method{"augmented_lagrangian", "Bayo's penalties with iteration and projections; any Runge-Kutta method",
           of_reduced, 1e-9, run_augmented_lagrangian, nullptr, refuse_augmented_lagrangian, false, false},
    Method{"bdf", "backward differentiation formulas of order 1 to 5 (SUNDIALS IDA), exact Jacobians", of_bdf,
           1e-9, run_bdf, nullptr, refuse_bdf},
    Method{"ndf", "numerical differentiation formulas of order 1 to 5, as in ode15s, exact Jacobians", of_ndf,
           1e-8, run_ndf, nullptr, refuse_ndf},
    Method{"rattle", "RATTLE, order 2, constant step: symplectic and symmetric, for holonomic constraints",
           of_rattle, 0, run_rattle, nullptr, refuse_rattle, false, false},
    Method{"generalized_alpha", "generalized-alpha method on the index-3 equations, order 2, constant step",
           of_generalized_alpha, 0, run_generalized_alpha, nullptr, refuse_generalized_alpha},
};

bool has(Keys keys, std::string_view key) { return std::ranges::find(keys, key) != keys.end(); }

}  // namespace

std::span<const Method> methods() { return all_methods; }

const Method& find_method(std::string_view name) {
  std::vector<std::string> names;
  for (const Method& method : all_methods) {
    if (method.name == name) return method;
    names.emplace_back(method.name);
  }
  throw Error(fmt::format("there is no method '{}'{}", name, suggestion(name, names)));
}

bool takes(const Method& method, const Option& option) {
  return has(of_all, option.key) || has(method.options, option.key);
}

bool is_common(const Option& option) { return has(of_all, option.key); }

std::vector<std::string> methods_with(const Option& option) {
  std::vector<std::string> names;
  for (const Method& method : all_methods)
    if (takes(method, option)) names.emplace_back(method.name);
  return names;
}

bool has_constant_step(const SolveOptions& options) {
  return find_method(options.method).tolerance == 0 ||
         (!options.runge_kutta.empty() && takes(find_method(options.method), *find_option("runge_kutta")) &&
          find_method(options.runge_kutta).tolerance == 0);
}

}  // namespace dalembert
