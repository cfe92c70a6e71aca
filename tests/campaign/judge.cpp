#include "campaign/judge.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/text.hpp>
#include <dalembert/model/read.hpp>

#include "campaign/dice.hpp"
#include "campaign/measure.hpp"

namespace dalembert::campaign {
namespace {

// Errors of single steps are estimated, and are not always of one sign: a run may be off by this many times
// what its tolerance says.
constexpr double margin = 30;
// A change of the start by this share of all values shows how errors grow; the runs that show it are good to
// less.
constexpr double nudge = 1e-7;
constexpr double fine = 1e-12;
// Where a nudge grows beyond this share, motions are not compared.
constexpr double comparable = 1e-2;
// Short steps see forces that last for a thousandth of the motion.
constexpr double many_steps = 400;

// Models contradict themselves only by chance, and then the message says by how much; all other refusals of a
// start are wrong.
std::string unjust_refusal(const std::string& message) {
  constexpr double round_off = 1e-12;
  for (const std::string_view words : {"is off by ", "` by "}) {  // by how much `a` contradicts `b`
    const std::size_t found = message.find(words);
    if (found == std::string::npos) continue;
    const double size = std::abs(std::strtod(message.c_str() + found + words.size(), nullptr));
    return size < round_off ? "no start: off by round-off" : "";
  }
  return "no start: " + message.substr(message.find("error: ") + 7, 40);
}

// Every sign(x) as tanh(x/w): what sticks creeps by about w.
constexpr double creep = 1e-5;
std::string with_smooth_signs(const std::string& text) {
  const std::string call = "sign(";
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, done)) {
    std::size_t end = at + call.size();
    for (int open = 1; open > 0 && end < text.size(); ++end)
      open += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    const std::size_t begin = at + call.size();
    result += text.substr(done, at - done) +
              fmt::format("tanh(({})/{})", with_smooth_signs(text.substr(begin, end - 1 - begin)), creep);
    done = end;
  }
  return result + text.substr(done);
}

class Judge {
 public:
  explicit Judge(const std::string& text)
      : text_(text), system_(read_model_text(text)), tolerance_(options_of(system_.model()).tolerance) {}

  Judgement run() {
    try {
      problem_.emplace(make_problem(system_, options_of(system_.model()).start));
    } catch (const Error& error) {
      result_.no_start = error.what();
      if (const std::string why = unjust_refusal(error.what()); !why.empty()) find("all", why, {});
      return result_;
    }
    runs_ = {trial("adomian", tolerance_), trial("dop853", limited("dop853", 1e-13)),
             trial("bdf", limited("bdf", 1e-9))};
    for (const Trial& run : runs_) note(run);
    look_at_refusals();
    const Trial fine_run = trial("dop853", fine, many_steps);
    const Trial* const base = fine_run.finished() ? &fine_run : first_finished();
    if (base == nullptr) return result_;
    sizes_.emplace(*base);
    residual_sizes_.emplace(system_, *base, *sizes_);
    measure_growth(*base);
    if (result_.sensitive) return result_;
    const std::optional<Trial> truth = agree(*base) ? *base : decide();
    for (const Trial& run : runs_) check_laws(run);
    if (truth) look_for_needless_words(*truth);
    if (!truth && base == &runs_[0]) compare_with_creeping(*base);
    return result_;
  }

 private:
  Trial trial(const std::string& method, double tolerance, double least_steps = 0) const {
    TrialSettings settings;
    settings.method = method;
    settings.tolerance = tolerance;
    settings.least_steps = least_steps;
    return run_trial(*problem_, settings);
  }
  // What a method cannot reach in reasonable time is not asked of it.
  double limited(const char* method, double least) const {
    return tolerance_ > 0 ? std::max(tolerance_, least) : find_method(method).tolerance;
  }
  void note(const Trial& run) {
    if (!run.finished()) result_.refusals.push_back(run.method + ": " + run.why_not());
    if (run.doubted()) result_.warned = true;
  }
  void look_at_refusals() {
    const auto at_start = [](const Trial& run) { return !run.finished() && run.report.steps == 0; };
    if (std::all_of(runs_.begin(), runs_.end(), at_start))
      find("all", "no start: " + runs_[0].why_not().substr(0, 40), {});
    result_.adomian_alone = !runs_[0].finished() && result_.refusals.size() == 1;
  }
  const Trial* first_finished() const {
    const auto found =
        std::find_if(runs_.begin(), runs_.end(), [](const Trial& run) { return run.finished(); });
    return found == runs_.end() ? nullptr : &*found;
  }

  // Changes of the state at the start and at later times; errors that are made late may grow more than those
  // of the start, where a motion becomes sensitive on its way.
  void measure_growth(const Trial& base) {
    growth_.assign(base.states.size(), 1);
    energy_size_ = std::max(base.report.energy_scale, residual_sizes_->kinetic);
    const std::size_t samples = base.states.size() - 1;
    for (const std::size_t from : {std::size_t{0}, samples / 2, 3 * samples / 4}) nudge_at(base, from);
    result_.growth = growth_.back();
    result_.sensitive = !(result_.growth * nudge <= comparable);
  }

  void nudge_at(const Trial& base, std::size_t from) {
    try {
      const Trial other = run_nudged(base, from);
      Trial rest = base;
      rest.states.erase(rest.states.begin(), rest.states.begin() + static_cast<std::ptrdiff_t>(from));
      const std::vector<double> factors = growth(distances(rest, other, *sizes_));
      for (std::size_t k = 0; k < factors.size(); ++k) {
        growth_[from + k] = std::max(growth_[from + k], factors[k]);
        if (from > 0) continue;
        const TrialState& a = base.states[k];
        const TrialState& b = other.states[k];
        energy_size_ = std::max(energy_size_, std::abs((a.energy - a.work) - (b.energy - b.work)) / nudge);
      }
    } catch (const Error&) {  // start values that are fixed: no nudge is possible
    }
    for (std::size_t k = 1; k < growth_.size(); ++k) growth_[k] = std::max(growth_[k], growth_[k - 1]);
  }

  // From a state of `base` that is a little different, by its method.
  Trial run_nudged(const Trial& base, std::size_t from) const {
    Dice dice(1);
    std::vector<Override> changes;
    const TrialState& state = base.states[from];
    for (std::size_t i = 0; i < system_.n(); ++i) {
      const auto change = [&](double value, double size) {
        return shortest(value + (dice.chance(0.5) ? 1 : -1) * nudge * size);
      };
      changes.push_back({system_.coordinate_name(i), change(state.q[i], sizes_->q[i])});
      changes.push_back({system_.coordinate_name(i) + "'", change(state.v[i], sizes_->v[i])});
    }
    const System nudged(read_model_text(text_, "model", changes));
    TrialSettings settings;
    settings.method = base.method;
    settings.tolerance = base.tolerance;
    settings.begin = static_cast<double>(from) / static_cast<double>(base.states.size() - 1);
    settings.samples = base.states.size() - 1 - from;
    settings.least_steps = base.method == "dop853" ? many_steps * (1 - settings.begin) : 0;
    const double time =
        base.report.start_time + settings.begin * (base.report.end_time - base.report.start_time);
    return run_trial(make_problem(nudged, time), settings);
  }

  static double steps_error(const Trial& run) {
    constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
    const double steps = std::max<double>(static_cast<double>(run.report.steps), 20);
    return margin * steps * (run.tolerance + round_off);
  }
  struct Excess {
    double size = 0, allowed = 0;
    explicit operator bool() const { return !(size <= allowed); }
  };
  // Where two runs are further apart than their tolerances allow, the worst such sample.
  Excess compare(const Trial& a, const Trial& b) const {
    const std::vector<double> apart = distances(a, b, *sizes_);
    Excess worst;
    double ratio = 1;
    for (std::size_t k = 0; k < apart.size(); ++k) {
      const double allowed = growth_[std::min(k, growth_.size() - 1)] * (steps_error(a) + steps_error(b));
      if (apart[k] / allowed <= ratio) continue;
      ratio = apart[k] / allowed;
      worst = {apart[k], allowed};
    }
    return worst;
  }

  bool agree(const Trial& base) const {
    std::size_t confirmed = 0;
    for (const Trial& run : runs_) {
      if (!run.started()) continue;
      if (compare(run, base)) return false;
      if (run.method != base.method && run.finished()) ++confirmed;
    }
    return confirmed > 0;
  }

  // All methods again with finer tolerances and shorter steps; two that agree are right. Steps as long as the
  // time between two jumps can pass both unseen, by either method that does not look for them: theirs are
  // shorter than anything that is drawn.
  std::optional<Trial> decide() {
    const std::vector<Trial> finer{trial("adomian", 1e-14, 67), trial("dop853", fine, 5 * many_steps),
                                   trial("bdf", 1e-10, 4 * many_steps)};
    const Trial* truth = nullptr;
    for (std::size_t i = 0; i < finer.size() && truth == nullptr; ++i) {
      for (std::size_t j = i + 1; j < finer.size() && truth == nullptr; ++j) {
        const bool both = finer[i].finished() && finer[j].finished();
        if (both && !compare(finer[i], finer[j])) truth = &finer[i];
      }
    }
    std::size_t finished = 0;
    for (const Trial& run : finer) finished += run.finished() ? 1 : 0;
    if (truth == nullptr) {
      if (finished > 1) find("all", "undecided", compare(finer[0], finer[1]));
      return std::nullopt;
    }
    for (const Trial& run : runs_) {
      if (!run.started() || run.doubted()) continue;
      if (const Excess excess = compare(run, *truth)) find(run.method, "motion", excess);
    }
    return *truth;
  }

  // A stop where the motion goes on, a doubt where it is right.
  void look_for_needless_words(const Trial& truth) {
    for (const Trial& run : runs_) {
      if (!run.finished()) result_.needless_stops.push_back(run.method + ": " + run.why_not());
      const bool doubts = run.report.outcome == Outcome::doubtful;
      if (doubts && !compare(run, truth))
        result_.false_doubts.push_back(run.method + ": " + join(run.report.doubts, "; "));
    }
  }

  // Only adomian goes along a sign that sticks. The motion beside it is that of a smooth force, nearly.
  void compare_with_creeping(const Trial& run) {
    const std::string smooth = with_smooth_signs(text_);
    if (smooth == text_ || run.doubted()) return;
    const System system(read_model_text(smooth));
    TrialSettings settings;
    settings.method = "bdf";
    settings.tolerance = 1e-9;
    const Trial other = run_trial(make_problem(system, problem_->start.t), settings);
    if (!other.finished() || other.doubted()) return;
    constexpr double share = 100 * creep;  // forces that turn round within w turn a little later
    Sizes sizes = *sizes_;                 // what sticks has none; coordinates and speeds are drawn about one
    for (std::vector<double>* values : {&sizes.q, &sizes.v}) {
      for (double& size : *values) size = std::max(size, 0.1);
    }
    const std::vector<double> apart = distances(run, other, sizes);
    for (std::size_t k = 0; k < apart.size(); ++k) {
      const Excess excess{apart[k], share * growth_[k]};
      if (excess) return find(run.method, "motion with friction", excess);
    }
    result_.slid = true;
  }

  void check_laws(const Trial& run) {
    if (!run.finished() || run.doubted()) return;
    const RunReport& report = run.report;
    // constraints hold to rounding errors alone, against forces that are large near dead centres
    const double held = std::numeric_limits<double>::epsilon() * residual_sizes_->held;
    const Excess energy{report.max_energy_error, steps_error(run) * energy_size_ + held};
    if (energy) find(run.method, "energy", energy);
    constexpr double round_off = 1e-10;
    const double share = run.method == "adomian" ? round_off : steps_error(run);
    const Excess position{report.max_position_residual, share * residual_sizes_->position};
    if (position) find(run.method, "position residual", position);
    const Excess velocity{report.max_velocity_residual, share * residual_sizes_->velocity};
    // without constraints of its own: what sticks
    if (velocity && system_.m() > 0) find(run.method, "velocity residual", velocity);
  }

  void find(const std::string& method, const std::string& what, const Excess& excess) {
    result_.findings.push_back({method, what, excess.size, excess.allowed});
  }

  std::string text_;
  System system_;
  double tolerance_;
  std::optional<Problem> problem_;
  std::vector<Trial> runs_;
  std::optional<Sizes> sizes_;
  std::optional<ResidualSizes> residual_sizes_;
  double energy_size_ = 0;
  std::vector<double> growth_;
  Judgement result_;
};

}  // namespace

std::string text_of(const Finding& finding) {
  const std::string text = finding.method + ": " + finding.what;
  return finding.size > 0
             ? fmt::format("{} is off by {:.2g}, allowed {:.2g}", text, finding.size, finding.allowed)
             : text;
}

Judgement judge(const std::string& text) { return Judge(text).run(); }

}  // namespace dalembert::campaign
