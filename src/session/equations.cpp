#include <span>
#include <unordered_map>
#include <utility>

#include <dalembert/expr/substitute.hpp>
#include <dalembert/expr/tidy.hpp>
#include <dalembert/session/equations.hpp>

#include "equations_layout.hpp"

namespace dalembert::session {
namespace {

template <class Change>
void change_entries(EquationsPage& page, const Change& change) {
  std::vector<Expr> all;
  for (const Block& block : page.blocks)
    for (const auto& entry : block.entries) all.push_back(entry.value);
  const std::vector<Expr> changed = change(all);
  std::size_t next = 0;
  for (Block& block : page.blocks) {
    for (auto& entry : block.entries) entry.value = changed[next++];
    std::erase_if(block.entries, [](const auto& entry) { return entry.value.is_zero(); });
  }
}

template <class Equations>
EquationsPage page_of(const Equations& derived) {
  const Equations e = derived.continued();
  EquationsPage page = lay_out(e);
  page.graph = e.own;
  for (Block& block : page.blocks)
    for (auto& entry : block.entries) entry.value = e.graph().at(entry.value.id());
  return page;
}

EquationsDraft draft_of(const LoadedModel& loaded, const EquationsOptions& options) {
  const LoadedModel& model = loaded.own();  // its values of parameters belong to its own graph
  EquationsDraft draft{
      model.is_kinematic() ? page_of(model.kinematic_equations()) : page_of(model.equations()), {}, {}};
  if (options.readable) leave_out_large(draft.page);
  const ModelData& data = *model.model();
  draft.variables.push_back(data.time);
  for (const Coordinate& coordinate : data.coordinates)
    draft.variables.insert(draft.variables.end(), {coordinate.q, coordinate.v});
  for (const Parameter& parameter : data.parameters)
    draft.parameters.emplace_back(parameter.symbol, parameter.value);
  return draft;
}

void insert_numbers(EquationsDraft& draft) {
  std::unordered_map<NodeId, Expr> values;
  for (const auto& [symbol, value] : draft.parameters) {
    const Expr own = draft.page.graph->at(value.id());
    values.emplace(symbol.id(), substitute(own, values));
  }
  change_entries(draft.page, [&](const std::vector<Expr>& all) { return substitute(all, values); });
}

EquationsPage finish(EquationsDraft draft, bool numbers) {
  if (numbers) insert_numbers(draft);
  Tidy tidy(draft.variables);
  change_entries(draft.page, [&](std::vector<Expr> all) {
    for (Expr& e : all) e = tidy(e);
    return all;
  });
  return std::move(draft.page);
}

}  // namespace

EquationsPage equations(const LoadedModel& model, const EquationsOptions& options) {
  return finish(draft_of(model, options), options.numbers);
}

std::future<PageEquations> start_page_equations(const LoadedModel& model) {
  return std::async(std::launch::async, [draft = draft_of(model, {.readable = true})]() mutable {
    return to_page_equations(finish(std::move(draft), false));
  });
}

}  // namespace dalembert::session
