// Looks for events within the steps of a run: where functions of the motion change sign, and at times.
//
// Where a method has polynomials of its step, the program of the functions runs on them, and all zeros of the
// series that come out are found to rounding errors. Functions that are linear in the motion need no program:
// their series are sums of rows of the polynomials. Elsewhere the method's own curve is sampled
// (SampledZeros).
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dalembert/model/model.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/series.hpp>
#include <dalembert/tape/step_enclosure.hpp>

#include "events/linear_form.hpp"
#include "events/sampled_zeros.hpp"
#include "events/step_box.hpp"
#include "run/motion_recorder.hpp"

namespace dalembert {

/// A function whose changes of sign are looked for.
struct WatchedFunction {
  enum class Kind { event, gap, force, knot, sign, margin };
  Kind kind = Kind::event;
  std::size_t owner = 0;   ///< which of ModelData::events, contacts, held_signs or frictions
  std::size_t number = 0;  ///< which of Event::when, of the margins of a friction
  Scaled output{};         ///< of EventProgram
  struct Term {
    double factor;
    Scaled output;
  };
  std::vector<Term> more;            ///< added to `output`, with their factors
  double factor = 1, offset = 0;     ///< factor · output + Σ more + offset
  std::optional<std::size_t> force;  ///< instead: which multiplier
  Crossing direction = Crossing::both;
  double after = -std::numeric_limits<double>::infinity();
  int priority = 0;
  bool cuts = false;     ///< the run does not go on as before
  int side = 0;          ///< the sign that it starts with; 0: its own
  double noise = 0;      ///< values below this are zero at the start
  bool rests = false;    ///< its slope is zero, too
  bool goes_on = false;  ///< `side` is the one that it had where the part before has ended
};

/// An event at first, first + every, ... from number `number` on; every = 0: at the first alone. Or the next
/// knot of an input.
struct WatchedTimes {
  WatchedFunction::Kind kind = WatchedFunction::Kind::event;
  std::size_t owner = 0;  ///< which of ModelData::events or of inputs
  double first = 0, every = 0;
  std::size_t number = 0;
  int priority = 0;
  bool cuts = false;

  double next() const {
    if (every == 0 && number > 0) return std::numeric_limits<double>::infinity();
    return first + static_cast<double>(number) * every;
  }
};

class EventWatch {
 public:
  struct Hit {
    double t;
    WatchedFunction::Kind kind;
    std::size_t owner, number;
    const char* crossing;  ///< rising, falling, touching, time
    int priority;
    bool cuts;
    double scale = 0;  ///< of the function's values along the step
  };
  /// A state within the run.
  struct Kept {
    double t;
    std::vector<double> q, v, a, lambda;
  };

  /// Hit::crossing of a gap that is a number no longer.
  static constexpr const char* undefined = "undefined";

  /// `way`: 1, or −1 backwards in time, where there are knots alone. `schedule`: the samples of the whole
  /// run, which may begin here. `tolerance`: that of the run.
  EventWatch(const System& system, std::vector<WatchedFunction> functions, std::vector<WatchedTimes> times,
             double start, double way, Schedule schedule, double tolerance);
  const Schedule& schedule() const { return schedule_; }

  /// The part of the run before this one, null: there is none.
  const RunProgress<double>* before() const { return before_; }
  void go_on_from(const RunProgress<double>& progress) { before_ = &progress; }
  /// Those that end the run are stops, as far as `stops` says.
  void set_stops(std::vector<bool> stops) { stops_ = std::move(stops); }

  /// The next time at which an event ends the run.
  double limit() const;
  /// Within the last step: where the first event is that ends the run.
  std::optional<double> look(MotionStepper<double>& stepper);
  bool stops() const;
  /// At the event that ended the run.
  void keep(const MotionStepper<double>::State& state, RunProgress<double> progress);

  /// What was found: those that do not end the run with their states, and those that do, without.
  struct Found {
    Hit hit;
    std::vector<double> q, v;
  };
  std::vector<Found>& passed() { return passed_; }
  const std::vector<Hit>& cutting() const { return cutting_; }
  const std::optional<Kept>& end() const { return end_; }
  /// The functions whose sides are known at the end, with these.
  std::vector<WatchedFunction> sides() const;
  const RunProgress<double>& progress() const { return *progress_; }
  /// The largest coordinate and velocity where steps begin or end.
  double size_q() const { return size_q_; }
  double size_v() const { return size_v_; }
  /// As SampledZeros, of all functions.
  double hidden() const { return sampled_.hidden(); }

 private:
  using Zero = SampledZeros::Zero;

  struct Followed {
    WatchedFunction function;
    std::optional<LinearForm> form;  // none: the program has its series
    int side;                        // at the end of the last step; 0: not known
    bool leaves_zero;
    bool of_accelerations;
    bool touched_at_end = false;  // of the piece before
    bool is_settled = false;      // it has no zero in this piece
    double rest = 0;              // Σ |c_k| h^k, k >= 1, where it is linear
  };
  // Of functions that are not linear; made where there are such.
  struct Programmed {
    Programmed(const System& system, const std::vector<Register>& wanted);
    Series<double> series;
    StepBox box;
    StepEnclosure<double> enclosure;
  };
  // A part of the step.
  struct Piece {
    double begin, end;
    double length() const { return end - begin; }
  };

  void note_sizes(MotionStepper<double>& stepper);
  void follow(const WatchedFunction& function, std::span<const double> constants);
  void follow_step(MotionStepper<double>& stepper);
  bool settle_or_shorten(const StepPolynomials<double>& step);
  double reach();
  bool hides_nothing_unsettled();
  void raise_powers(double length);
  bool settle(const StepPolynomials<double>& step);
  bool settle_by_rows(Followed& one, std::size_t i, const StepPolynomials<double>& step);
  bool settle_by_box(Followed& one);
  static bool is_settled_on(Followed& one, int side);
  bool has_series() const { return programmed_ && !has_branches_; }
  void read_series(const StepPolynomials<double>& step);
  void scale_series();
  std::span<double> coefficients(std::size_t i);
  void look_along_series(Followed& one, std::size_t i);
  void look_along_samples(Followed& one, MotionStepper<double>& stepper);
  double value_at(const Followed& one, MotionStepper<double>& stepper, double x);
  double coefficient(const WatchedFunction& f, int k) const;
  void add_hits(const Followed& one, const std::vector<Zero>& zeros, double scale);
  void add_undefined(MotionStepper<double>& stepper);
  bool is_number(const Followed& one, MotionStepper<double>& stepper, double t);
  void add_times();
  std::optional<double> choose_cut(MotionStepper<double>& stepper);

  const System* system_;
  Schedule schedule_;
  ValueTape values_;
  std::unique_ptr<Programmed> programmed_;  // null: all functions are linear
  bool has_branches_;
  std::vector<Followed> followed_;
  std::vector<WatchedTimes> times_;
  std::vector<bool> stops_;  // of the model's events
  SignChangeLocator<double> locator_;
  SampledZeros sampled_;
  std::vector<double> unscaled_;      // of those that are not linear, c_k, [degree][function]
  std::vector<double> coefficients_;  // of the functions along this piece, c_k h^k
  std::vector<double> powers_;        // h^k
  std::vector<double> q_, v_, a_, lambda_;
  int order_ = 0;  // of this piece
  Piece piece_{};
  double begin_, time_, way_;
  double tolerance_;  // of the run
  double size_q_ = 0, size_v_ = 0;
  std::vector<Zero> zeros_;
  std::vector<Hit> hits_, cutting_;
  std::vector<Found> passed_;
  std::optional<Kept> end_;
  const RunProgress<double>* before_ = nullptr;
  std::optional<RunProgress<double>> progress_;
};

}  // namespace dalembert
