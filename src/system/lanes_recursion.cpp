#include <cstddef>
#include <span>
#include <vector>

#include <dalembert/system/expansion_program.hpp>
#include <dalembert/system/lanes_recursion.hpp>

#include "registers_looked_at.hpp"

namespace dalembert {

LanesSource lanes_source(const System& system, std::span<const std::size_t> active, std::size_t lanes) {
  const ExpansionProgram& p = system.expansion_program();
  RecursionShape shape;
  shape.plan = p.plan.get();
  shape.n = system.n();
  shape.active = active;
  shape.force = p.force;
  shape.constraint = p.constraint;
  const std::vector<Register> looked_at = registers_looked_at(p.program);
  shape.looked_at = looked_at;
  LanesSource source = write_lanes(shape, lanes);
  if (source.text.empty()) return source;
  constexpr Stage stages[] = {Stage::position, Stage::velocity, Stage::acceleration};
  source.text +=
      write_lane_values(*system.value_plan(system.energy().program), stages, lanes_energy_function);
  return source;
}

}  // namespace dalembert
