// Reactions: the force and the moment of the first body on the second, at the joint's point of the second.
#include <array>
#include <string>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {
namespace {

constexpr std::array<const char*, 3> axes{"x", "y", "z"};

}  // namespace

// An arrow of the force, whose components are outputs.
void Assembly::add_reaction_figure(const Joint& joint, const Vector& force) {
  if (is_zero(force) || joint.b->ground) return;
  std::array<Expr, 3> parts{zero(), zero(), zero()};
  for (std::size_t i = 0; i < dimension(); ++i) {
    if (!force[i].is_zero()) parts[i] = graph_.symbol(fmt::format("{}.force_{}", joint.name, axes[i]));
  }
  add_figure("arrow", joint.name + ".reaction",
             {Value::table_of({{"frame", Value(Text(joint.b->name))}, {"place", vector_value(joint.p2)}})},
             {{"vector", vector_value({parts[0], parts[1], parts[2]})}, {"quantity", "reaction"}});
}

void Assembly::add_reactions(const Joint& joint) {
  const auto output = [&](const std::string& name, Expr e) {
    if (!e.is_zero()) draft_.outputs.push_back({joint.name + "." + name, to_text(e)});
  };
  Vector force = make_vector(graph_, {0, 0, 0});
  Vector moment = force;
  for (const JointRow& row : joint.rows) {
    const Expr lambda = graph_.symbol(fmt::format("lambda({}.{})", joint.name, row.name));
    if (row.name == "mesh") output("torque", -lambda);
    force = force - lambda * row.force;
    moment = moment - lambda * row.moment;
  }
  if (joint.type == "rolling") {  // that of friction, too, which keeps it from sliding
    for (std::size_t k = 0; k < joint.slips.size(); ++k)
      force = force + graph_.symbol("lambda(" + joint.slip_name(k) + ")") * joint.slips[k].force;
  }
  for (std::size_t i = 0; i < dimension(); ++i) output(fmt::format("force_{}", axes[i]), force[i]);
  add_reaction_figure(joint, force);
  if (plane_) {
    output("moment", moment.z);
  } else {
    for (std::size_t i = 0; i < 3; ++i) output(fmt::format("moment_{}", axes[i]), moment[i]);
  }
  if (!joint.has_frame && joint.a->ground) return;  // the same once more
  const Matrix& R = joint.a->R;
  const std::array<Vector, 3> frame = joint.has_frame
                                          ? std::array<Vector, 3>{R * joint.u1, R * joint.u2, R * joint.u3}
                                          : std::array<Vector, 3>{R.c1, R.c2, R.c3};
  for (std::size_t i = 0; i < dimension(); ++i) output(fmt::format("force_{}", i + 1), dot(frame[i], force));
  if (plane_) return;
  for (std::size_t i = 0; i < 3; ++i) output(fmt::format("moment_{}", i + 1), dot(frame[i], moment));
}

}  // namespace dalembert
