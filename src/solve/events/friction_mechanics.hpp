// Which contacts stay closed, which friction sticks, which signs hold: at an instant, as the accelerations or
// the impulses of an impact allow.
//
//   M x + Dᵀ λ = F,  C x = r     rows of the constraints that hold, of closed contacts, of slips that stick
//   accelerations  x = a,        F = f,    r = γ
//   impacts        x = v⁺,       F = M v,  r = −c, less −ε ν⁻ for the contacts that approach (Newton)
//
//   closed   λ >= 0                   open     the rate −(C x − r) of its gap >= 0
//   sticks   |Λ| <= sticking·|λ|      slides   with Λ = −friction·|λ| s, and its slip goes on, or begins,
//   along s signs that are held agree with their arguments
//
// Poisson's law has a second impact after one without restitution, in which the impulses are at least ε times
// those of the first. D depends on the directions and signs, so that this is no symmetric complementarity
// problem: choices are tried, all of them where they are few. Where none fits or several do, the
// accelerations have no or no unique answer [genotbrogliato1999] (Painlevé's paradox). Where they are many,
// one that does not fit is changed after the other, as Murty's method of pivots does [murty1974].
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/system/state_evaluation.hpp>

#include "events/friction_groups.hpp"
#include "events/link_mechanics.hpp"
#include "events/modes.hpp"

namespace dalembert {

class FrictionMechanics {
 public:
  /// Of a mode without closed contacts and slips that stick.
  FrictionMechanics(ModeSystems& systems, const Mode& mode, double t, std::span<const double> q,
                    std::span<const double> v);

  /// Of the argument of a sign that has just changed, beside its scale along the step before: the place is
  /// that of the method's own curve.
  static constexpr double sign_rounding = 1e-6;
  static constexpr double slip_rounding = 1e-11;  ///< of a slip that is zero, beside the sizes of velocities

  /// What an event has told: slips that are zero, and the first choices of frictions (0 sticks, −1 and 1 are
  /// directions) and signs; how large the velocities are whose small differences slips may be.
  struct Known {
    std::vector<std::size_t> at_rest;
    std::map<std::size_t, std::vector<int>> frictions, signs;
    std::map<std::size_t, double> scales;  ///< of the arguments of these signs along the step before
    Eigen::VectorXd speeds;
    double instant = 0;  ///< what forces make of velocities within it is lost in rounding errors
    std::map<std::size_t, Eigen::Vector2d> limits =
        {};                                ///< where slips in space go that begin at their limit
    std::vector<std::size_t> closed = {};  ///< links of contacts that stay, though their force is just zero
  };

  struct Answer {
    std::size_t count = 0;  ///< of answers that differ; the first of them is here
    Mode mode;
    Eigen::VectorXd a;
    std::vector<std::size_t> starting;  ///< frictions in space that begin to slide
    /// One at its limit beside others that hold the body, which would hold more by sticking than by sliding.
    std::optional<std::size_t> undecided;
    std::vector<FrictionGroup> sticking;  ///< in the plane
  };
  /// For accelerations; of contacts that touch and neither approach nor part.
  Answer choose(std::span<const std::size_t> contacts, const Known& known);
  /// The accelerations of the first choice that fits, whether or not others do.
  std::optional<Eigen::VectorXd> accelerations(std::span<const std::size_t> contacts, const Known& known);
  /// The velocities behind an impact; nothing: there are none.
  std::optional<LinkMechanics::Jump> jump(std::span<const TouchingContact> contacts);
  /// There were too many choices to try them all.
  bool gave_up() const { return gave_up_; }

 private:
  struct Question {
    enum class Kind { contact, friction, sign };
    Kind kind;
    std::size_t index;         // link of a contact, number of a group's first friction or of a sign
    std::vector<int> options;  // the first is tried first
    double noise = 0;          // a sign's argument is zero below it
    FrictionGroup group = {};  // of a friction
  };
  struct Level {
    Eigen::VectorXd force, right, least;  // by link: r, and the least impulse of a contact
    bool is_impact = false;               // what is given presses without an impulse
  };
  struct Trial {
    std::vector<bool> closed;   // by link
    std::vector<int> friction;  // by friction: 0 sticks, ±1 slides
    bool is_impact = false;
    Mode mode;                  // with the signs that belong to it
    Eigen::VectorXd x, lambda;  // lambda by link
  };

  const ModelData& model() const { return systems_->model(); }
  std::size_t row(std::size_t link) const { return rows_[link]; }
  Level level_of_accelerations() const;
  Eigen::VectorXd slip(std::size_t friction) const;
  Eigen::VectorXd find_gives() const;
  bool is_held_by_others(const Level& level, std::size_t friction, const Trial& trial) const;
  static constexpr double rounding_of_forces = 1e-11;
  static Mode without_slides(const ModeSystems& systems, Mode mode);
  bool is_at_rest(std::size_t friction, const Known& known) const;
  double heading(std::size_t friction, std::size_t k) const;
  bool is_pressed(std::size_t friction, const Trial& trial) const;
  bool is_pressed(const FrictionGroup& group, const Trial& trial) const;
  ModeSystems::Pressure pressure(std::size_t friction, const Trial& trial) const;
  double press(std::size_t friction, const Trial& trial) const;
  void ask_for_frictions(std::span<const std::size_t> contacts, const Known& known, bool impact,
                         std::vector<Question>& result);
  void ask_for_signs(const Known& known, bool impact, std::vector<Question>& result);
  std::vector<int> options_of(const FrictionGroup& group, const Known& known, bool impact) const;
  std::vector<Question> questions(std::span<const std::size_t> contacts, const Known& known, bool impact);
  Trial trial_of(const std::vector<Question>& questions, const std::vector<std::size_t>& chosen,
                 bool is_impact) const;
  void set_friction(std::size_t friction, int option, Trial& trial) const;
  struct ForceRows {
    Eigen::MatrixXd D, B;  // B: of sizes of multipliers
    Eigen::VectorXd f;
  };
  template <class Take>
  void try_all(const std::vector<Question>& questions, const Level& level, Take take);

  const ForceRows& force_rows(const Mode& mode);
  bool solve(const Level& level, Trial& trial);
  void add_along_heading(std::size_t friction, const ModeSystems::Pressure& pressure, const Trial& trial,
                         ForceRows& rows) const;
  double turn_heading(const Level& level, std::size_t friction, Trial& trial) const;
  bool solve_with(const Level& level, const ForceRows& rows, Trial& trial) const;
  bool solve_linear(const Level& level, const Eigen::VectorXd& forces, const Eigen::MatrixXd& D,
                    Trial& trial) const;
  bool holds(const Level& level, const Trial& trial) const;
  Eigen::VectorXd lambda_by_row(const Trial& trial) const;
  double rate(const Level& level, const Trial& trial, std::size_t link) const;
  double rate_scale(const Level& level, const Trial& trial, std::size_t link) const;
  bool fits(const Level& level, const std::vector<Question>& questions, const Trial& trial);
  std::optional<std::size_t> find_misfit(const Level& level, const std::vector<Question>& questions,
                                         const Trial& trial);
  bool contact_fits(const Level& level, std::size_t link, const Trial& trial) const;
  std::optional<Trial> pivot(const std::vector<Question>& questions, const Level& level);
  double count_choices(const std::vector<Question>& questions) const;
  bool go_on(const std::vector<Question>& questions, const Trial& trial,
             std::vector<std::size_t>& chosen) const;

  // likely_choice.cpp
  struct Unknowns {
    std::vector<std::size_t> contacts, frictions;  // links, and those at rest whose contacts these are
  };
  std::optional<Unknowns> complementary_unknowns(const std::vector<Question>& questions) const;
  struct FreeMotion {
    Eigen::VectorXd x;
    Eigen::MatrixXd moved;  // by link
  };
  std::optional<FreeMotion> free_motion(const Level& level, const ForceRows& rows,
                                        const std::vector<std::size_t>& links, std::size_t contacts);
  std::optional<Trial> solve_complementary(const Level& level, const Trial& trial, const Unknowns& unknowns);
  std::optional<Trial> likely_trial(const std::vector<Question>& questions, const Level& level);
  std::vector<std::size_t> choice_of(const std::vector<Question>& questions, const Level& level,
                                     const Trial& answer) const;
  bool friction_fits(const Level& level, const FrictionGroup& group, const Trial& trial) const;
  std::vector<FrictionGroup> sticking_groups(const std::vector<Question>& questions, const Trial& trial);
  std::vector<double> held_arguments(const Trial& trial);
  std::optional<Trial> first_that_fits(const std::vector<Question>& questions, const Level& level);

  ModeSystems* systems_;
  Mode mode_;
  double t_;
  std::vector<double> q_, v_;
  std::vector<std::size_t> rows_;  // of every link in the system of all
  StateEvaluation all_;
  Eigen::VectorXd velocity_, gives_;
  std::map<std::vector<double>, ForceRows> force_rows_;  // by signs
  std::vector<Eigen::VectorXd> slips_;                   // by friction, at the state
  std::vector<bool> at_rest_;
  std::map<std::size_t, Eigen::Vector2d> limits_;
  std::vector<std::size_t> kept_;  // Known::closed
  bool gave_up_ = false;
};

}  // namespace dalembert
