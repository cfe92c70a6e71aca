// The gaps between bodies, with d from the centre on the first body to that on the second:
//
//   on a line or plane             n·d − r₂                    n fixed in the first body
//   beside each other, R = r₁ + r₂    (d·d − R²)/(2R)             n = d/R
//   inside, R = r₁ − r₂               (R² − d·d)/(2R)             n = −d/R
//
// The last two have no root: they are analytic everywhere, and where the gap is 0 its gradient is the unit
// normal, so that λ is the force.
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/print.hpp>

#include "assembly.hpp"

namespace dalembert {

ContactGeometry Assembly::geometry_of(const ContactPair& pair) {
  return pair.normal ? on_plane(pair) : on_circle(pair);
}

ContactGeometry Assembly::on_plane(const ContactPair& pair) {
  const Vector n = pair.first.body->R * *pair.normal;
  const Vector d = pair.second.center() - pair.first.center();
  ContactGeometry result{
      dot(n, d) - pair.second.radius, n, pair.second.center() - pair.second.radius * n, {}};
  if (plane_) {
    result.tangents = {-cross(unit_vector(2), n)};
    return result;
  }
  const Vector across = constants_.named(pair.name + ".t1", direction_across(*pair.normal));
  const Vector first = pair.first.body->R * across;
  result.tangents = {first, cross(n, first)};
  return result;
}

ContactGeometry Assembly::on_circle(const ContactPair& pair) {
  const Expr r1 = pair.first.radius, r2 = pair.second.radius;
  const Expr reach = constants_.named(pair.name + ".reach", pair.inside ? r1 - r2 : r1 + r2);
  const Vector d = pair.second.center() - pair.first.center();
  const Vector outwards = 1 / reach * d;
  const Expr excess = (dot(d, d) - reach * reach) / (2 * reach);
  ContactGeometry result{pair.inside ? -excess : excess,
                         pair.inside ? -outwards : outwards,
                         pair.first.center() + r1 * outwards,
                         {}};
  result.tangents = plane_ ? std::vector<Vector>{-cross(unit_vector(2), result.normal)}
                           : carried_tangents(result.normal, pair);
  return result;
}

// Two directions across n that turn as little as n does, from those across its start n₀:
//   t − (t·n)/(1 + n·n₀) (n + n₀)
// Only at n = −n₀ there are none.
std::vector<Vector> Assembly::carried_tangents(const Vector& n, const ContactPair& pair) {
  const auto at_start = [](const ContactSide& side) { return side.body->r0 + side.body->R0 * side.s; };
  const Vector d = at_start(pair.second) - at_start(pair.first);
  const Expr length = sqrt(dot(d, d));
  const bool apart = constants_.value(length) > 0;
  const Vector n0 = apart ? constants_.named(pair.name + ".n0", (pair.inside ? -1 / length : 1 / length) * d)
                          : unit_vector(2);
  const Vector first = constants_.named(pair.name + ".t1", direction_across(n0));
  const Vector second = constants_.named(pair.name + ".t2", cross(n0, first));
  std::vector<Vector> tangents;
  for (const Vector& t : {first, second}) tangents.push_back(t - dot(t, n) / (1 + dot(n, n0)) * (n + n0));
  return tangents;
}

// The velocity of the second body's point of contact relative to the first's, along the tangents.
Value Assembly::slip_of(const ContactPair& pair, const ContactGeometry& geometry) const {
  const auto velocity = [&](const Body& body) { return body.v + cross(body.omega, geometry.place - body.r); };
  const Vector relative = velocity(*pair.second.body) - velocity(*pair.first.body);
  Value slip;
  slip.type = Value::Type::array;
  for (const Vector& tangent : geometry.tangents)
    slip.array.emplace_back(Text(to_text(dot(tangent, relative))));
  return slip.array.size() == 1 ? slip.array[0] : slip;
}

}  // namespace dalembert
