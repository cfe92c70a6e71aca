// Which constraints, contacts and forces act, and the system for each choice of them.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/expr/graph.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

/// What acts. Links are numbered: holonomic, nonholonomic constraints, those disabled at the start, contacts,
/// and slips that are zero while friction sticks.
struct Mode {
  std::vector<bool> links;    ///< constraints that hold, contacts that are closed, slips that stick
  std::vector<bool> forces;   ///< of [forces], by coordinate
  std::vector<double> signs;  ///< ModelData::held_signs
  friend auto operator<=>(const Mode&, const Mode&) = default;
};

/// The links of a model and the equations of its modes, whatever the values of parameters: those of one
/// system serve all of its runs on any thread.
class ModeForms {
 public:
  explicit ModeForms(const ModelData& model);

  struct PressureParts {  // linear in multipliers and sizes of them
    struct Part {
      std::vector<std::size_t> links;  // one, or those of a size
      Expr slope;
    };
    std::vector<Part> parts;
    Expr given;
  };
  Mode start;
  std::vector<std::string> names;  // by link
  std::vector<bool> holonomic;
  std::size_t first_contact = 0, first_slip = 0;
  std::vector<std::vector<std::size_t>> slips;      // by friction
  std::vector<std::optional<std::size_t>> normals;  // by friction
  std::vector<PressureParts> pressures;             // by friction

  /// The equations of a mode other than the start, with the model's parameters. Any number of threads may
  /// call it.
  std::shared_ptr<const System> compile(const ModelData& model, const Mode& mode);

 private:
  void add_pressure(const ModelData& model, const Friction& friction);
  Model model_of(const ModelData& model, const Mode& mode) const;

  std::shared_ptr<Graph> graph_;  // continues the model's, with what closed contacts need
  Expr zero_;
  std::vector<Constraint> constraints_;  // by link
  // Of many contacts there may be more choices than have room.
  static constexpr std::size_t most_compiled = 256;
  std::mutex mutex_;
  std::map<Mode, std::shared_ptr<const System>> compiled_;
};

class ModeSystems {
 public:
  /// `forms` of a system with the same equations; none: its own.
  explicit ModeSystems(const System& base, std::shared_ptr<ModeForms> forms = {});

  const ModelData& model() const { return base_.model(); }
  const Mode& start() const { return forms_->start; }
  std::size_t link_count() const { return forms_->names.size(); }
  std::size_t contact(std::size_t i) const { return forms_->first_contact + i; }
  bool is_contact(std::size_t link) const { return link >= forms_->first_contact && !is_slip(link); }
  bool is_slip(std::size_t link) const { return link >= forms_->first_slip; }
  /// Of a friction: the links of its slips, and the one that presses.
  const std::vector<std::size_t>& slips(std::size_t friction) const { return forms_->slips[friction]; }
  /// None: the pressure is given.
  std::optional<std::size_t> normal(std::size_t friction) const { return forms_->normals[friction]; }
  /// What presses, and how it grows with the multipliers, by link: N = given + Σ slope·λ. λ by link, where
  /// sizes of several are part of it.
  struct Pressure {
    double given = 0;
    std::vector<std::pair<std::size_t, double>> slopes;
    double at(std::span<const double> lambda) const;
  };
  Pressure pressure(std::size_t friction, const Mode& mode, double t, std::span<const double> q,
                    std::span<const double> lambda) const;
  const std::string& name(std::size_t link) const { return forms_->names[link]; }
  std::optional<std::size_t> find(std::string_view name) const;

  /// With the parameters that were set; it stays until others are.
  const System& get(const Mode& mode);
  /// With all links, and the forces of a mode: for its rows of C.
  const System& all(const Mode& mode);
  /// The constraint of a link in the system of a mode; none: it does not act.
  std::optional<std::size_t> row(const Mode& mode, std::size_t link) const;
  bool is_start(const Mode& mode) const { return mode == start() && parameters_.empty() && !inputs_at_; }

  void set_parameter(const std::string& name, double value);
  /// See System::with_inputs_at.
  void set_inputs_at(double t, bool before);
  double parameter(Expr e) const;

 private:
  System with_numbers(const System& system, const Mode& mode) const;

  System base_;
  std::shared_ptr<ModeForms> forms_;
  std::map<Mode, std::unique_ptr<const System>> used_;  // with the present parameters
  std::vector<NamedValue> parameters_;
  struct Instant {
    double t;
    bool before;
  };
  std::optional<Instant> inputs_at_;  // none: as in base_
};

}  // namespace dalembert
