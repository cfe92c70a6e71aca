// Reactions: the force and the moment of the first body on the second, at the joint's point.
#include <array>
#include <string>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {
namespace {

constexpr std::array<const char*, 3> axes{"x", "y", "z"};

}  // namespace

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
  for (std::size_t i = 0; i < dimension(); ++i) output(fmt::format("force_{}", axes[i]), force[i]);
  if (plane_) {
    output("moment", moment.z);
  } else {
    for (std::size_t i = 0; i < 3; ++i) output(fmt::format("moment_{}", axes[i]), moment[i]);
  }
  if (!joint.has_frame) return;
  const std::array<Vector, 3> frame{joint.a->R * joint.u1, joint.a->R * joint.u2, joint.a->R * joint.u3};
  for (std::size_t i = 0; i < dimension(); ++i) output(fmt::format("force_{}", i + 1), dot(frame[i], force));
  if (plane_) return;
  for (std::size_t i = 0; i < 3; ++i) output(fmt::format("moment_{}", i + 1), dot(frame[i], moment));
}

}  // namespace dalembert
