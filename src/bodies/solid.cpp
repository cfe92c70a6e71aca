// The shapes of bodies as the animation draws them, about the centre of mass.
#include <cstddef>
#include <optional>
#include <string>

#include <dalembert/expr/print.hpp>

#include "body.hpp"

namespace dalembert {

std::optional<DraftSolid> read_solid(const Keys& keys) {
  if (!keys.has("shape")) return {};
  DraftSolid solid;
  solid.name = Name(keys.name());
  solid.shape = keys.text("shape");
  if (keys.has("along")) solid.along = keys.text("along");
  const auto add = [&](Expr number) { solid.size.entries.emplace_back(to_text(number)); };
  if (keys.has("size")) {
    const std::size_t edges = keys.get("size").array.size();
    for (const Expr& edge : keys.numbers("size", edges)) add(edge);
    if (keys.plane()) solid.size.entries.resize(2);
    return solid;
  }
  for (const char* key : {"length", "radius"}) {
    if (keys.has(key)) add(keys.number(key));
  }
  return solid;
}

}  // namespace dalembert
