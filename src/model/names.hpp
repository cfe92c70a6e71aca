// What the names in a model's expressions mean, and which of them may stand where.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <dalembert/draft/reporter.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/model/draft.hpp>

namespace dalembert {

/// What an expression of some part of the model may contain. The words complete "... in <where>".
struct Scope {
  std::string_view where;
  bool time = true;
  bool coordinates = true;
  bool velocities = true;
  bool accelerations = false;
  bool multipliers = false;
  bool kinks = false;    ///< abs, sign, min, max of something that moves
  bool dynamics = true;  ///< false: the model has neither accelerations nor multipliers
  bool parameters = true;
  bool waiting = false;  ///< multipliers of contacts, and of constraints that do not hold at the start
};

namespace scope {
inline constexpr Scope parameter{"a parameter", false, false, false};
inline constexpr Scope number{.where = "the data of an input",
                              .time = false,
                              .coordinates = false,
                              .velocities = false,
                              .parameters = false};
inline constexpr Scope start{"a start value", false, false, false};
inline constexpr Scope solve{"[solve]", false, false, false};
inline constexpr Scope definition{.where = "a definition", .kinks = true};
inline constexpr Scope kinetic{"the kinetic energy"};
inline constexpr Scope potential{.where = "the potential energy", .velocities = false};
inline constexpr Scope dissipation{"the dissipation function"};
inline constexpr Scope mass{"the mass matrix"};
inline constexpr Scope force{.where = "a force", .multipliers = true, .kinks = true, .waiting = true};
inline constexpr Scope holonomic{.where = "a holonomic constraint", .velocities = false};
inline constexpr Scope nonholonomic{"a nonholonomic constraint"};
inline constexpr Scope kinematics{.where = "[kinematics]", .velocities = false};
inline constexpr Scope output{
    .where = "an output", .accelerations = true, .multipliers = true, .kinks = true, .waiting = true};
inline constexpr Scope kinematic_output{.where = "an output", .kinks = true, .dynamics = false};
inline constexpr Scope event{
    .where = "an event", .accelerations = true, .multipliers = true, .kinks = true, .waiting = true};
inline constexpr Scope event_time{"a time of an event", false, false, false};
inline constexpr Scope gap{.where = "the gap of a contact", .velocities = false};
inline constexpr Scope restitution{"a restitution", false, false, false};
inline constexpr Scope pressure{
    .where = "what presses friction", .velocities = false, .multipliers = true, .waiting = true};
inline constexpr Scope friction{"a coefficient of friction", false, false, false};
inline constexpr Scope view{.where = "[view]", .kinks = true};
inline constexpr Scope figure{.where = "[view]", .accelerations = true, .multipliers = true, .kinks = true};
}  // namespace scope

class Names {
 public:
  Names(Graph& graph, const Reporter& report) : graph_(graph), report_(report), time_(graph.symbol("t")) {}

  // All names are declared before the first expression is read, so that one used too early is recognized.
  void declare_parameter(const Name& name) { declare(name, Meaning::parameter); }
  /// A function of time: itself and its derivatives.
  void declare_input(const Name& name);
  void declare_coordinate(const Name& name);
  void declare_definition(const Name& name) { declare(name, Meaning::definition); }
  void declare_constraint(const Name& name) { declare_force(name, "constraint"); }
  void declare_contact(const Name& name) { declare_force(name, "contact"); }
  /// Of a constraint or contact that may not act from the start.
  void set_waiting(const std::string& name) { waiting_.insert(name); }

  /// Parameters and definitions become usable one by one, in the order of their declaration.
  void set_parameter_known(const std::string& name) { entries_.at(name).known = true; }
  void set_definition(const std::string& name, Expr meaning);

  /// The expression of a text; its mistakes are reported at their places.
  Expr expression(const Text& text, const Scope& scope, const std::string& label);
  Expr equation(const Text& text, const Scope& scope, const std::string& label);

  /// Reactions and tensions, which outputs may use.
  void set_output(const std::string& name, Expr meaning) { outputs_[name] = meaning; }

  Expr time() const { return time_; }
  bool is_coordinate(const std::string& name) const;
  const std::vector<std::string>& coordinates() const { return coordinates_; }
  bool contains_velocity(Expr e) const { return static_cast<bool>(find_order(e, 1)); }
  bool contains_coordinate(Expr e) const { return static_cast<bool>(find_order(e, 0)); }

 private:
  enum class Meaning { parameter, coordinate, definition, input };
  // An expression and what in it not every scope allows, each empty when it is not there.
  struct Form {
    Expr expression;
    Expr velocity;
    Expr acceleration;
    Expr kink;
  };
  struct Entry {
    Meaning meaning;
    SourceLocation where;
    bool known = false;
    std::array<Form, 4> forms;  // itself, ', '', of inputs '''
  };

  void declare(const Name& name, Meaning meaning);
  void declare_force(const Name& name, std::string_view word);
  Expr resolve(const std::string& name, const Scope& scope);
  Expr resolve_multiplier(const std::string& constraint, const Scope& scope) const;
  Expr resolve_coordinate(const Entry& entry, const std::string& name, std::size_t primes,
                          const Scope& scope) const;
  Expr resolve_input(const Entry& entry, const std::string& name, std::size_t primes,
                     const Scope& scope) const;
  Expr resolve_definition(Entry& entry, const std::string& name, std::size_t primes, const Scope& scope);
  Form form(Expr e) const { return {e, find_order(e, 1), find_order(e, 2), find_kink(e)}; }
  [[noreturn]] void fail_unknown(const std::string& name, const Scope& scope) const;
  [[noreturn]] void fail_too_early(const std::string& name, const Scope& scope) const;
  Expr checked(const Text& text, const Scope& scope, const std::string& label, bool equation);

  // A symbol of the given order in e: 0 coordinate, 1 velocity, 2 acceleration; or an empty Expr.
  Expr find_order(Expr e, int order) const;
  // A non-analytic function of something that moves in e, or an empty Expr.
  Expr find_kink(Expr e) const;

  Graph& graph_;
  const Reporter& report_;
  Expr time_;
  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::string> parameters_;
  std::vector<std::string> coordinates_;
  std::vector<std::string> definitions_;
  std::vector<std::string> inputs_;
  std::unordered_set<NodeId> input_symbols_;
  std::vector<std::string> constraints_;
  std::unordered_map<std::string, SourceLocation> constraint_places_;
  std::unordered_set<std::string> waiting_;
  std::map<std::string, Expr> outputs_;
  std::unordered_map<NodeId, int> orders_;  // of coordinates' symbols
  Directional time_derivative_;
};

/// Throws unless `name` may be given to something; `what` completes "... is no name for <what>".
void check_name(const Name& name, std::string_view what, const Reporter& report);

}  // namespace dalembert
