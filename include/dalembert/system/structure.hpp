// The structure of a system at its start: degrees of freedom, index, dependent constraints, missing inertia.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <dalembert/system/start.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

/// A constraint whose row of C is Σ coefficients[k] · (row others[k]); without others its row vanishes.
struct DependentConstraint {
  std::size_t constraint;
  std::vector<std::size_t> others;
  std::vector<double> coefficients;
};

/// Dependent rows whose right-hand sides do not fit together.
struct Contradiction {
  DependentConstraint rows;
  double mismatch = 0;
};

struct Inertia {
  /// Coordinates that take part in motions which the constraints allow and which have no inertia.
  std::vector<std::size_t> missing;
  /// Coordinates of motions which the constraints allow and whose kinetic energy is negative.
  std::vector<std::size_t> negative;
};

struct Structure {
  std::size_t rank = 0;           ///< of C
  std::size_t position_rank = 0;  ///< of G
  double smallest_pivot = 1;      ///< how near C is to losing rank: 1 well conditioned, 1e-10 dependent

  std::vector<DependentConstraint> redundant;  ///< dependent here and around here
  std::vector<DependentConstraint> singular;   ///< dependent here, independent around here
  std::vector<Contradiction> contradictions;   ///< at the level of accelerations
  Inertia inertia;
  std::vector<double> row_sizes;  ///< the largest norm of each row of C around here

  std::size_t degrees_of_freedom = 0;     ///< n − rank C: velocities that may be given
  std::size_t configuration_freedom = 0;  ///< n − rank G: positions that may be given
  /// A well-conditioned choice of them; none is made for large systems.
  std::vector<std::size_t> free_positions;
  std::vector<std::size_t> free_velocities;

  /// Differentiation index: how often the equations must be differentiated until they are an ordinary
  /// differential equation for q, v and λ.
  ///   3  holonomic constraints
  ///   2  only nonholonomic constraints
  ///   1  no constraints; motions without inertia whose velocity the forces determine (a damper without mass)
  ///   0  no constraints, regular mass matrix
  /// None where motions without inertia remain undetermined or the equations contradict each other.
  std::optional<int> index;
};

/// Never throws for a defect: it is what the structure tells.
Structure analyse_structure(const System& system, const Start& start);

/// The inertia at the start of a system that differs from another one by its parameters, whose rows of C are
/// of `row_sizes` around its start. Nothing where the rows are not clearly independent beside these, or a
/// motion has no inertia: analyse_structure() tells more.
std::optional<Inertia> find_usual_inertia(const System& system, const Start& start,
                                          std::span<const double> row_sizes);

}  // namespace dalembert
