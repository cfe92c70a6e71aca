// Units of expressions: what follows from those of their symbols.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include <dalembert/base/unit.hpp>
#include <dalembert/expr/graph.hpp>

namespace dalembert {

class Dimensions {
 public:
  /// Whether numbers may hide a unit, as those that bodies were described by: then all factors may, else only
  /// those that are no simple fraction.
  explicit Dimensions(bool numbers_hide_units) : numbers_hide_units_(numbers_hide_units) {}

  void set(Expr symbol, const Unit& unit) { known_[symbol.id()] = unit; }

  /// The unit of an expression where it follows from those that are known. What cannot be added or taken as
  /// an argument is a conflict; a number beside terms of any unit is taken to have theirs.
  std::optional<Unit> infer(Expr e);

  /// The first conflict of the last infer(), in words; empty when there was none.
  const std::string& conflict() const { return conflict_; }

 private:
  using Found = std::optional<Unit>;
  Found of_node(Expr node);
  Found of_sum(Expr node);
  Found of_product(Expr node);
  Found of_power(Expr node);
  Found of_function(Expr node);
  Found of_operand(Expr node) const;
  /// Both have the same unit, or one of them is not known.
  Found agree(Expr a, const Found& unit_of_a, Expr b, const Found& unit_of_b);
  void require_pure(Expr argument, const std::string& where);
  bool is_plain(const Rational& number) const;

  bool numbers_hide_units_;
  std::unordered_map<NodeId, Unit> known_;  // of symbols
  std::unordered_map<NodeId, Found> found_;
  std::string conflict_;
};

}  // namespace dalembert
