// Nodes: where they stand, how equal ones are found, and walks over them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/graph.hpp>

#include "short_number.hpp"

namespace dalembert {

Kind Expr::kind() const { return graph_->node(id_).kind; }
Function Expr::function() const { return graph_->node(id_).function; }
const Rational& Expr::number() const { return graph_->number_at(graph_->node(id_).value); }
const std::string& Expr::name() const {
  const Graph& maker = graph_->maker_of(id_);
  return maker.names_[graph_->node(id_).value - maker.first_name_];
}
std::size_t Expr::size() const { return graph_->node(id_).count; }
Expr Expr::operand(std::size_t i) const { return {graph_, graph_->operand(id_, i).node}; }
const Rational& Expr::coefficient(std::size_t i) const {
  return graph_->number_at(graph_->operand(id_, i).coefficient);
}
const Rational& Expr::constant() const { return graph_->number_at(graph_->node(id_).value); }
bool Expr::is_zero() const { return is_number() && number() == 0; }
bool Expr::is_one() const { return is_number() && number() == 1; }

bool Expr::is_shared(const Expr& a, const Expr& b) {
  if (a.graph_ == nullptr || b.graph_ == nullptr) return false;
  return &a.graph_->maker_of(a.id_) == &b.graph_->maker_of(b.id_);
}

Graph::Graph(std::shared_ptr<const Graph> base)
    : base_(std::move(base)),
      first_node_(static_cast<NodeId>(base_->size())),
      first_number_(base_->first_number_ + static_cast<NumberId>(base_->numbers_.size())),
      first_name_(base_->first_name_ + static_cast<std::uint32_t>(base_->names_.size())) {
  if (!base_->is_frozen()) throw Error("a graph that is continued by others must be frozen");
}

bool Graph::continues(const Graph& other) const {
  const Graph* graph = this;
  while (graph != nullptr && graph != &other) graph = graph->base_.get();
  return graph != nullptr;
}

void Graph::require_open() const {
  if (is_frozen_)
    throw Error("a graph that is frozen takes no more expressions; they belong in one that continues it");
}

std::size_t Graph::NumberHash::operator()(const Rational& value) const {
  const mpq_srcptr parts = value.data();
  const auto of = [](mpz_srcptr part) { return static_cast<std::size_t>(mpz_getlimbn(part, 0)); };
  const auto sign = static_cast<std::size_t>(mpq_sgn(parts) + 1);
  return (of(mpq_numref(parts)) * 3 + sign) * 0x9e3779b97f4a7c15ULL + of(mpq_denref(parts));
}

Graph::NumberId Graph::intern(const Rational& value) {
  require_short(value);
  for (const Graph* graph = this; graph != nullptr; graph = graph->base_.get()) {
    const auto known = graph->number_ids_.find(value);
    if (known != graph->number_ids_.end()) return known->second;
  }
  require_open();
  const auto id = first_number_ + static_cast<NumberId>(numbers_.size());
  number_ids_.emplace(value, id);
  numbers_.push_back(value);
  return id;
}

// By open addressing: where an equal node of this graph stands, or the free slot where it belongs.
std::size_t Graph::slot_of(const Candidate& candidate) const {
  const std::size_t mask = slots_.size() - 1;
  const Node& wanted = candidate.node;
  for (std::size_t slot = (wanted.hash ^ (wanted.hash >> 32U)) & mask;; slot = (slot + 1) & mask) {
    if (slots_[slot] == free_slot) return slot;
    const Node& node = nodes_[slots_[slot] - first_node_];
    const bool same =
        node.hash == wanted.hash && node.kind == wanted.kind && node.function == wanted.function &&
        node.value == wanted.value && node.count == wanted.count &&
        std::equal(candidate.operands.begin(), candidate.operands.end(), operands_.begin() + node.first);
    if (same) return slot;
  }
}

void Graph::grow_slots() {
  slots_.assign(2 * slots_.size(), free_slot);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::size_t slot = (nodes_[i].hash ^ (nodes_[i].hash >> 32U)) & mask;
    while (slots_[slot] != free_slot) slot = (slot + 1) & mask;
    slots_[slot] = first_node_ + static_cast<NodeId>(i);
  }
}

Expr Graph::intern(Kind kind, Function function, std::span<const Operand> operands, std::uint32_t value) {
  std::size_t hash = static_cast<std::size_t>(kind) * 31U + static_cast<std::size_t>(function);
  const auto mix = [&hash](std::size_t x) {
    hash ^= x + 0x9e3779b97f4a7c15ULL + (hash << 6U) + (hash >> 2U);
    hash *= 0xff51afd7ed558ccdULL;
  };
  mix(value);
  for (const Operand& operand : operands) {
    mix(operand.node);
    mix(operand.coefficient);
  }
  const Node node{kind,
                  function,
                  static_cast<std::uint32_t>(operands_.size()),
                  static_cast<std::uint32_t>(operands.size()),
                  value,
                  hash};
  const Candidate candidate{node, operands};
  for (const Graph* graph = base_.get(); graph != nullptr; graph = graph->base_.get()) {
    const NodeId known = graph->slots_[graph->slot_of(candidate)];
    if (known != free_slot) return {this, known};
  }
  const std::size_t slot = slot_of(candidate);
  if (slots_[slot] != free_slot) return {this, slots_[slot]};
  require_open();
  if (size() >= most_nodes || operands_.size() + operands.size() > most_operands)
    throw Error("the expressions are too large: more than ten million operations");
  const auto id = static_cast<NodeId>(size());
  slots_[slot] = id;
  nodes_.push_back(node);
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  if (2 * nodes_.size() > slots_.size()) grow_slots();
  return {this, id};
}

Expr Graph::number(const Rational& value) { return intern(Kind::number, {}, {}, intern(value)); }

Expr Graph::pi() { return intern(Kind::pi, {}, {}, 0); }

Expr Graph::symbol(std::string_view name) {
  const std::string key(name);
  for (const Graph* graph = this; graph != nullptr; graph = graph->base_.get()) {
    const auto known = graph->symbols_.find(key);
    if (known != graph->symbols_.end()) return {this, known->second};
  }
  require_open();
  names_.emplace_back(name);
  const Expr e = intern(Kind::symbol, {}, {}, first_name_ + static_cast<std::uint32_t>(names_.size() - 1));
  symbols_.emplace(name, e.id());
  return e;
}

std::vector<NodeId> reachable(std::span<const Expr> roots) {
  thread_local std::vector<std::uint32_t> stamps;
  thread_local std::uint32_t generation = 0;
  std::vector<NodeId> found;
  if (roots.empty()) return found;
  Graph& graph = roots[0].graph();
  if (stamps.size() < graph.size()) stamps.resize(graph.size(), 0);
  if (++generation == 0) {
    std::fill(stamps.begin(), stamps.end(), 0);
    generation = 1;
  }
  const auto visit = [&](NodeId id) {
    if (stamps[id] == generation) return;
    stamps[id] = generation;
    found.push_back(id);
  };
  for (const Expr& root : roots) visit(root.id());
  for (std::size_t next = 0; next < found.size(); ++next) {
    const Expr e = graph.at(found[next]);
    for (std::size_t i = 0; i < e.size(); ++i) visit(e.operand(i).id());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Expr> symbols_in(std::span<const Expr> roots) {
  std::vector<Expr> symbols;
  for (const NodeId id : reachable(roots)) {
    const Expr e = roots[0].graph().at(id);
    if (e.kind() == Kind::symbol) symbols.push_back(e);
  }
  return symbols;
}

Expr find_non_analytic(Expr root) {
  for (const NodeId id : reachable(root)) {
    const Expr e = root.graph().at(id);
    if (e.kind() == Kind::function && !info(e.function()).analytic()) return e;
  }
  return {};
}

}  // namespace dalembert
