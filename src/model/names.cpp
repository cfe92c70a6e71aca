#include "names.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/reserved.hpp>

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 4> meanings{"parameter", "coordinate", "definition", "input"};

}  // namespace

void check_name(const Name& name, std::string_view what, const Reporter& report) {
  if (is_definable_name(name.text)) return;
  if (const std::string meaning = meaning_of_reserved(name.text); !meaning.empty()) {
    report.at_name(name, fmt::format("{} is reserved and cannot name {}: it is {}", in_quotes(name.text),
                                     what, meaning));
  }
  report.at_name(name,
                 fmt::format("{} cannot name {}; a name is a letter followed by letters, digits and '_'",
                             in_quotes(name.text), what));
}

void Names::declare(const Name& name, Meaning meaning) {
  const std::string_view word = meanings[static_cast<std::size_t>(meaning)];
  check_name(name, fmt::format("{} {}", meaning == Meaning::input ? "an" : "a", word), report_);
  const auto [it, is_new] = entries_.try_emplace(name.text, Entry{meaning, name.where, false, {}});
  if (!is_new) {
    const Entry& first = it->second;
    const std::string place = first.where.line > 0 ? fmt::format(" (line {})", first.where.line) : "";
    report_.at_name(name, fmt::format("the {} {} is defined already: it is {} {}{}", word,
                                      in_quotes(name.text), first.meaning == Meaning::input ? "an" : "a",
                                      meanings[static_cast<std::size_t>(first.meaning)], place));
  }
  (meaning == Meaning::parameter    ? parameters_
   : meaning == Meaning::coordinate ? coordinates_
   : meaning == Meaning::input      ? inputs_
                                    : definitions_)
      .push_back(name.text);
  if (meaning == Meaning::parameter) it->second.forms[0].expression = graph_.symbol(name.text);
}

void Names::declare_coordinate(const Name& name) {
  declare(name, Meaning::coordinate);
  Entry& entry = entries_.at(name.text);
  const std::array<Expr, 3> symbols{graph_.symbol(name.text), graph_.symbol(name.text + "'"),
                                    graph_.symbol(name.text + "''")};
  for (std::size_t order = 0; order < symbols.size(); ++order) {
    entry.forms[order].expression = symbols[order];
    orders_[symbols[order].id()] = static_cast<int>(order);
  }
  time_derivative_.set_tangent(symbols[0], symbols[1]);
  time_derivative_.set_tangent(symbols[1], symbols[2]);
  time_derivative_.set_tangent(time_, graph_.number(1));
}

void Names::declare_input(const Name& name) {
  declare(name, Meaning::input);
  std::string derivative = name.text;
  Expr before;
  for (Form& form : entries_.at(name.text).forms) {
    form.expression = graph_.symbol(derivative);
    input_symbols_.insert(form.expression.id());
    if (before) time_derivative_.set_tangent(before, form.expression);
    before = form.expression;
    derivative += '\'';
  }
}

void Names::declare_force(const Name& name, std::string_view word) {
  check_name(name, fmt::format("a {}", word), report_);
  const auto [it, is_new] = constraint_places_.try_emplace(name.text, name.where);
  if (!is_new) {
    const std::string place = it->second.line > 0 ? fmt::format(" (line {})", it->second.line) : "";
    report_.at_name(name, fmt::format("the {} {} is defined already{}", word, in_quotes(name.text), place));
  }
  constraints_.push_back(name.text);
}

void Names::set_definition(const std::string& name, Expr meaning) {
  Entry& entry = entries_.at(name);
  entry.forms[0] = form(meaning);
  entry.known = true;
}

bool Names::is_coordinate(const std::string& name) const {
  const auto it = entries_.find(name);
  return it != entries_.end() && it->second.meaning == Meaning::coordinate;
}

Expr Names::expression(const Text& text, const Scope& scope, const std::string& label) {
  return checked(text, scope, label, false);
}

Expr Names::equation(const Text& text, const Scope& scope, const std::string& label) {
  return checked(text, scope, label, true);
}

Expr Names::checked(const Text& text, const Scope& scope, const std::string& label, bool equation) {
  if (is_not_finite(text.text))
    report_.at_text(text, label, 0, fmt::format("{} is not a finite number", text.text));
  const Resolver resolver = [this, &scope](const std::string& name) { return resolve(name, scope); };
  Expr e;
  try {
    e = equation ? parse_equation(graph_, text.text, resolver) : parse(graph_, text.text, resolver);
  } catch (const Error& error) {
    report_.from_parser(text, label, error);
  }
  if (scope.kinks) return e;
  if (const Expr kink = find_kink(e)) {
    const std::string_view function = info(kink.function()).name;
    report_.at_text(
        text, label, find_word(text.text, function),
        fmt::format("'{}' is not smooth and may be used in forces, outputs and events only, not in {}",
                    function, scope.where));
  }
  return e;
}

Expr Names::find_order(Expr e, int order) const {
  for (const Expr& symbol : symbols_in(e)) {
    const auto it = orders_.find(symbol.id());
    if (it != orders_.end() && it->second == order) return symbol;
  }
  return {};
}

Expr Names::find_kink(Expr e) const {
  if (!find_non_analytic(e)) return {};
  std::unordered_set<NodeId> moving;
  for (const NodeId id : reachable(e)) {  // operands before users
    const Expr node = graph_.at(id);
    bool moves = node == time_ || orders_.contains(id) || input_symbols_.contains(id);
    for (std::size_t i = 0; i < node.size() && !moves; ++i) moves = moving.contains(node.operand(i).id());
    if (!moves) continue;
    if (node.kind() == Kind::function && !info(node.function()).analytic()) return node;
    moving.insert(id);
  }
  return {};
}

}  // namespace dalembert
