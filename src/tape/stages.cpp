#include "stages.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>

namespace dalembert {

Stages::Stages(std::span<const ProgramInput> inputs) {
  for (const ProgramInput& input : inputs) stages_[input.symbol.id()] = input.stage;
}

void Stages::visit(std::span<const Expr> roots) {
  for (const NodeId id : reachable(roots)) of(roots[0].graph().at(id));
}

Stage Stages::of(Expr e) {
  if (const auto known = stages_.find(e.id()); known != stages_.end()) return known->second;
  if (e.kind() == Kind::symbol) throw Error(fmt::format("'{}' has no value here", e.name()));
  Stage stage = Stage::constant;
  for (std::size_t i = 0; i < e.size(); ++i) stage = std::max(stage, of(e.operand(i)));
  stages_.emplace(e.id(), stage);
  return stage;
}

}  // namespace dalembert
