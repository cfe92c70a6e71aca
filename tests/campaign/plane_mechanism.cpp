#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "campaign/mechanisms.hpp"
#include "campaign/parts.hpp"

namespace dalembert::campaign {
namespace {

class PlaneMechanism {
 public:
  explicit PlaneMechanism(Canvas& canvas) : canvas_(canvas), dice_(canvas.dice), parts_(canvas, true) {}

  void draw() {
    switch (dice_.below(6)) {
      case 0:
      case 1:
        chain(dice_.between(1, 3));
        break;
      case 2:
        loop(dice_.between(3, 4));
        break;
      case 3:
        parallel_links(dice_.between(2, 3));
        break;
      case 4:
        slider();
        break;
      default:
        rolling();
    }
    if (dice_.chance(0.25)) weld();
    if (dice_.chance(0.15)) repeat_joint();
    if (dice_.chance(0.1)) part_at_rest();
    forces();
    canvas_.solve(dice_.value(0.5, 3));
  }

 private:
  struct Pin {
    std::string joint, first, second;
    Place place;
  };

  Place step_from(const Place& p) { return {p[0] + dice_.off_zero(0.8), p[1] + dice_.off_zero(0.8), 0}; }
  static Place middle(const Place& a, const Place& b) { return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0}; }

  std::string link(const Place& a, const Place& b, const std::string& extra = "") {
    names_.push_back(parts_.body(middle(a, b), extra));
    places_.push_back(middle(a, b));
    return names_.back();
  }
  void pin(const std::string& first, const std::string& second, const Place& at,
           const std::string& drive = "") {
    std::vector<std::string> keys{"point = " + parts_.vector(at)};
    if (!drive.empty()) keys.push_back("drive = " + drive);
    pins_.push_back({parts_.joint("revolute", first, second, keys), first, second, at});
  }
  std::string spin() {
    return dice_.chance(0.6) ? fmt::format("angular_velocity = {}", dice_.off_zero(4)) : "";
  }
  std::string drive() {
    if (!dice_.chance(0.25)) return "";
    return dice_.chance(0.5) ? fmt::format("\"{}*t\"", dice_.off_zero(3))
                             : fmt::format("\"{}*sin({}*t)\"", dice_.off_zero(1), dice_.value(0.5, 4));
  }

  // Bars one after the other; the place of the last end.
  Place chain(std::size_t count, bool may_drive = true) {
    Place end{0, 0, 0};
    std::string last = "ground";
    for (std::size_t i = 0; i < count; ++i) {
      const Place next = step_from(end);
      const std::string bar = link(end, next, i == 0 ? spin() : "");
      pin(last, bar, end, i == 0 && may_drive ? drive() : "");
      last = bar;
      end = next;
    }
    return end;
  }
  void loop(std::size_t count) {
    const Place end = chain(count);
    pin("ground", names_.back(), end);
  }
  // Two links of a parallelogram, or three: one constraint too many.
  void parallel_links(std::size_t count) {
    const Place arm{dice_.off_zero(0.5), dice_.off_zero(0.5), 0};
    const Place far{static_cast<double>(count - 1) + arm[0], arm[1], 0};
    const std::string coupler = link(arm, far);
    for (std::size_t i = 0; i < count; ++i) {
      const Place foot{static_cast<double>(i), 0, 0};
      const Place head{foot[0] + arm[0], foot[1] + arm[1], 0};
      const std::string bar = link(foot, head, i == 0 ? spin() : "");
      pin("ground", bar, foot);
      pin(bar, coupler, head);
    }
  }
  void slider() {
    const std::size_t bars = dice_.between(1, 2);
    const Place end = chain(bars, bars > 1);  // one bar and a slider stand still
    const std::string axis = fmt::format("axis = [\"cos({0})\", \"sin({0})\"]", dice_.value(0, 6));
    if (dice_.chance(0.5)) {
      parts_.joint("slot", "ground", names_.back(), {"point = " + parts_.vector(end), axis});
      return;
    }
    const std::string block = parts_.body(end);
    pin(names_.back(), block, end);
    names_.push_back(block);
    places_.push_back(end);
    parts_.joint("prismatic", "ground", block, {"point = " + parts_.vector(end), axis});
  }
  void rolling() {
    const double radius = dice_.value(0.2, 0.6);
    names_.push_back(parts_.body({0, radius, 0}, spin()));
    places_.push_back({0, radius, 0});
    parts_.joint("rolling", "ground", names_.back(),
                 {"point = [0, 0]", "axis = [1, 0]", fmt::format("radius = {}", radius * parts_.length())});
    if (!dice_.chance(0.6)) return;
    const Place foot{0.2, radius, 0}, head = step_from(foot);
    const std::string wheel = names_.back();
    const std::string bar = link(foot, head);
    pin(wheel, bar, foot);
  }
  // A further body that does not move beside another one.
  void weld() {
    const std::size_t to = dice_.below(names_.size());
    const Place at = step_from(places_[to]);
    const std::string name = parts_.body(at);
    parts_.joint("weld", names_[to], name, {"point = " + parts_.vector(middle(places_[to], at))});
  }
  void repeat_joint() {
    if (pins_.empty()) return;
    const Pin again = dice_.pick(pins_);
    parts_.joint("revolute", again.second, again.first, {"point = " + parts_.vector(again.place)});
  }
  void part_at_rest() {
    const Place at = step_from({2, 2, 0});
    const std::string post = parts_.body(at, dice_.chance(0.4) ? "angular_velocity = 1" : "");
    parts_.joint("weld", "ground", post, {"point = " + parts_.vector(at)});
  }

  void forces() {
    if (dice_.chance(0.8)) {
      parts_.force("gravity", {fmt::format("acceleration = [0, {}]", -9.81 * parts_.length())});
    }
    if (dice_.chance(0.3)) {
      parts_.force(
          "spring",
          {fmt::format("bodies = [\"ground\", \"{}\"]", names_.back()),
           fmt::format("points = [{}, [0, 0]]", parts_.vector({dice_.off_zero(2), dice_.off_zero(2), 0})),
           fmt::format("stiffness = {}", dice_.value(1, 20) * parts_.mass()),
           fmt::format("length = {}", dice_.value(0.1, 1) * parts_.length()),
           fmt::format("damping = {}", dice_.chance(0.5) ? dice_.value(0, 1) * parts_.mass() : 0.0)});
    }
    if (pins_.empty()) return;
    const Pin& at = dice_.pick(pins_);
    if (dice_.chance(0.3)) {
      parts_.force("friction", {fmt::format("joint = \"{}\"", at.joint),
                                fmt::format("damping = {}", dice_.value(0.01, 0.5) * parts_.torque())});
    }
    if (dice_.chance(0.3)) {
      const std::string angle = at.joint + ".angle";
      const std::array<std::string, 6> torques{
          fmt::format("{}", dice_.off_zero(3)),
          fmt::format("{}*sin({}*t)", dice_.off_zero(3), dice_.value(1, 5)),
          fmt::format("-max({}*{} - {}*{}', 0)", dice_.value(1, 20), angle, dice_.value(0, 1), angle),
          fmt::format("-{}*tanh({}'/0.05)", dice_.value(0.1, 1), angle),
          fmt::format("-{}*sin({})", dice_.value(0.1, 3), angle),
          fmt::format("{}*sign(sin({}*t))", dice_.value(0.1, 3), dice_.value(1, 5))};
      parts_.force("motor", {fmt::format("joint = \"{}\"", at.joint),
                             fmt::format("torque = \"{}*({})\"", parts_.torque(),
                                         torques[dice_.below(torques.size())])});
    }
  }

  Canvas& canvas_;
  Dice& dice_;
  Parts parts_;
  std::vector<std::string> names_;
  std::vector<Place> places_;
  std::vector<Pin> pins_;
};

}  // namespace

void draw_plane_mechanism(Canvas& canvas) { PlaneMechanism(canvas).draw(); }

}  // namespace dalembert::campaign
