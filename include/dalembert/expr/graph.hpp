// Expressions: handles to nodes of an immutable, hash-consed graph.
//
// A node is made once and never changes; equal expressions are one node, so that derivatives share their
// work. Nodes are numbered in the order of their making, hence every operand has a smaller number than its
// user, and any pass over a graph is a loop over increasing numbers.
//
// A graph that is frozen takes no more nodes, so that any number of threads may read it. Whoever needs more
// makes a graph that continues it: the nodes of the frozen one are its first nodes, under the same numbers,
// and what becomes of them there does not depend on what others make in theirs.
//
// Light simplification happens on making and never changes a value where the expression has one:
//   number   exact rational
//   sum      constant + sum of coefficient * term; like terms are collected; short inner sums are merged
//   product  of two or more factors, no numbers; equal bases with integer exponents of one sign are collected
//   power    base ^ exponent; sqrt(x) is x^(1/2), 1/x is x^(-1)
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <dalembert/expr/function.hpp>
#include <dalembert/expr/number.hpp>

namespace dalembert {

class Graph;
using NodeId = std::uint32_t;

enum class Kind : std::uint8_t { number, pi, symbol, sum, product, power, function };

/// A handle to a node. Copying is free; it is valid as long as its graph lives. A default one refers to
/// nothing.
class Expr {
 public:
  Expr() = default;
  Expr(Graph* graph, NodeId id) : graph_(graph), id_(id) {}

  explicit operator bool() const { return graph_ != nullptr; }
  Graph& graph() const { return *graph_; }
  NodeId id() const { return id_; }
  /// The same node; of graphs that continue one another it is the same in all.
  friend bool operator==(const Expr& a, const Expr& b) {
    return a.id_ == b.id_ && (a.graph_ == b.graph_ || is_shared(a, b));
  }

  Kind kind() const;
  Function function() const;        ///< of a function node
  const Rational& number() const;   ///< of a number node
  const std::string& name() const;  ///< of a symbol
  std::size_t size() const;         ///< how many operands: terms, factors, {base, exponent} or arguments
  Expr operand(std::size_t i) const;
  const Rational& coefficient(std::size_t i) const;  ///< of term i of a sum
  const Rational& constant() const;                  ///< of a sum

  bool is_number() const { return kind() == Kind::number; }
  bool is_zero() const;
  bool is_one() const;

 private:
  static bool is_shared(const Expr& a, const Expr& b);

  Graph* graph_ = nullptr;
  NodeId id_ = 0;
};

struct Term {
  Rational coefficient;
  Expr expression;
};

/// Owns the nodes. Not safe for making nodes in two threads at once.
class Graph {
 public:
  Graph() = default;
  /// Continues a frozen graph.
  explicit Graph(std::shared_ptr<const Graph> base);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// From now on a node that is not there yet is an Error.
  void freeze() { is_frozen_ = true; }
  bool is_frozen() const { return is_frozen_; }
  /// Whether its first nodes are those of `other`, or it is `other`.
  bool continues(const Graph& other) const;

  Expr number(const Rational& value);
  Expr number(long value) { return number(Rational(value)); }
  Expr pi();
  Expr symbol(std::string_view name);

  Expr sum(std::span<const Term> terms, const Rational& constant = 0);
  Expr product(std::span<const Expr> factors);
  Expr power(Expr base, Expr exponent);
  Expr power(Expr base, const Rational& exponent) { return power(base, number(exponent)); }
  Expr call(Function function, std::span<const Expr> arguments);

  std::size_t size() const { return first_node_ + nodes_.size(); }
  Expr at(NodeId id) { return {this, id}; }

  /// Making more nodes or operands than these throws Error, so that no input exhausts the memory.
  static constexpr std::size_t most_nodes = 10'000'000;
  static constexpr std::size_t most_operands = 40'000'000;
  /// Inner sums of at most this many terms are merged into outer ones; longer ones stay shared.
  static constexpr std::size_t longest_merged_sum = 4;
  /// The same for products, and only products up to this length distribute integer powers.
  static constexpr std::size_t longest_merged_product = 16;

 private:
  friend class Expr;
  using NumberId = std::uint32_t;

  struct Node {
    Kind kind;
    Function function;
    std::uint32_t first;  // of operands_
    std::uint32_t count;
    std::uint32_t value;  // number, constant of a sum, or name
    std::size_t hash;
  };
  struct Operand {
    NodeId node;
    NumberId coefficient;
    friend bool operator==(const Operand&, const Operand&) = default;
  };
  struct Candidate {
    const Node& node;
    std::span<const Operand> operands;
  };

  /// The graph that made a node: this one, or one that it continues.
  const Graph& maker_of(NodeId id) const {
    const Graph* graph = this;
    while (id < graph->first_node_) graph = graph->base_.get();
    return *graph;
  }
  const Node& node(NodeId id) const {
    const Graph& graph = maker_of(id);
    return graph.nodes_[id - graph.first_node_];
  }
  const Operand& operand(NodeId id, std::size_t i) const {
    const Graph& graph = maker_of(id);
    return graph.operands_[graph.nodes_[id - graph.first_node_].first + i];
  }
  const Rational& number_at(NumberId id) const {
    const Graph* graph = this;
    while (id < graph->first_number_) graph = graph->base_.get();
    return graph->numbers_[id - graph->first_number_];
  }

  void require_open() const;
  NumberId intern(const Rational& value);
  Expr intern(Kind kind, Function function, std::span<const Operand> operands, std::uint32_t value);
  std::size_t slot_of(const Candidate& candidate) const;
  void grow_slots();
  Expr power_of_number(Expr base, Expr exponent);

  struct NumberHash {
    std::size_t operator()(const Rational& value) const;
  };

  std::shared_ptr<const Graph> base_;
  NodeId first_node_ = 0;  // of this graph; smaller ones are the base's
  NumberId first_number_ = 0;
  std::uint32_t first_name_ = 0;
  bool is_frozen_ = false;
  std::vector<Node> nodes_;
  std::vector<Operand> operands_;
  std::deque<Rational> numbers_;  // deques: handed-out references stay valid while the graph grows
  std::deque<std::string> names_;
  std::unordered_map<Rational, NumberId, NumberHash> number_ids_;
  std::unordered_map<std::string, NodeId> symbols_;
  std::vector<NodeId> slots_ = std::vector<NodeId>(64, free_slot);  // its nodes by their hash
  static constexpr NodeId free_slot = UINT32_MAX;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator*(const Rational& a, Expr b);
inline Expr operator*(long a, Expr b) { return Rational(a) * b; }
inline Expr operator+(Expr a, long b) { return a + a.graph().number(b); }
inline Expr operator+(long a, Expr b) { return b.graph().number(a) + b; }
inline Expr operator-(Expr a, long b) { return a - a.graph().number(b); }
inline Expr operator-(long a, Expr b) { return b.graph().number(a) - b; }
inline Expr operator/(Expr a, long b) { return a / a.graph().number(b); }
inline Expr operator/(long a, Expr b) { return b.graph().number(a) / b; }

Expr pow(Expr base, Expr exponent);
Expr pow(Expr base, long exponent);
Expr sqrt(Expr x);
#define DALEMBERT_OF_ONE(name, Unit) Expr name(Expr x);
#define DALEMBERT_OF_TWO(name, Unit) Expr name(Expr x, Expr y);
DALEMBERT_FUNCTIONS(DALEMBERT_OF_ONE, DALEMBERT_OF_TWO)  // sin(x) ... atan2(y, x) ...
#undef DALEMBERT_OF_ONE
#undef DALEMBERT_OF_TWO

/// The nodes that `roots` are made of, roots included, in increasing order: operands before users.
std::vector<NodeId> reachable(std::span<const Expr> roots);
inline std::vector<NodeId> reachable(Expr root) { return reachable(std::span<const Expr>(&root, 1)); }

/// The symbols that occur in `roots`, in increasing order of their nodes.
std::vector<Expr> symbols_in(std::span<const Expr> roots);
inline std::vector<Expr> symbols_in(Expr root) { return symbols_in(std::span<const Expr>(&root, 1)); }

/// The first non-analytic function called in `root` (abs, sign, min, max), or an empty Expr.
Expr find_non_analytic(Expr root);

}  // namespace dalembert
