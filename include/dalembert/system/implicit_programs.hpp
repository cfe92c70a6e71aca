// What implicit methods evaluate: residuals of the equations of motion and their exact derivatives.
//
//   r = M a + Dᵀ λ − f                            equations of motion
//   s = [ g ; A v + b ],  C v + c  or  C a − γ    constraints at the level of positions, velocities,
//   accelerations
//
// Newton's method needs ∂r/∂q, ∂r/∂v, ∂r/∂a = M, ∂r/∂λ = Dᵀ, ∂s/∂q, ∂s/∂v and, for accelerations, ∂s/∂a = C.
// Derivatives are taken on the graph, row by row in reverse mode; only structural non-zeros are stored.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <vector>

#include <dalembert/system/system.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

enum class ConstraintLevel { position, velocity, acceleration };

/// Inputs t, q, v, a, λ.
struct ResidualProgram {
  Program program;
  std::vector<Scaled> r;  ///< n
  std::vector<Scaled> s;  ///< m
};

/// Inputs t, q, v, a, λ. Rows n (r) and m (s), columns n.
struct JacobianProgram {
  Program program;
  std::vector<MatrixEntry> M, r_q, r_v;
  std::vector<MatrixEntry> C, D, s_q, s_v;
};

/// Momenta π = ∂K/∂v and the forces F on them, dπ/dt = F − Cᵀ λ, for symplectic methods. Inputs t, q, v.
///   from energies:  F = ∂K/∂q − ∂V/∂q − ∂R/∂v + Q
///   from matrices:  π = M v,  F = f + (dM/dt) v, where M does not depend on v
struct MomentumProgram {
  Program program;
  std::vector<Scaled> momentum, force;
  std::vector<MatrixEntry> M, momentum_q;  ///< ∂π/∂v, ∂π/∂q
  std::vector<MatrixEntry> force_q, force_v;
  std::vector<Scaled> g, c;
  std::vector<MatrixEntry> C, D;  ///< D stays empty: it is C
};

/// Compiled when first asked for, each on a graph of its own.
class ImplicitPrograms {
 public:
  const ResidualProgram& residual(const System& system, ConstraintLevel level);
  const JacobianProgram& jacobian(const System& system, ConstraintLevel level);
  const MomentumProgram& momentum(const System& system);

 private:
  std::mutex mutex_;
  std::array<std::optional<ResidualProgram>, 3> residual_;
  std::array<std::optional<JacobianProgram>, 3> jacobian_;
  std::optional<MomentumProgram> momentum_;
};

/// Whether an entry of the mass matrix depends on a velocity.
bool mass_depends_on_velocity(const Equations& equations);

}  // namespace dalembert
