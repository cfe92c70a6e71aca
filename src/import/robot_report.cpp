#ifdef DALEMBERT_HAS_URDF

#include "robot_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>

namespace dalembert {
namespace {

constexpr std::size_t most_listed = 8;

std::string quoted(const std::string& name) { return "'" + one_line(name) + "'"; }

// a, b, c and 5 more
std::string listed(std::vector<std::string> items) {
  const std::size_t count = items.size();
  if (count <= most_listed) return join(items, ", ");
  items.resize(most_listed);
  return fmt::format("{} and {} more", join(items, ", "), count - most_listed);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::size_t count_joints(const PlacedRobot& placed, const std::function<bool(const RobotJoint&)>& has) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < placed.robot.joints.size(); ++i) {
    const RobotJoint& joint = placed.robot.joints[i];
    if (joint.kind != JointKind::fixed && !placed.held[i] && has(joint)) ++count;
  }
  return count;
}

std::string percent(double share) { return fmt::format("{:.2g} %", 100 * share); }

void warn_of_inertias(const PlacedRobot& placed, std::vector<std::string>& warnings) {
  std::vector<std::string> links;
  for (std::size_t i = 0; i < placed.robot.links.size(); ++i) {
    const RobotLink& link = placed.robot.links[i];
    if (placed.body_of[i] == ground) continue;
    const double excess = triangle_excess(link.inertia.J);
    if (excess > inertia_slack) links.push_back(fmt::format("{} by {}", quoted(link.name), percent(excess)));
  }
  if (!links.empty()) {
    warnings.push_back(
        fmt::format("no body has the inertia of {}: a principal moment exceeds the sum of the other two "
                    "(triangle inequality): {}; kept as written, as other programs do",
                    links.size() == 1 ? "this link" : counted(links.size(), "link", "links"), listed(links)));
  }
  for (const RobotBody& body : placed.bodies) {
    const double least = least_moment(body.inertia.J);
    if (least >= -inertia_slack) continue;
    warnings.push_back(
        fmt::format("the inertia of the link {}{} has a negative principal moment, {} of its largest: the "
                    "nearest inertia of a real body is used instead",
                    quoted(placed.robot.links[body.link].name),
                    body.with.empty() ? "" : " with what is fixed to it", percent(least)));
  }
}

void warn_of_held(const PlacedRobot& placed, std::vector<std::string>& warnings) {
  std::vector<std::string> held;
  for (std::size_t i = 0; i < placed.held.size(); ++i) {
    if (placed.held[i]) held.push_back(quoted(placed.robot.joints[i].name));
  }
  if (held.empty()) return;
  warnings.push_back(
      fmt::format("{} {} nothing that has inertia, so that the motion would be undetermined: held at the "
                  "start; links that move need an <inertial>",
                  listed(held), held.size() == 1 ? "moves" : "move"));
}

void warn_of_starts(const PlacedRobot& placed, std::vector<std::string>& warnings) {
  std::vector<std::string> outside;
  std::string advice;
  for (std::size_t i = 0; i < placed.q.size(); ++i) {
    const RobotJoint& joint = placed.robot.joints[i];
    if (!has_range(joint) || placed.held[i]) continue;
    const auto [lower, upper, effort, velocity] = *joint.limits;
    if (placed.q[i] >= lower && placed.q[i] <= upper) continue;
    outside.push_back(fmt::format("{} at {} (limits {} to {})", quoted(joint.name), shortest(placed.q[i]),
                                  shortest(lower), shortest(upper)));
    if (advice.empty() && !joint.mimic)
      advice = fmt::format("; --set {}={:.3g} starts it between them", joint.name, lower / 2 + upper / 2);
  }
  if (!outside.empty())
    warnings.push_back(fmt::format("outside {} limits at the start: {}{}",
                                   outside.size() == 1 ? "its" : "their", listed(outside), advice));
}

// Damping d of an inertia J decays with the time J/d.
void warn_of_stiffness(const PlacedRobot& placed, std::vector<std::string>& warnings) {
  constexpr double short_time = 1e-4;  // seconds; a run of one needs ten thousand steps of an explicit method
  std::vector<std::string> stiff;
  double shortest_time = short_time;
  for (std::size_t i = 0; i < placed.resistance.size(); ++i) {
    const RobotJoint& joint = placed.robot.joints[i];
    if (placed.held[i] || joint.mimic || !has_motion_value(joint) || !(joint.damping > 0)) continue;
    const double time = placed.resistance[i] / joint.damping;
    if (!(time < short_time)) continue;
    stiff.push_back(quoted(joint.name));
    shortest_time = std::min(shortest_time, time);
  }
  if (stiff.empty()) return;
  warnings.push_back(fmt::format(
      "stiff: damping stops {} within {:.1e} s, and a run takes steps that short; lower it in the "
      "model where the file does not mean it",
      listed(stiff), shortest_time));
}

void warn_of_signs(const PlacedRobot& placed, std::vector<std::string>& warnings) {
  for (const RobotJoint& joint : placed.robot.joints) {
    if (joint.damping < 0 || joint.friction < 0)
      warnings.push_back(fmt::format("the {} of the joint {} is negative and left out",
                                     joint.damping < 0 ? "damping" : "friction", quoted(joint.name)));
    if (joint.limits && has_motion_value(joint) && !joint.endless &&
        joint.limits->lower > joint.limits->upper)
      warnings.push_back(
          fmt::format("the lower limit {} of the joint {} is above the upper one, {}: left out",
                      shortest(joint.limits->lower), quoted(joint.name), shortest(joint.limits->upper)));
  }
}

std::string base_note(const PlacedRobot& placed, const UrdfOptions& options) {
  const std::string root = quoted(placed.robot.links.front().name);
  const bool chosen = options.base != UrdfOptions::Base::automatic;
  if (placed.floating) {
    return chosen ? fmt::format("the root link {} moves freely", root)
                  : fmt::format(
                        "the root link {} has a mass and is no world: the robot moves freely; --fixed "
                        "holds it",
                        root);
  }
  return chosen ? fmt::format("the root link {} is the ground", root)
                : fmt::format("the root link {} is the ground; --floating frees it", root);
}

std::string size_note(const PlacedRobot& placed) {
  std::size_t freedom = placed.floating ? 6 : 0;
  for (std::size_t i = 0; i < placed.robot.joints.size(); ++i) {
    const RobotJoint& joint = placed.robot.joints[i];
    if (placed.held[i] || joint.mimic || joint.kind == JointKind::fixed) continue;
    freedom += joint.kind == JointKind::floating ? 6 : joint.kind == JointKind::planar ? 3 : 1;
  }
  return fmt::format("{} of {}, {}", counted(placed.bodies.size(), "body", "bodies"),
                     counted(placed.robot.links.size(), "link", "links"),
                     counted(freedom, "degree of freedom", "degrees of freedom"));
}

void note_kept(const PlacedRobot& placed, const UrdfOptions& options, std::vector<std::string>& notes) {
  std::vector<std::string> kept;
  const auto add = [&](const char* what, const std::function<bool(const RobotJoint&)>& has) {
    if (const std::size_t count = count_joints(placed, has); count > 0)
      kept.push_back(fmt::format("{} of {}", what, counted(count, "joint", "joints")));
  };
  add(options.limits_stop ? "limits as stops" : "limits (a run that leaves them says so; they do not act)",
      has_range);
  add("damping", [](const RobotJoint& joint) { return has_motion_value(joint) && joint.damping > 0; });
  add("mimicking", [](const RobotJoint& joint) { return joint.mimic.has_value(); });
  if (options.friction_speed || options.dry_friction)
    add(options.friction_speed ? "Coulomb friction (smooth: tanh)" : "Coulomb friction",
        [](const RobotJoint& joint) { return has_motion_value(joint) && joint.friction > 0; });
  if (!kept.empty()) notes.push_back("kept: " + join(kept, ", "));
}

void note_not_kept(const PlacedRobot& placed, const UrdfOptions& options, std::vector<std::string>& notes) {
  std::vector<std::string> lost;
  const auto count = [&](const std::function<bool(const RobotJoint&)>& has) {
    return count_joints(placed, has);
  };
  const std::size_t rubbing =
      count([](const RobotJoint& joint) { return has_motion_value(joint) && joint.friction > 0; });
  if (rubbing > 0 && !options.friction_speed && !options.dry_friction) {
    lost.push_back(fmt::format("Coulomb friction of {} (comments; --friction dry applies it)",
                               counted(rubbing, "joint", "joints")));
  }
  const std::size_t bounded = count([](const RobotJoint& joint) {
    return has_motion_value(joint) && joint.limits &&
           (joint.limits->effort > 0 || joint.limits->velocity > 0);
  });
  if (bounded > 0)
    lost.push_back(
        fmt::format("limits of velocity and effort of {} (comments)", counted(bounded, "joint", "joints")));
  if (const std::size_t unread =
          count([](const RobotJoint& joint) { return joint.damping > 0 && !has_motion_value(joint); });
      unread > 0)
    lost.push_back(
        fmt::format("damping of {} that neither turns nor slides", counted(unread, "joint", "joints")));
  if (count([](const RobotJoint& joint) { return joint.has_safety; }) > 0)
    lost.emplace_back("safety controllers and calibration");
  std::vector<std::string> elements;
  for (const std::string& name : placed.robot.other_elements) elements.push_back("<" + one_line(name) + ">");
  if (!elements.empty()) lost.push_back(listed(elements));
  if (!lost.empty()) notes.push_back("not kept: " + join(lost, ", "));
}

}  // namespace

bool has_range(const RobotJoint& joint) {
  return has_motion_value(joint) && !joint.endless && joint.limits &&
         joint.limits->lower < joint.limits->upper && std::isfinite(joint.limits->lower) &&
         std::isfinite(joint.limits->upper);
}

std::vector<std::string> robot_warnings(const PlacedRobot& placed) {
  std::vector<std::string> warnings = placed.robot.warnings;
  warn_of_inertias(placed, warnings);
  warn_of_held(placed, warnings);
  warn_of_starts(placed, warnings);
  warn_of_signs(placed, warnings);
  warn_of_stiffness(placed, warnings);
  return warnings;
}

std::vector<std::string> robot_notes(const PlacedRobot& placed, const UrdfOptions& options) {
  std::vector<std::string> notes{size_note(placed), base_note(placed, options)};
  note_kept(placed, options, notes);
  note_not_kept(placed, options, notes);
  return notes;
}

}  // namespace dalembert

#endif
