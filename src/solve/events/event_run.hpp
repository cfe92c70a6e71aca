// A run whose motion events and contacts change: parts that a method runs each, and what happens between
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dalembert/solve/solve.hpp>

#include "events/event_watch.hpp"
#include "events/friction_mechanics.hpp"
#include "events/link_mechanics.hpp"
#include "events/modes.hpp"
#include "events/shared_frictions.hpp"

namespace dalembert {

/// Whether a run consists of parts: it has events, contacts, or inputs with knots.
bool has_events(const ModelData& model);

/// Runs the method of the options, in doubles and forwards in time, with inputs alone in either direction;
/// else Error. `forms`: see ModeSystems.
RunReport run_with_events(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
                          std::shared_ptr<ModeForms> forms = {});

class EventRun {
 public:
  EventRun(const Problem& problem, const SolveOptions& options, const SampleSink<double>& sink,
           std::shared_ptr<ModeForms> forms = {});
  RunReport run();
  /// With the accelerations and multipliers that the run begins with.
  Start settled_start();
  /// Throws Error, as a run does at its start.
  void refuse_penetrated_contacts();

 private:
  using Hit = EventWatch::Hit;
  using Kept = EventWatch::Kept;

  // event_run.cpp
  RunReport run_part();
  Problem make_part();
  void note_sizes();
  struct Sizes {
    double q, v;
  };
  Sizes least_sizes();
  std::vector<WatchedFunction> functions();
  using Signs = std::vector<std::vector<int>>;  // of Event::when
  Signs signs_of_events(const System& system, const Kept& state, double errors = 1) const;
  void note_signs(const std::vector<Hit>& hits);  // sign_jumps.cpp
  void jump_over_zeros(const Problem& part, std::vector<WatchedFunction>& functions);
  void go_on_with_sides(std::vector<WatchedFunction>& functions) const;
  std::vector<WatchedTimes> times() const;
  void refuse_too_many(std::size_t event, const WatchedTimes& times) const;
  std::vector<bool> stops() const;
  bool cuts(std::size_t event) const;
  bool moves_constraints() const;
  bool is_spent(std::size_t event) const;
  SampleSink<double> widened() const;
  SampleSink<double> judged(SampleSink<double> sink);
  RunReport finish(RunReport report);
  bool keeps_turning();
  void take_passed(EventWatch& watch);
  std::vector<WatchedFunction> sides_behind(const EventWatch& watch) const;

  // friction_actions.cpp
  bool holds_signs() const { return !model_.held_signs.empty(); }
  std::optional<std::size_t> friction_of(std::size_t sign) const;
  void add_friction_functions(const EventProgram& program, std::vector<WatchedFunction>& result);
  void add_margins_in_space(const EventProgram& program, WatchedFunction& one,
                            std::vector<WatchedFunction>& result);
  Eigen::VectorXd redundant_shares();
  void add_margins(const EventProgram& program, WatchedFunction& one,
                   std::vector<WatchedFunction>& result) const;
  void add_turns(const EventProgram& program, std::size_t friction, std::vector<WatchedFunction>& result);
  double least_slip(std::size_t friction);
  bool has_turned(const Hit& hit);
  void note_limits();
  void begin_slips(const FrictionMechanics::Answer& answer);
  const FrictionGroup* group_of(std::size_t friction) const;
  double sign_noise(std::size_t sign) const;
  double slip_noise(std::size_t friction);
  double rate_noise(std::size_t link);
  void release_friction();
  std::optional<LinkMechanics::Jump> velocities_behind(const LinkMechanics& mechanics,
                                                       std::span<const TouchingContact> contacts);
  FrictionMechanics::Known known_of_friction();
  std::optional<std::size_t> undecided_friction() const;
  bool choose_states(const std::vector<std::size_t>& contacts, const std::vector<std::size_t>& links);
  void land_on_links();
  void land_slips(const std::vector<std::size_t>& at_rest);
  void name_states(const FrictionMechanics::Known& known);
  std::string names_of_friction(const std::vector<std::size_t>& contacts) const;

  // accumulation.cpp
  struct Flight {
    std::size_t place;  // in touching_
    double length;
    bool is_lost;
  };
  std::optional<LinkMechanics::Jump> jump_to_rest_where_bounces_accumulate(const LinkMechanics& mechanics);
  void note_speeds(const Eigen::VectorXd& behind);
  std::vector<std::size_t> resting_contacts(const LinkMechanics& mechanics,
                                            const LinkMechanics::Jump& jump) const;
  std::vector<Flight> flights_behind(const LinkMechanics& mechanics, const LinkMechanics::Jump& jump,
                                     const std::vector<std::size_t>& staying);
  std::function<double(std::size_t)> accelerations_behind(const LinkMechanics& behind, const Mode& open,
                                                          const std::vector<double>& v,
                                                          const std::vector<std::size_t>& staying);
  void hold_where_flights_are_lost(const LinkMechanics& mechanics, LinkMechanics::Jump& jump);
  std::vector<std::size_t> links_at_rest(const LinkMechanics& mechanics,
                                         const LinkMechanics::Jump& jump) const;
  bool is_lost_flight(const LinkMechanics& mechanics, std::size_t link, double rate,
                      double acceleration) const;
  double shortest_flight() const;
  void note_end_of_bounces(std::size_t contact, double flight, double restitution);
  void note_end_of_impacts();
  void note_rest(std::size_t contact);

  // error_jumps.cpp
  void carry_error();
  void note_untold_errors(const std::vector<std::size_t>& events);
  struct Moved {
    std::vector<double> q, v;
  };
  Moved moved_by(std::span<const double> e, double factor) const;
  double size_of_error(std::span<const double> e) const;
  double delay_of(const std::vector<double>& e);
  std::optional<Eigen::VectorXd> moved_velocities(double t, const Moved& moved);

  // switch_actions.cpp
  struct HeldSwitch {
    std::size_t crossing, parameter;                 // which of ModelData::events, parameters
    bool jumps;                                      // sign; the others have kinks
    std::optional<std::size_t> end = {}, link = {};  // where it may slide
    bool slides = false, leaves = false;             // leaves: has slid just before
  };
  void find_switches();
  HeldSwitch* switch_of(const Hit& hit);
  bool prepare_switch(std::size_t event, WatchedFunction& function);
  double side_of(const HeldSwitch& one) const;
  void set_side(const HeldSwitch& one, double side);
  bool take_switches(const std::vector<Hit>& hits);
  bool forces_have_jumped() const;
  struct Slope {
    double value, noise;
  };
  Slope slope_of(const HeldSwitch& one, double side);
  double value_of(const HeldSwitch& one);
  bool settle_switch(HeldSwitch& one);
  void let_slide(HeldSwitch& one, bool slides);
  void release_switches();
  void settle_switches_at_zero();

  // event_actions.cpp
  bool apply(const std::vector<Hit>& hits);
  bool follow_inputs(const std::vector<Hit>& hits);
  bool apply_start();
  void add_struck(std::vector<Hit>& due);
  void record(const Hit& hit);
  bool is_noted(const Hit& hit) const;
  std::string name_of(const Assignment& assignment) const;
  bool check_agreement(const std::vector<std::size_t>& events);
  bool assign(const std::vector<std::size_t>& events);
  void switch_links(const Event& event);
  bool check_positions(const Mode& before, bool moved);
  bool check_gaps(const std::vector<bool>& on_before, bool moved);
  std::vector<double> gaps();
  void leave_contacts(const std::vector<double>& gaps_before);
  void strike_others();
  void find_touching();
  bool is_touching(const LinkMechanics& mechanics, std::size_t contact) const;
  bool jump();
  bool close_contacts();
  std::vector<std::size_t> falling_back() const;
  bool note_let_go();
  double contact_noise(const LinkMechanics& mechanics, std::size_t contact) const;
  double energy();
  ValueTape values_at_state();
  void note_zeros(const std::vector<Hit>& hits);
  std::string names_of(const std::vector<std::size_t>& links) const;
  bool fail(const std::string& why);

  const ModelData& model_;
  const Problem& problem_;
  SolveOptions options_;
  const SampleSink<double>& sink_;
  double way_;  // 1, or −1 backwards in time, where inputs alone are followed
  double end_;
  ModeSystems systems_;
  Mode mode_;
  std::vector<bool> event_on_, contact_on_;  // enabled
  std::vector<std::size_t> happened_;        // how often each event was
  std::vector<std::size_t> ticks_;           // of those at times
  Kept state_;
  std::vector<EventRecord> records_;
  std::optional<RunProgress<double>> progress_;
  std::vector<std::vector<double>> noise_;  // of Event::when: what is zero where it has just changed its sign
  std::vector<std::size_t> touching_;       // contacts that touch, at an instant
  std::vector<std::size_t> opening_, struck_;      // contacts
  std::vector<TouchingContact> contacts_;          // as they took part in the last jump
  std::vector<std::size_t> staying_;               // contacts that touch and neither approach nor part
  Eigen::VectorXd speeds_;                         // the larger of those before and behind the instant
  std::vector<Hit> fired_;                         // at the present instant
  std::vector<std::size_t> starting_;              // frictions that begin to slide
  std::vector<FrictionGroup> sticking_;            // in the plane
  std::map<std::size_t, Eigen::Vector2d> limits_;  // in space: where frictions go that are at their limit
  std::vector<bool> leaves_;                       // event functions that are zero at the start of a part
  std::vector<double> hidden_;                     // by the method's curves
  std::size_t first_record_ = 0;                   // of the present instant
  std::vector<double> last_impact_, let_go_;       // of each contact
  double size_q_ = 0, size_v_ = 0;                 // the largest so far
  std::size_t same_ = 0;                           // the first of the last events that hardly differ in time
  double last_time_ = 0;
  std::vector<HeldSwitch> switches_;
  std::vector<std::size_t> switched_, same_switches_;  // events at this time, and at times that hardly differ
  std::size_t parts_here_ = 0;                         // of the run, that begin at hardly different times
  bool has_changed_ = false;                           // the motion, by the present events
  bool inputs_move_constraints_;
  // Of the last part; those of the next are the same where nothing but an input has changed.
  std::vector<std::size_t> active_;
  SharedFrictions shared_;                      // of the present part
  std::optional<std::string> beyond_friction_;  // what contacts cannot hold together, the first time
  std::vector<std::string> not_unique_;
  bool keeps_structure_ = false, follows_inputs_ = false;
  std::vector<WatchedFunction> sides_;  // where the motion goes on as it is
  Signs signs_;                         // before the present instant
  std::string reason_, stop_;
  std::string untold_;  // why errors are not followed to the end
};

}  // namespace dalembert
