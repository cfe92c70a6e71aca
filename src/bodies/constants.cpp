#include "constants.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/text.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/reserved.hpp>

namespace dalembert {
namespace {

constexpr std::size_t longest_inline = 24;  // characters of a constant that is written where it is used

}  // namespace

Constants::Constants(Graph& graph, ModelDraft& draft, const Reporter& report)
    : graph_(graph), draft_(draft), report_(report) {
  for (const auto& [name, text] : draft.parameters) {
    names_.push_back(name.text);
    try {  // mistakes of parameters are reported when the model is made
      values_[graph.symbol(name.text).id()] = evaluate<double>(parse(graph, text.text), values_);
    } catch (const Error&) {
      values_[graph.symbol(name.text).id()] = 1;
    }
  }
}

Expr Constants::expression(const Text& text, const std::string& label) const {
  const Resolver resolver = [this](const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
      throw Error(fmt::format("{} is no parameter, and only parameters may be used here{}", in_quotes(name),
                              suggestion(name, names_)));
    }
    return graph_.symbol(name);
  };
  if (is_not_finite(text.text))
    report_.at_text(text, label, 0, fmt::format("{} is not a finite number", text.text));
  try {
    const Expr e = parse(graph_, text.text, resolver);
    if (!std::isfinite(value(e))) throw Error("the value is not a finite number", {"", 1, 1});
    return e;
  } catch (const Error& error) {
    report_.from_parser(text, label, error);
  }
}

double Constants::value(Expr e) const { return evaluate<double>(e, values_); }

Expr Constants::named(const std::string& name, Expr e) {
  std::string text = to_text(e);
  if (text.size() <= longest_inline) return e;
  const Expr symbol = graph_.symbol(name);
  values_[symbol.id()] = value(e);
  draft_.parameters.push_back({name, std::move(text)});
  return symbol;
}

Vector Constants::named(const std::string& name, const Vector& v) {
  return {named(name + "_x", v.x), named(name + "_y", v.y), named(name + "_z", v.z)};
}

}  // namespace dalembert
