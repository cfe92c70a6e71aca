#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "campaign/mechanisms.hpp"
#include "campaign/parts.hpp"

namespace dalembert::campaign {
namespace {

constexpr std::array axes{"[1, 0, 0]",
                          "[0, 1, 0]",
                          "[0, 0, 1]",
                          "[0.6, 0.8, 0]",
                          "[0, -0.6, 0.8]",
                          "[\"1/3\", \"2/3\", \"2/3\"]",
                          "[\"sin(1)\", 0, \"cos(1)\"]"};
constexpr std::array chain_joints{"revolute",  "revolute",    "revolute",  "spherical", "spherical",
                                  "universal", "cylindrical", "prismatic", "screw",     "planar"};

class SpaceMechanism {
 public:
  explicit SpaceMechanism(Canvas& canvas) : canvas_(canvas), dice_(canvas.dice), parts_(canvas, false) {
    if (dice_.chance(0.7)) canvas_.sketch.set("", "reactions", "\"none\"");
  }

  void draw() {
    switch (dice_.below(5)) {
      case 0:
      case 1:
        chain(dice_.between(1, 3));
        break;
      case 2:
        door();
        break;
      case 3:
        flat_loop();
        break;
      default:
        free_body();
    }
    if (dice_.chance(0.25)) weld();
    if (dice_.chance(0.15)) part_at_rest();
    forces();
    canvas_.solve(dice_.value(0.3, 2));
  }

 private:
  Place step_from(const Place& p) {
    return {p[0] + dice_.off_zero(0.8), p[1] + dice_.off_zero(0.8), p[2] + dice_.off_zero(0.8)};
  }
  static Place middle(const Place& a, const Place& b) {
    return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
  }
  std::string spin() {
    if (!dice_.chance(0.6)) return "";
    return fmt::format("angular_velocity = [{}, {}, {}]", dice_.off_zero(3), dice_.off_zero(3),
                       dice_.off_zero(3));
  }
  std::string add_body(const Place& place, const std::string& extra = "") {
    names_.push_back(parts_.body(place, extra));
    places_.push_back(place);
    return names_.back();
  }

  void connect(const std::string& type, const std::string& first, const std::string& second,
               const Place& at) {
    std::vector<std::string> keys{"point = " + parts_.vector(at)};
    if (type == "universal") {
      keys.emplace_back("axes = [[1, 0, 0], [0, 0, 1]]");
    } else if (type != "spherical" && type != "weld") {
      keys.push_back(std::string("axis = ") + dice_.pick(axes));
    }
    if (type == "screw") keys.push_back(fmt::format("pitch = {}", dice_.value(0.1, 0.5) * parts_.length()));
    const bool driven = type == "revolute" && dice_.chance(0.15);
    if (driven) keys.push_back(fmt::format("drive = \"{}*sin({}*t)\"", dice_.off_zero(1), dice_.value(1, 4)));
    const std::string name = parts_.joint(type, first, second, keys);
    if (type == "revolute" && !driven) hinges_.push_back(name);
  }

  void chain(std::size_t count) {
    Place end{0, 0, 0};
    std::string last = "ground";
    for (std::size_t i = 0; i < count; ++i) {
      const Place next = step_from(end);
      const std::string body = add_body(middle(end, next), i == 0 ? spin() : "");
      connect(dice_.pick(chain_joints), last, body, end);
      last = body;
      end = next;
    }
    if (count > 1 && dice_.chance(0.25)) {  // closed: a ball joint, or a rod
      if (dice_.chance(0.5)) {
        connect("spherical", "ground", last, end);
      } else {
        const Place foot = step_from(end), center = places_.back();
        const double length = std::hypot(foot[0] - center[0], foot[1] - center[1], foot[2] - center[2]);
        parts_.joint("distance", "ground", last,
                     {fmt::format("points = [{}, [0, 0, 0]]", parts_.vector(foot)),
                      fmt::format("length = {}", length * parts_.length())});
      }
    }
  }
  // Two hinges on one axis hold the door twice.
  void door() {
    const std::string leaf = add_body({0.5, 0, 0.4}, "angular_velocity = [0, 0, 1.5]");
    const std::string axis = "axis = [0, 0, 1]";
    const std::string second = dice_.chance(0.5)   ? "revolute"
                               : dice_.chance(0.5) ? "cylindrical"
                                                   : "spherical";
    hinges_.push_back(parts_.joint("revolute", "ground", leaf, {"point = [0, 0, 0]", axis}));
    std::vector<std::string> keys{"point = " + parts_.vector({0, 0, 0.8})};
    if (second != "spherical") keys.push_back(axis);
    parts_.joint(second, "ground", leaf, keys);
    if (!dice_.chance(0.5)) return;
    const std::string handle = add_body({1.2, 0.1, 0.4});
    connect(dice_.pick(chain_joints), leaf, handle, {1, 0, 0.4});
  }
  // A four-bar of parallel hinges: three constraints too many. Its plane is one of the coordinate planes.
  void flat_loop() {
    const std::size_t across = dice_.below(3);
    const auto place = [&](double x, double y) {
      Place p{};
      p[(across + 1) % 3] = x;
      p[(across + 2) % 3] = y;
      return p;
    };
    const std::string axis = std::string("axis = ") + axes[across];
    const double a = dice_.off_zero(0.4), b = dice_.value(0.2, 0.5);
    const std::array<Place, 4> points{place(0, 0), place(a, b),
                                      place(a + dice_.value(0.6, 1), b + dice_.value(0.1, 0.5)),
                                      place(1.2, dice_.value(-0.2, 0.1))};
    std::string last = "ground";
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string next =
          i == 3 ? "ground" : add_body(middle(points[i], points[i + 1]), i == 0 ? spin() : "");
      const char* const type = dice_.chance(0.7)   ? "revolute"
                               : dice_.chance(0.5) ? "cylindrical"
                                                   : "spherical";
      std::vector<std::string> keys{"point = " + parts_.vector(points[i])};
      if (std::string(type) != "spherical") keys.push_back(axis);
      const std::string joint = parts_.joint(type, last, next, keys);
      if (std::string(type) == "revolute") hinges_.push_back(joint);
      last = next;
    }
  }
  void free_body() {
    add_body(step_from({0, 0, 0}), fmt::format("angular_velocity = [{}, {}, {}]", dice_.off_zero(3),
                                               dice_.off_zero(3), dice_.off_zero(3)));
    if (dice_.chance(0.5)) add_body(step_from({2, 0, 0}));
  }
  void weld() {
    const std::size_t to = dice_.below(names_.size());
    const Place at = step_from(places_[to]);
    const std::string name = parts_.body(at, dice_.chance(0.3) ? spin() : "");
    parts_.joint("weld", names_[to], name, {"point = " + parts_.vector(middle(places_[to], at))});
  }
  void part_at_rest() {
    const Place at = step_from({2, 2, 0});
    const std::string post = parts_.body(at, dice_.chance(0.4) ? spin() : "");
    parts_.joint("weld", "ground", post, {"point = " + parts_.vector(at)});
  }

  void forces() {
    if (dice_.chance(0.8)) {
      parts_.force("gravity", {fmt::format("acceleration = [0, 0, {}]", -9.81 * parts_.length())});
    }
    if (dice_.chance(0.3)) {
      parts_.force("spring", {fmt::format("bodies = [\"ground\", \"{}\"]", names_.back()),
                              fmt::format("points = [{}, [0, 0, 0]]", parts_.vector(step_from({2, 1, 1}))),
                              fmt::format("stiffness = {}", dice_.value(1, 20) * parts_.mass()),
                              fmt::format("length = {}", dice_.value(0.1, 1) * parts_.length())});
    }
    if (dice_.chance(0.2)) {
      parts_.force("torque", {fmt::format("body = \"{}\"", names_[0]),
                              fmt::format("torque = [\"{0}*sin(2*t)\", \"{0}\", 0]",
                                          dice_.off_zero(1) * parts_.torque()),
                              std::string("frame = ") + (dice_.chance(0.5) ? "\"space\"" : "\"body\"")});
    }
    if (hinges_.empty()) return;
    const std::string& hinge = dice_.pick(hinges_);
    if (dice_.chance(0.3)) {
      parts_.force("friction", {fmt::format("joint = \"{}\"", hinge),
                                fmt::format("damping = {}", dice_.value(0.01, 0.5) * parts_.torque())});
    }
    if (dice_.chance(0.2)) {
      parts_.force("motor", {fmt::format("joint = \"{}\"", hinge),
                             fmt::format("torque = \"{}*max(sin({}*t), 0)\"",
                                         dice_.off_zero(2) * parts_.torque(), dice_.value(1, 5))});
    }
  }

  Canvas& canvas_;
  Dice& dice_;
  Parts parts_;
  std::vector<std::string> names_;
  std::vector<Place> places_;
  std::vector<std::string> hinges_;
};

}  // namespace

void draw_space_mechanism(Canvas& canvas) { SpaceMechanism(canvas).draw(); }

}  // namespace dalembert::campaign
