#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/codegen/c_expression.hpp>
#include <dalembert/codegen/c_names.hpp>

namespace dalembert {
namespace {

constexpr std::size_t longest_value = 160;  // letters, before it gets a name

// By the same names in math.h.
constexpr std::array functions_of_c{Function::sin,  Function::cos,  Function::tan,   Function::asin,
                                    Function::acos, Function::atan, Function::atan2, Function::sinh,
                                    Function::cosh, Function::tanh, Function::exp,   Function::log,
                                    Function::erf};

bool is_atom(Expr e) { return e.kind() == Kind::number || e.kind() == Kind::pi || e.kind() == Kind::symbol; }

class ExpressionWriter {
 public:
  ExpressionWriter(const CSymbols& symbols, std::string prefix)
      : symbols_(symbols), prefix_(std::move(prefix)) {}

  CExpressions write(std::span<const Expr> roots) {
    for (const Expr& root : roots) count(root);
    CExpressions result;
    for (const auto& [id, node] : nodes_) {
      std::string text = value_of(node);
      if (!is_atom(node) && (uses_.at(id) > 1 || text.size() > longest_value)) {
        const std::string name = fmt::format("{}{}", prefix_, ++definitions_);
        result.lines += fmt::format("  const double {} = {};\n", name, text);
        text = name;
      }
      texts_.emplace(id, std::move(text));
    }
    for (const Expr& root : roots) result.values.push_back(texts_.at(root.id()));
    return result;
  }

 private:
  // Operands have smaller numbers than their users: the map is in the order of evaluation.
  void count(Expr root) {
    std::vector<Expr> waiting{root};
    while (!waiting.empty()) {
      const Expr e = waiting.back();
      waiting.pop_back();
      ++uses_[e.id()];
      if (!nodes_.emplace(e.id(), e).second) continue;
      for (std::size_t i = 0; i < e.size(); ++i) waiting.push_back(e.operand(i));
    }
  }

  const std::string& text(Expr e) const { return texts_.at(e.id()); }

  std::string value_of(Expr e) const {
    switch (e.kind()) {
      case Kind::number: {
        const std::string number = c_number(to_double(e.number()));
        return number.starts_with('-') ? "(" + number + ")" : number;
      }
      case Kind::pi:
        return "3.14159265358979323846";
      case Kind::symbol: {
        const auto known = symbols_.find(e.id());
        if (known == symbols_.end()) throw Error("'" + e.name() + "' has no name in C");
        return known->second;
      }
      case Kind::sum:
        return sum(e);
      case Kind::product: {
        std::string result;
        for (std::size_t i = 0; i < e.size(); ++i) result += (i > 0 ? "*" : "") + text(e.operand(i));
        return "(" + result + ")";
      }
      case Kind::power:
        return power(e);
      case Kind::function: {
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < e.size(); ++i) arguments.push_back(text(e.operand(i)));
        return c_call(e.function(), arguments);
      }
    }
    throw Error("no such expression");
  }

  std::string sum(Expr e) const {
    std::string result = e.constant() == 0 ? "" : c_number(to_double(e.constant()));
    for (std::size_t i = 0; i < e.size(); ++i) {
      const double coefficient = to_double(e.coefficient(i));
      const double size = std::abs(coefficient);
      result += coefficient < 0 ? (result.empty() ? "-" : " - ") : (result.empty() ? "" : " + ");
      if (size != 1) result += c_number(size) + "*";
      result += text(e.operand(i));
    }
    return "(" + result + ")";
  }

  std::string power(Expr e) const {
    const std::string& base = text(e.operand(0));
    if (e.operand(1).is_number()) {
      const Rational& exponent = e.operand(1).number();
      if (exponent == -1) return "(1.0/" + base + ")";
      if (exponent == Rational(1, 2)) return "sqrt(" + base + ")";
      if (exponent == Rational(-1, 2)) return "(1.0/sqrt(" + base + "))";
    }
    return "pow(" + base + ", " + text(e.operand(1)) + ")";
  }

  const CSymbols& symbols_;
  std::string prefix_;
  std::map<NodeId, Expr> nodes_;
  std::map<NodeId, int> uses_;
  std::map<NodeId, std::string> texts_;
  int definitions_ = 0;
};

}  // namespace

std::string c_call(Function function, std::span<const std::string> arguments) {
  const std::string& x = arguments[0];
  if (function == Function::abs) return "fabs(" + x + ")";
  if (function == Function::sign) return "sign_of(" + x + ")";
  if (function == Function::min) return "lesser(" + x + ", " + arguments[1] + ")";
  if (function == Function::max) return "greater(" + x + ", " + arguments[1] + ")";
  const std::string name(info(function).name);
  if (std::find(functions_of_c.begin(), functions_of_c.end(), function) == functions_of_c.end())
    throw Error(fmt::format("the function {} cannot be written as C", name));
  return name + "(" + x + (arguments.size() > 1 ? ", " + arguments[1] : "") + ")";
}

CExpressions write_expressions(std::span<const Expr> expressions, const CSymbols& symbols,
                               const std::string& prefix) {
  return ExpressionWriter(symbols, prefix).write(expressions);
}

}  // namespace dalembert
