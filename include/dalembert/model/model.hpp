// What a user said about a mechanical system, checked once and then immutable.
//
// Expressions refer to these symbols of the model's graph:
//   x        coordinate            x'    its velocity        x''   its acceleration (outputs only)
//   t        time                  l1    parameter           lambda(pin)   multiplier of constraint pin
//   (outputs only)
//   u        input, a function of time  u'   its derivative, likewise u'' and u'''
// Definitions are replaced by their meaning, x_slider' by its total time derivative, so none of them is a
// symbol.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/base/unit.hpp>
#include <dalembert/expr/graph.hpp>
#include <dalembert/model/input.hpp>
#include <dalembert/settings/option.hpp>

namespace dalembert {

struct Parameter {
  std::string name;
  Expr symbol;
  Expr value;  ///< of earlier parameters only
};

struct Coordinate {
  std::string name;
  Expr q;         ///< the symbol x
  Expr v;         ///< the symbol x'
  Expr a;         ///< the symbol x''
  Expr position;  ///< start value, of parameters only
  Expr velocity;
  bool guess = false;          ///< the start position may be corrected freely
  bool guess_velocity = true;  ///< no velocity was given: it may be corrected freely
  bool fixed = false;          ///< neither position nor velocity may be corrected
};

struct Constraint {
  std::string name;
  Expr residual;  ///< must vanish: g(q,t), or A(q,t) v + b(q,t)
  Expr lambda;    ///< the symbol lambda(name)
  SourceLocation where;
};

struct NamedExpr {
  std::string name;
  Expr expression;
};

/// Which changes of sign are an event.
enum class Crossing { both, rising, falling };

/// What an event gives a new value: a coordinate, its velocity, a parameter.
struct Assignment {
  enum class Target { position, velocity, parameter };
  Target target;
  std::size_t index;  ///< of the coordinate or parameter
  Expr value;         ///< of the state before
};

/// What happens where functions of the motion change sign, or at times.
struct Event {
  std::string name;
  std::vector<Expr> when;  ///< any of them; none: at times
  Crossing direction = Crossing::both;
  std::optional<Expr> after;  ///< of parameters: the time of the first, or before which none counts
  std::optional<Expr> every;  ///< of parameters: the time between two, of those at times
  std::size_t count = 0;      ///< how often it happens at most; 0: without limit
  int priority = 0;           ///< of events at one time the larger comes first
  bool stop = false;          ///< the run ends here
  std::vector<Assignment> set;
  std::vector<std::string> enable, disable;  ///< constraints, contacts, events, "force(x)"
  bool starts_enabled = true;
  SourceLocation where;
};

/// A velocity with which a contact slides, and the force of friction along it.
struct Slip {
  std::string name;  ///< floor.slip; in space floor.slip_1, floor.slip_2
  Expr velocity;     ///< A(q,t) v + b(q,t)
  Expr lambda;       ///< the symbol lambda(name): the force is +Aᵀ lambda
};

/// Coulomb's law, with coefficients of parameters: |Λ| <= sticking·N where the slip is zero, Λ =
/// −friction·N slip/|slip| elsewhere.
struct Coulomb {
  Expr friction, sticking;
  std::vector<Slip> slip;  ///< in the plane one, in space two at right angles; none: there is no friction
};

/// A gap that stays open or is closed by a force that pushes: gap >= 0, λ >= 0, gap·λ = 0. Closed, it is the
/// constraint −gap = 0, whose force −Cᵀ λ is +∇gap λ.
struct Contact : Coulomb {  // N is λ
  std::string name;
  Expr gap;
  Expr lambda;       ///< the symbol lambda(name)
  Expr restitution;  ///< of parameters
  enum class Law { newton, poisson };
  Law law = Law::newton;
  bool starts_enabled = true;
  SourceLocation where;
};

/// A sign in forces that depend on multipliers: of a multiplier, of a velocity that slides, of what abs, min
/// and max ask for. Within such forces it is a number, which runs hold from event to event.
struct HeldSign {
  std::string name;  ///< sign(lambda(wire))
  Expr symbol;
  Expr argument;
};

/// The size of several multipliers in forces, N = |(λ₁, λ₂, ...)|: the reaction of a pin. There it is its
/// symbol.
struct MultiplierSize {
  Expr symbol;
  std::vector<Expr> multipliers;
};

/// Friction of a contact, of [[friction]] or of a force c·|λ|·sign(slip).
struct Friction : Coulomb {
  std::string name;
  std::optional<std::size_t> contact;  ///< none: of constraints
  Expr normal;                ///< the symbol λ of what presses, one of them; empty: the pressure is given
  Expr pressure;              ///< N >= 0: λ of a contact; else with held signs, sign(λ) λ, and with sizes
  bool own = true;            ///< by its keys; else of a force that the user wrote
  std::size_t direction = 0;  ///< the held sign of the slip, 0 while it sticks; in space 1 while it slides
  std::vector<std::size_t>
      heading;  ///< in space: held numbers, a direction of the slip; its product with it is watched
  SourceLocation where;
};

struct Point {
  std::string name;
  std::vector<Expr> position;  ///< two or three
};

/// A body as the animation draws it, about its centre.
struct Solid {
  std::string name;
  std::string shape;           ///< box, cylinder, sphere, rod, plate, frame
  std::vector<Expr> size;      ///< of parameters: edges of a box, else length and radius as far as there are
  char axis = 'z';             ///< of a cylinder or rod
  std::vector<Expr> position;  ///< two or three
  std::vector<Expr> rotation;  ///< an angle, a unit quaternion (scalar first), or nothing
  std::vector<Expr> turn;      ///< of the shape within the solid, of parameters: the same
  std::vector<std::vector<Expr>> corners;  ///< of a plate, of parameters
};

/// What holds a figure: a point, a place in a solid, or a place in space.
struct FigureAnchor {
  std::string point;
  std::string solid;
  std::vector<Expr> place;  ///< none at a point
};

struct FigureValue {
  std::string key;
  std::vector<Expr> entries;
};

/// A spring, a wheel, an arrow ...: figure_kinds() says what each has.
struct Figure {
  std::string kind;
  std::string name;
  std::vector<FigureAnchor> at;
  std::vector<FigureValue> values;
  std::string quantity;  ///< what an arrow shows: arrows of one quantity have one scale
};

struct View {
  std::vector<Point> points;
  std::vector<Solid> solids;
  std::vector<std::array<std::string, 2>> links;
  std::vector<std::string> traces;
  std::vector<Figure> figures;
};

/// What [solve] says of one option.
struct SolveSetting {
  const Option* option;
  OptionValue value;
  SourceLocation where;
};

/// Defaults of runs: what the user gave.
struct SolveDefaults {
  std::vector<SolveSetting> settings;

  const SolveSetting* find(std::string_view key) const {
    for (const SolveSetting& setting : settings)
      if (setting.option->key == key) return &setting;
    return nullptr;
  }
  std::optional<double> number(std::string_view key) const {
    const SolveSetting* const setting = find(key);
    return setting == nullptr ? std::nullopt : std::optional(std::get<double>(setting->value));
  }
  /// When motions start.
  double start() const { return number("start").value_or(0); }
};

enum class ModelKind {
  energy,     ///< kinetic, potential, dissipation
  matrices,   ///< mass matrix and force vector
  kinematic,  ///< q' = c [f_q C] + f_q⁺ (K f − f_t)
};

/// The parts of a model; ModelBuilder fills and checks them.
struct ModelData {
  std::shared_ptr<Graph> graph;
  std::string title;
  std::string source;
  std::string file;  ///< where it was read from; empty for a built one
  std::string text;  ///< the model as written; empty for a built one
  std::vector<std::string>
      warnings;  ///< of what is allowed and probably not meant, as a body that nothing holds
  ModelKind kind = ModelKind::energy;

  Expr time;
  std::vector<Parameter> parameters;
  std::vector<Input> inputs;
  std::vector<Coordinate> coordinates;
  std::vector<NamedExpr> definitions;

  Expr kinetic;  ///< energy models; zero where absent
  Expr potential;
  Expr dissipation;
  std::vector<std::vector<Expr>> mass;  ///< matrices models: n rows of n
  std::vector<Expr> force;              ///< matrices models: n
  std::vector<Expr> generalized_force;  ///< Q, one per coordinate, zero where absent (added in both kinds)

  std::vector<Constraint> holonomic;
  std::vector<Constraint> nonholonomic;

  Expr kinematic_c;                            ///< kinematic models
  std::vector<std::vector<Expr>> kinematic_C;  ///< n−1−m rows of n
  std::vector<std::vector<Expr>> kinematic_K;  ///< m rows of m

  /// Constraints that do not hold at the start; events enable them.
  std::vector<Constraint> disabled_holonomic, disabled_nonholonomic;
  std::vector<Event> events;
  std::vector<Contact> contacts;
  /// Of generalized_force and force.
  std::vector<HeldSign> held_signs;
  std::vector<MultiplierSize> sizes;
  std::vector<Friction> frictions;

  std::vector<NamedExpr> outputs;
  View view;
  SolveDefaults solve;
  std::map<std::string, UnitLabel>
      units;  ///< of the columns that have one, by their names; empty: none given
};

/// A checked, immutable model; copies share it.
class Model {
 public:
  explicit Model(ModelData data) : data_(std::make_shared<const ModelData>(std::move(data))) {}
  const ModelData& operator*() const { return *data_; }
  const ModelData* operator->() const { return data_.get(); }

 private:
  std::shared_ptr<const ModelData> data_;
};

}  // namespace dalembert
