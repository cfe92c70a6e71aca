// Bodies, joints and force elements as blocks of a model file, in units of their own.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "campaign/canvas.hpp"

namespace dalembert::campaign {

using Place = std::array<double, 3>;

class Parts {
 public:
  Parts(Canvas& canvas, bool plane) : canvas_(canvas), dice_(canvas.dice), plane_(plane) {
    canvas_.sketch.set("", "space", plane ? "\"plane\"" : "\"space\"");
    if (dice_.chance(0.15)) length_ = std::pow(10, static_cast<double>(dice_.between(0, 6)) - 3);
    if (dice_.chance(0.15)) mass_ = std::pow(10, static_cast<double>(dice_.between(0, 8)) - 4);
  }

  double length() const { return length_; }  ///< unit of lengths in the file
  double mass() const { return mass_; }

  std::string vector(const Place& p) const {
    return plane_ ? fmt::format("[{}, {}]", p[0] * length_, p[1] * length_)
                  : fmt::format("[{}, {}, {}]", p[0] * length_, p[1] * length_, p[2] * length_);
  }

  /// A box of the given edge at `place`, turned at random; its name.
  std::string body(const Place& place, const std::string& extra = "") {
    const std::string name = fmt::format("b{}", bodies_++);
    std::vector<std::string> lines{fmt::format("name = \"{}\"", name),
                                   fmt::format("mass = {}", dice_.value(0.3, 3) * mass_), inertia(),
                                   "position = " + vector(place)};
    if (plane_ && dice_.chance(0.5)) lines.push_back(fmt::format("angle = {}", dice_.value(-3, 3)));
    if (!plane_ && dice_.chance(0.6)) lines.push_back("rotation = " + rotation());
    if (!extra.empty()) lines.push_back(extra);
    canvas_.sketch.block("body", lines);
    return name;
  }

  /// `rest`: the keys of its type, each a line.
  std::string joint(const std::string& type, const std::string& first, const std::string& second,
                    const std::vector<std::string>& rest) {
    const std::string name = fmt::format("j{}", joints_++);
    std::vector<std::string> lines{fmt::format("name = \"{}\"", name), fmt::format("type = \"{}\"", type),
                                   fmt::format("bodies = [\"{}\", \"{}\"]", first, second)};
    lines.insert(lines.end(), rest.begin(), rest.end());
    canvas_.sketch.block("joint", lines);
    return name;
  }

  void force(const std::string& type, const std::vector<std::string>& rest) {
    std::vector<std::string> lines{fmt::format("type = \"{}\"", type)};
    lines.insert(lines.end(), rest.begin(), rest.end());
    canvas_.sketch.block("force", lines);
  }

  /// Of a torque: mass times length squared by time squared.
  double torque() const { return mass_ * length_ * length_; }

 private:
  std::string inertia() {
    const double unit = torque();
    if (plane_) return fmt::format("inertia = {}", dice_.value(0.02, 0.3) * unit);
    const double a = dice_.value(0.05, 0.2), b = dice_.value(0.05, 0.2);
    const double c = std::abs(a - b) + (a + b - std::abs(a - b)) * dice_.value(0.2, 0.8);
    return fmt::format("inertia = [{}, {}, {}]", a * unit, b * unit, c * unit);
  }
  std::string rotation() {
    switch (dice_.below(4)) {
      case 0:
        return fmt::format("{{ axis = [0, 0, 1], angle = {} }}", dice_.value(-3, 3));
      case 1:
        return fmt::format("{{ rpy = [{}, {}, {}] }}", dice_.value(-3, 3), dice_.value(-1, 1),
                           dice_.value(-3, 3));
      case 2:  // nearly none
        return fmt::format("{{ quaternion = [1, 0, {}, 0] }}", dice_.magnitude(1e-20, 1e-5));
      default: {
        const std::array<double, 4> e{dice_.off_zero(1), dice_.off_zero(1), dice_.off_zero(1),
                                      dice_.off_zero(1)};
        const double size = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        return fmt::format("{{ quaternion = [{}, {}, {}, {}] }}", e[0] / size, e[1] / size, e[2] / size,
                           e[3] / size);
      }
    }
  }

  Canvas& canvas_;
  Dice& dice_;
  bool plane_;
  double length_ = 1, mass_ = 1;
  std::size_t bodies_ = 0, joints_ = 0;
};

}  // namespace dalembert::campaign
