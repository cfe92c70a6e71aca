// The program of the Adomian recursion: that of M, f, C, c, and the sums on the right-hand sides,
//
//   force_k      = f_k − Σ_{j=1..k} ( M_j a_{k−j} + D_jᵀ λ_{k−j} + B_jᵀ N_{k−j} )    with stage velocity
//   constraint_k = c_k + Σ_{j=1..k} C_j v_{k−j}                           with stage position
//
// as past products: they need neither a_k and λ_k, nor v_k. Terms of one row with the same left factor share
// one product with a combination of the right factors; equal products are computed once for all rows.
#pragma once

#include <memory>
#include <vector>

#include <dalembert/expr/flat_expressions.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/program.hpp>
#include <dalembert/tape/series_plan.hpp>

namespace dalembert {

struct ExpansionProgram {
  Program program;  ///< registers as in the system's dynamics program, and more; inputs t, q, v, a, λ, N
  std::shared_ptr<const SeriesPlan> plan;  ///< of the sums of the recursion, for one thread
  std::vector<double> constants;           ///< of the program, with the model's own parameters
  FlatExpressions flat_constants;          ///< the same as expressions
  std::vector<Register> force;             ///< n, from order 1 on; no_register where zero
  std::vector<Register> constraint;        ///< m, likewise
};

/// Without plan and constants, which System::expansion_program() has.
ExpansionProgram make_expansion_program(const System& system);

/// The registers whose coefficients of order 1 and more enter the recursion.
std::vector<Register> wanted_registers(const ExpansionProgram& p);

}  // namespace dalembert
