// Makes a Model of a draft, section by section in the order of the model file.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <dalembert/draft/figure_kinds.hpp>
#include <dalembert/draft/reporter.hpp>
#include <dalembert/model/draft.hpp>
#include <dalembert/model/model.hpp>

#include "names.hpp"

namespace dalembert {

class ElementKeys;

/// Of the multipliers of its friction, which lambda(...) may name; none: it has no slip.
std::vector<std::string> slip_names(const Element& contact);

/// The symbols of all multipliers, and of their sizes.
std::unordered_set<NodeId> multipliers_of(const ModelData& model);

class Checker {
 public:
  explicit Checker(const ModelDraft& draft);
  Model check();

 private:
  // make_model.cpp
  void declare_names();
  void refuse_unknown_kind() const;
  void check_kind();
  void check_parameters();
  void check_coordinates();
  void check_definitions();
  double finite_value(Expr e, const Text& text, const std::string& label) const;
  // inputs.cpp
  std::vector<double> input_numbers(const ElementKeys& keys, const char* key);
  void check_input(const Element& element);
  void check_inputs();
  // dynamics.cpp
  void check_energy();
  void check_equations();
  void check_symmetry(const TextMatrix& mass) const;
  void check_forces();
  void check_kinematics();
  std::vector<Expr> row(const TextRow& texts, const Scope& scope, const std::string& label);
  std::vector<std::vector<Expr>> matrix(const TextMatrix& texts, std::size_t rows, std::size_t columns,
                                        const Scope& scope, const std::string& label);
  // constraints.cpp
  SourceLocation place_of(const Text& text) const;
  void check_holonomic();
  void check_nonholonomic();
  // events.cpp
  struct EventTexts {
    std::string what;
    std::optional<Text> after, every;
  };
  void check_disabled() const;
  bool is_disabled(const Name& constraint) const;
  std::vector<std::string> switchable_names() const;
  Assignment assignment(const Name& target, const Text& text, const std::string& what);
  void refuse_frozen_parameter(const Name& target, std::size_t index) const;
  void check_event_times(const EventTexts& texts, Event& event);
  void check_event(const Element& element);
  void check_events();
  // contacts.cpp
  void check_right_angles(const ElementKeys& keys, const Contact& contact) const;
  void check_slip(const Element& element, const ElementKeys& keys, Coulomb& law);
  void check_coulomb(const Element& element, const ElementKeys& keys, Coulomb& law);
  void check_contacts();
  // frictions.cpp
  Expr pressing(const Text& text, const ElementKeys& keys, Friction& friction);
  void check_friction(const Element& element);
  void check_frictions();
  void take_direction(Friction& friction);
  void add_friction(Friction friction);
  // multiplier_forces.cpp
  std::size_t hold_sign(const std::string& name, Expr argument);
  Expr with_sizes(Expr force);
  Expr with_held_signs(Expr force);
  void check_linear(Expr force, const std::string& what, const Text* text = nullptr) const;
  void recognize_friction(std::size_t held);
  void check_multiplier_forces();
  // presentation.cpp
  void check_outputs();
  void check_points();
  void check_solids();
  void check_links();
  OptionValue solve_value(const Option& option, const Text& text);
  void check_solve();
  // quantities.cpp
  void check_units();
  // figures.cpp
  std::size_t view_dimension() const;
  std::vector<Expr> figure_row(const Value& value, const std::string& what, std::size_t count,
                               const Scope& scope);
  FigureAnchor anchor(const Value& value, const std::string& what);
  std::vector<FigureAnchor> anchors(const DraftFigure& drawn, const FigureKind& kind,
                                    const std::string& what);
  FigureValue figure_value(const Entry& entry, const std::string& what, std::size_t dimension);
  void check_figure(const DraftFigure& drawn);
  void check_figures();

  const ModelDraft& draft_;
  Reporter report_;
  ModelData data_;
  Names names_;
  std::unordered_map<NodeId, double> values_;  // of parameters
};

}  // namespace dalembert
