// The work on one model: bodies, then joints, then forces, each adding its part to the draft.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/words.hpp>
#include <dalembert/draft/draft.hpp>
#include <dalembert/draft/reporter.hpp>
#include <dalembert/expr/graph.hpp>

#include "body.hpp"
#include "constants.hpp"
#include "keys.hpp"
#include "outline.hpp"
#include "vector.hpp"

namespace dalembert {

/// A constraint of a joint. On the second body, at the joint's point, it gives the force −λ force and the
/// moment −λ moment; on the first body the opposite.
struct JointRow {
  std::string name;
  Expr residual;
  Vector force;
  Vector moment;
  bool nonholonomic = false;
  bool stop = false;  ///< unilateral: residual <= 0, λ >= 0
};

/// A velocity with which a joint slides. Friction Λ along it gives the second body the force Λ force, if any.
struct JointSlip {
  Expr velocity;
  Vector force;
};

struct Joint {
  std::string name;
  std::string type;
  const Body* a = nullptr;
  const Body* b = nullptr;
  Vector p1, p2;      ///< the joint's point on both bodies, from the centres of mass in the bodies' axes
  Vector u1, u2, u3;  ///< the joint's frame, fixed in the first body, in its axes: u3 is the joint's axis, in
                      ///< the plane u1 is the direction of sliding
  Vector w1, w2, w3;  ///< the same directions at the start, fixed in the second body
  bool has_frame = false;
  std::optional<Vector> contact;  ///< where the reaction acts when it is no point of the second body
  std::optional<Expr>
      angle_zero;             ///< plane: the difference of angles that counts as zero, not that of the start
  std::optional<Expr> angle;  ///< rotation about the axis since the start
  std::optional<Expr> slide;  ///< motion along it
  Expr start;                 ///< of angle or slide; empty for zero
  std::optional<Expr> speed;  ///< of the angle at the start
  Expr turning;               ///< relative angular velocity about the axis
  std::vector<JointRow> rows;
  std::vector<JointSlip> slips;     ///< of a joint with friction: one, in space two
  std::vector<std::string> normal;  ///< what presses there: forces whose sizes are added
  Expr size;                        ///< for the picture: radius of rolling, pitch of a screw, ratio of a gear
  std::optional<Vector> disk_axis;  ///< of a rolling disk in space, in the second body
  std::array<const Joint*, 2> coupled{};  ///< by a gear
  std::optional<Value> restitution;       ///< of its stops
  SourceLocation limits_where;

  Vector point1() const { return a->point(p1); }
  Vector point2() const { return b->point(p2); }
  Vector place() const { return contact ? *contact : point2(); }
  /// Of a slip: its multiplier is lambda(name).
  std::string slip_name(std::size_t k) const {
    return slips.size() == 1 ? name + ".slip" : fmt::format("{}.slip_{}", name, k + 1);
  }
};

/// A body in a contact: a point of it, and the circle or sphere about that point.
struct ContactSide {
  const Body* body = nullptr;
  Vector s;  ///< the point from the centre of mass, in the body's axes
  Expr radius;

  Vector center() const { return body->point(s); }
};

/// Two bodies that may touch.
struct ContactPair {
  std::string name;
  ContactSide first, second;
  std::optional<Vector> normal;  ///< of the first body's line or plane, in its axes
  bool inside = false;           ///< the second within the circle of the first
};

/// What is 0 where they touch, and how they do: `normal` is a unit vector there.
struct ContactGeometry {
  Expr gap;
  Vector normal;                 ///< of the force on the second body
  Vector place;                  ///< where it acts
  std::vector<Vector> tangents;  ///< directions of sliding: one in the plane, two in space
};

class Assembly {
 public:
  explicit Assembly(ModelDraft draft);
  ModelDraft run();

 private:
  // bodies.cpp
  void add_bodies();
  void add_body(const Element& element);
  void add_coordinates(Body& body, const BodyData& data, const Keys& keys);
  void add_rotation(Body& body, const BodyData& data, const DraftCoordinate& like);
  void define_attitude(const Body& body);
  void add_kinetic(const Body& body, const BodyData& data);
  void add_points(Body& body, const Keys& keys);
  void check_connections();

  // joints.cpp
  void add_joints();
  void add_joint(const Element& element);
  void place_point(Joint& joint, const Keys& keys);
  void place_axis(Joint& joint, const Keys& keys);
  void place_across(Joint& joint, const Vector& axis);
  Vector direction_across(const Vector& axis);
  void add_drive(Joint& joint, const Keys& keys);
  void add_angle_coordinate(Joint& joint);
  void add_limits(Joint& joint, const Keys& keys);
  void finish(Joint& joint);
  // joint_friction.cpp
  void add_friction(Joint& joint, const Element& element, const Keys& keys);
  void press_guide(Joint& joint, const Keys& keys);
  Expr press_pin(Joint& joint, const Keys& keys);
  Expr press_sleeve(Joint& joint, const Keys& keys);
  void roll(Joint& joint, const Keys& keys, const std::vector<JointRow>& rows);
  // joint_types.cpp
  struct JointType {
    std::string_view name;
    void (Assembly::*plane)(Joint&, const Keys&);  // null: not in the plane
    void (Assembly::*space)(Joint&, const Keys&);
    std::string_view keys;  // besides type, bodies: separated by blanks
  };
  static const std::vector<JointType>& joint_types();
  void coincide(Joint& joint);
  void align(Joint& joint);
  void keep_on_axis(Joint& joint);
  void lock_turn(Joint& joint);
  void make_angle(Joint& joint);
  void make_slide(Joint& joint);
  void revolute(Joint& joint, const Keys& keys);
  void prismatic(Joint& joint, const Keys& keys);
  void weld(Joint& joint, const Keys& keys);
  void slot(Joint& joint, const Keys& keys);
  void distance(Joint& joint, const Keys& keys);
  void rolling_in_plane(Joint& joint, const Keys& keys);
  void rolling_in_space(Joint& joint, const Keys& keys);
  void refuse_flat_disk(const Joint& joint, const Vector& axis, const Keys& keys) const;
  void gear(Joint& joint, const Keys& keys);
  void spherical(Joint& joint, const Keys& keys);
  void universal(Joint& joint, const Keys& keys);
  void cylindrical(Joint& joint, const Keys& keys);
  void planar(Joint& joint, const Keys& keys);
  void screw(Joint& joint, const Keys& keys);

  // forces.cpp
  struct ForceType {
    std::string_view name;
    void (Assembly::*add)(const Keys&);
    std::string_view keys;
  };
  static const std::vector<ForceType>& force_types();
  void add_forces();
  void add_gravity(const Keys& keys);
  void add_point_force(const Keys& keys);
  void add_torque(const Keys& keys);
  Joint place_ends(const Keys& keys);
  void add_spring(const Keys& keys);
  void add_joint_spring(const Keys& keys);
  void add_bushing(const Keys& keys);
  void add_damper(const Keys& keys);
  void add_motor(const Keys& keys);
  void apply_force(const Body& body, const Vector& force, const Vector& point);
  void apply_torque(const Body& body, const Vector& torque);
  void add_generalized(Expr coordinate, Expr force);
  Vector force_vector(const Keys& keys, std::string_view key);

  // contacts.cpp
  void add_contacts();
  void add_contact(const Element& element);
  std::vector<const Body*> named_bodies(const Value& value, const Keys& keys) const;
  std::vector<std::pair<const Body*, const Body*>> pairs_between(const Keys& keys) const;
  ContactSide side_of(const Body& body, std::size_t which, const Keys& keys);
  std::vector<ContactSide> second_sides(const Body& body, const Keys& keys);
  void add_pair(const Element& element, const ContactPair& pair);
  void add_contact_reaction(const ContactPair& pair, const ContactGeometry& geometry, bool slides);
  // contact_geometry.cpp
  ContactGeometry geometry_of(const ContactPair& pair);
  ContactGeometry on_plane(const ContactPair& pair);
  ContactGeometry on_circle(const ContactPair& pair);
  std::vector<Vector> carried_tangents(const Vector& normal, const ContactPair& pair);
  Value slip_of(const ContactPair& pair, const ContactGeometry& geometry) const;

  // mentions.cpp
  void note_mentions();
  void note_mentions(std::string_view text);
  void note_mentions(const Value& value);
  void note_uses();
  void note_constrained();

  // reactions.cpp
  void add_reactions(const Joint& joint);
  void add_reaction_figure(const Joint& joint, const Vector& force);
  // view.cpp
  void add_view();
  Numbers3 numbers(const Vector& v) const;
  DraftSolid solid_of(const Body& body, const std::string& part, const std::string& shape) const;
  void add_plate(const Body& body, const std::string& part, const Outline& corners, double radius);
  void add_flat_inertia(const Body& body, const std::string& part, double direction, bool disk);
  void add_flat_body(const Body& body, const Outline& places);
  void add_spatial_body(const Body& body, const Outline& places);
  void add_stems(const Body& body, const Outline& places, double inside);
  Outline places_of(const Body& body) const;
  void add_body_view(const Body& body);
  // figures.cpp
  Value vector_value(const Vector& v) const;
  Value anchor_of(const Body& body, const Vector& place);
  void add_figure(const std::string& kind, const std::string& name, const std::vector<Value>& at,
                  std::vector<Entry> more = {});
  void add_joint_figures(const Joint& joint);
  void add_motor_figure(const Joint& joint, const std::string& name, bool slides);
  void add_rolling_figures(const Joint& joint);
  void add_gear_figure(const Joint& gear);
  void add_joint_spring_figures(const Joint& joint, const std::string& name, bool spring, bool damper);

  // assembly.cpp
  void check_space();
  Keys keys_of(const Element& element, std::string_view kind) const;
  void check_name(const Name& name, std::string_view kind);
  const Body& body(const Text& name, const Keys& keys) const;
  const Joint& joint(const Text& name, const Keys& keys) const;
  Expr zero() { return graph_.number(0); }
  Vector unit_vector(std::size_t i);
  Expr define(const std::string& name, Expr e);  // before the user's definitions
  Vector define(const std::string& name, const Vector& v);
  Expr define_later(const std::string& name, Text text);  // after them
  void add_energy(std::string& energy, Expr term) const;
  std::size_t dimension() const { return plane_ ? 2 : 3; }

  ModelDraft draft_;
  Reporter report_;
  Graph graph_;
  Constants constants_;
  bool plane_ = true;
  Body ground_;
  std::deque<Body> bodies_;  // joints point to them
  std::deque<Joint> joints_;
  std::unordered_map<std::string, const Body*> body_by_name_;
  std::unordered_map<std::string, const Joint*> joint_by_name_;
  std::unordered_map<std::string, SourceLocation> names_;
  std::unordered_set<std::string> mentioned_;    // joints whose angle is used; car.yaw, car.speed
  std::unordered_set<std::string> constrained_;  // words before a dot in the user's constraints
  std::vector<std::pair<const Body*, const Body*>> springs_;      // bushings, contacts: what they connect
  std::vector<Element> contacts_;                                 // by their gaps: of joints and bodies
  std::vector<DraftFigure> figures_;                              // of joints and forces
  std::unordered_map<const Body*, std::vector<Vector>> corners_;  // where joints and springs hold a body
  std::unordered_map<const Body*, Expr> rolls_;                   // radii of bodies that roll
  std::unordered_set<const Body*> guided_;    // bodies that a prismatic joint leads: its block pictures them
  std::vector<NamedText> definitions_;        // generated, before the user's
  std::vector<NamedText> later_definitions_;  // generated, after them
};

}  // namespace dalembert
