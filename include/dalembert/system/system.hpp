// What a solver sees of a model: its equations compiled to programs.
//
//   M(q,v,t) a = f(q,v,t) − D(q,v,t)ᵀ λ,   g(q,t) = 0,   C v + c = 0,   C a = γ(q,v,t)
//
// with D = C unless forces depend on multipliers; from the right side goes Bᵀ N where they depend on sizes N
// =
// |(λ_i, λ_j, ...)|. The only matrix that is ever factored is the saddle-point
// (KKT) matrix [M Dᵀ; C 0], by numbers; M⁻¹ is
// never formed symbolically.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <dalembert/derive/determined_velocities.hpp>
#include <dalembert/derive/equations.hpp>
#include <dalembert/system/switch_program.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

/// A sparse matrix of program outputs.
struct MatrixEntry {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  Scaled value;
};

/// M, f, C, D, B, c, g: all that a series expansion and the projection need. Inputs t, q, v.
struct DynamicsProgram {
  Program program;
  std::vector<MatrixEntry> M;
  std::vector<Scaled> f;
  std::vector<MatrixEntry> C;
  std::vector<MatrixEntry> D;  ///< by rows of C; empty where it is C
  std::vector<MatrixEntry> B;  ///< by sizes of multipliers
  std::vector<Scaled> c;
  std::vector<Scaled> g;
};

/// M, f, C, D, B, c, g, γ: all that a method on accelerations needs at a state. Inputs t, q, v.
struct StateProgram {
  Program program;
  std::vector<MatrixEntry> M;
  std::vector<Scaled> f;
  std::vector<MatrixEntry> C;
  std::vector<MatrixEntry> D;  ///< by rows of C; empty where it is C
  std::vector<MatrixEntry> B;  ///< by sizes of multipliers
  std::vector<Scaled> c;
  std::vector<Scaled> g;
  std::vector<Scaled> gamma;
};

/// g alone. Inputs t, q.
struct PositionProgram {
  Program program;
  std::vector<Scaled> g;
};

/// What is reported besides the motion. Inputs t, q, v, a, λ.
struct ObservableProgram {
  Program program;
  Scaled K, V;
  std::vector<Scaled> outputs;
};

/// The balance of energy, d/dt energy = power. Inputs t, q, v, a, λ.
///   from energies:  energy = v·∂K/∂v − K + V,  power = Q·v − v·∂R/∂v + λ·c − ∂K/∂t + ∂V/∂t
///   from matrices:  energy = vᵀ M v / 2,       power = v·f + λ·c + vᵀ (dM/dt) v / 2
struct EnergyProgram {
  Program program;
  Scaled energy;
  Scaled power;
  Scaled kinetic;             ///< K, for the scale
  bool conservative = false;  ///< the power is zero
};

/// The functions of events, the gaps of contacts, what signs are held of, and how friction is. Inputs t, q,
/// v, a, λ.
struct EventProgram {
  struct Functions {
    std::vector<Scaled> when, values;  ///< of Event::when and Event::set
  };
  struct FrictionFunctions {
    std::vector<Scaled> margins, slips;
    Scaled speed;
  };
  Program program;
  std::vector<Functions> events;
  std::vector<Scaled> gaps;
  std::vector<Scaled> held_arguments;
  std::vector<FrictionFunctions> frictions;
};

/// Of a parameter, or of a sign that is held.
using NamedValue = std::pair<std::string, double>;

struct ExpansionProgram;
class FlatExpressions;
class ValueTape;
class ImplicitPrograms;
struct SeriesPlan;

class System {
 public:
  /// Compiles the equations; also refuses what no method can treat.
  explicit System(const Equations& equations);
  explicit System(const Model& model) : System(derive_equations(model)) {}
  /// The same equations with other values of some parameters, and of those that follow from them; nothing is
  /// derived or compiled. Throws Error for a name that is none.
  System with_parameters(std::span<const NamedValue> values) const;
  /// With the polynomials that the inputs follow behind time t, or before it; those of the model's start
  /// else. Nothing is derived or compiled.
  System with_inputs_at(double t, bool before = false) const;
  bool has_inputs() const { return !model().inputs.empty(); }
  /// The values that with_parameters() has set.
  std::vector<NamedValue> given_parameters() const;
  bool has_models_parameters() const { return given_.empty() && !has_inputs(); }

  /// With the rows of determined_velocities() in M and f.
  const Equations& equations() const { return parts_->equations; }
  /// Coordinates without inertia whose velocities the forces determine.
  const DeterminedVelocities& determined_velocities() const { return parts_->determined; }
  const ModelData& model() const { return *parts_->equations.model; }
  std::size_t n() const { return parts_->equations.n(); }
  std::size_t m() const { return parts_->equations.m(); }
  std::size_t holonomic() const { return parts_->equations.g.size(); }
  /// No force depends on multipliers.
  bool is_symmetric() const { return parts_->equations.is_symmetric; }

  /// The multipliers of each size that forces depend on.
  const std::vector<std::vector<std::uint32_t>>& sizes() const { return parts_->equations.sizes; }

  const std::string& coordinate_name(std::size_t i) const { return model().coordinates[i].name; }
  const std::string& constraint_name(std::size_t j) const {
    return j < holonomic() ? model().holonomic[j].name : model().nonholonomic[j - holonomic()].name;
  }

  const DynamicsProgram& dynamics() const { return parts_->dynamics; }
  const StateProgram& state() const { return parts_->state; }
  const PositionProgram& position() const { return parts_->position; }
  const ObservableProgram& observables() const { return parts_->observables; }
  const EnergyProgram& energy() const { return parts_->energy; }
  const SwitchProgram& switches() const { return parts_->switches; }
  const EventProgram& events() const { return parts_->events; }
  /// The program of the Adomian recursion, made when first asked for.
  const ExpansionProgram& expansion_program() const;
  /// The plans of a program, for all orders and for order 0 alone. Of the programs above they are made when
  /// first asked for, and shared.
  std::shared_ptr<const SeriesPlan> series_plan(const Program& program) const;
  std::shared_ptr<const SeriesPlan> value_plan(const Program& program) const;
  /// Residuals and their exact derivatives, compiled when first asked for.
  ImplicitPrograms& implicit_programs() const { return *parts_->implicit; }

  /// Registers of the inputs within any of the programs' input lists: t, q_i, v_i, a_i, λ_j.
  static std::size_t input_t() { return 0; }
  std::size_t input_q(std::size_t i) const { return 1 + i; }
  std::size_t input_v(std::size_t i) const { return 1 + n() + i; }
  std::size_t input_a(std::size_t i) const { return 1 + 2 * n() + i; }
  std::size_t input_lambda(std::size_t j) const { return 1 + 3 * n() + j; }
  /// Of the program of the recursion: sizes of multipliers.
  std::size_t input_size(std::size_t p) const { return 1 + 3 * n() + m() + p; }

  /// The parameters' values in any scalar, by the node of their symbol.
  template <class S>
  std::unordered_map<NodeId, S> parameter_values() const;

  /// The values of a program's constants; the program is any that was compiled from these equations.
  template <class S>
  std::vector<S> constants(const Program& program) const;

  /// The same in doubles with other values of the parameters.
  std::vector<double> constants(const Program& program,
                                const std::unordered_map<NodeId, double>& parameters) const;
  /// The program's values in doubles, with constants that are to be set: made when first asked for, and
  /// shared. Null where the program is none of those above.
  std::shared_ptr<const ValueTape> value_tape(const Program& program) const;

  /// g; C v + c as c and the entries of C in their order; γ: as expressions, made when first asked for.
  const FlatExpressions& flat_positions() const;
  const FlatExpressions& flat_velocities() const;
  const FlatExpressions& flat_accelerations() const;

  /// The start values as given: position and velocity of each coordinate.
  template <class S>
  std::vector<S> given_positions() const;
  template <class S>
  std::vector<S> given_velocities() const;

  /// Calls of abs, sign, min, max in the equations of motion, as text.
  const std::vector<std::string>& non_analytic() const { return parts_->non_analytic; }

 private:
  struct LateExpansionProgram;
  struct FlatParts;
  class SharedPlans;
  struct Parts {  // what does not depend on the values of parameters
    explicit Parts(Equations of_system) : equations(std::move(of_system)) {}

    Equations equations;
    DeterminedVelocities determined;
    DynamicsProgram dynamics;
    StateProgram state;
    PositionProgram position;
    ObservableProgram observables;
    EnergyProgram energy;
    SwitchProgram switches;
    EventProgram events;
    std::vector<std::string> non_analytic;
    std::shared_ptr<LateExpansionProgram> expansion;
    std::shared_ptr<SharedPlans> plans;
    std::shared_ptr<FlatParts> flat;
    std::shared_ptr<ImplicitPrograms> implicit;
  };
  std::array<const Program*, 7> programs() const {
    return {&dynamics().program, &state().program,    &position().program, &observables().program,
            &energy().program,   &switches().program, &events().program};
  }
  std::shared_ptr<const SeriesPlan> plan_of(const Program& program, bool values_only) const;
  void take_pieces(double t, bool before);
  std::unordered_map<NodeId, double> flat_parameters() const;
  void evaluate_all();

  std::shared_ptr<const Parts> parts_;
  std::unordered_map<NodeId, double> given_;  // instead of the model's, by the parameter's symbol
  std::vector<std::size_t> pieces_;           // of the inputs' curves
  // In doubles, once for all runs.
  std::unordered_map<NodeId, double> parameter_values_;
  std::array<std::vector<double>, 7> constant_values_;  // of programs()
};

}  // namespace dalembert
