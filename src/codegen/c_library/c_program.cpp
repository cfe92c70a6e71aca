#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/codegen/c_names.hpp>
#include <dalembert/codegen/c_program.hpp>
#include <dalembert/expr/print.hpp>

namespace dalembert {
namespace {

constexpr std::size_t longest_inlined = 56;
constexpr std::size_t longest_meaning = 90;

bool needs_parentheses(const std::string& text) { return text.find(' ') != std::string::npos; }

std::string factor_of(const std::string& text) {
  return needs_parentheses(text) || text.starts_with('-') ? "(" + text + ")" : text;
}

// A divisor.
std::string below(const std::string& text) {
  return text.find_first_of(" */-") != std::string::npos ? "(" + text + ")" : text;
}

}  // namespace

CProgram::CProgram(const Program& program, CSymbols parameters, std::string array, CHelpers& helpers)
    : program_(program), parameters_(std::move(parameters)), array_(std::move(array)), helpers_(helpers) {
  const auto add_row = [&](Register r) {
    if (r != no_register) rows_.try_emplace(r, rows_.size());
  };
  for (const Register r : program.inputs) add_row(r);
  for (const Instruction& i : program.instructions) {
    add_row(i.result);
    add_row(i.second_result);
  }
}

std::string CProgram::constant(ConstantId id) {
  const Expr e = program_.constants[id];
  if (e.is_number()) return c_number(to_double(e.number()));
  if (const auto known = parameters_.find(e.id()); known != parameters_.end()) return known->second;
  const std::size_t number = used_constants_.try_emplace(id, used_constants_.size()).first->second;
  return fmt::format("{}[{}]", array_, number);
}

std::string CProgram::constants() const {
  std::vector<Expr> expressions(used_constants_.size());
  for (const auto& [id, number] : used_constants_) expressions[number] = program_.constants[id];
  const CExpressions written = write_expressions(expressions, parameters_, "e");
  std::string lines = written.lines;
  for (std::size_t i = 0; i < expressions.size(); ++i)
    lines += fmt::format("  {}[{}] = {};\n", array_, i, written.values[i]);
  for (const char* name : {"sign_of", "lesser", "greater"})
    if (lines.find(std::string(name) + "(") != std::string::npos) helpers_.need(name);
  return lines;
}

std::string CProgram::factor_times(ConstantId id, const std::string& value) {
  const std::string factor = constant(id);
  if (factor == "1.0") return value;
  return factor == "-1.0" ? "-" + value : factor + "*" + value;
}

std::string CProgram::linear(const Instruction& i, const Name& name, bool has_constant) {
  std::string text = has_constant && i.constant != 0 ? constant(i.constant) : "";
  for (std::uint32_t t = i.first_term; t < i.first_term + i.term_count; ++t) {
    const LinearTerm& term = program_.terms[t];
    const std::string product = factor_times(term.coefficient, factor_of(name(term.x)));
    const bool is_negative = product.starts_with('-');
    if (text.empty()) {
      text = product;
    } else {
      text += is_negative ? " - " + product.substr(1) : " + " + product;
    }
  }
  return text.empty() ? "0.0" : text;
}

std::string CProgram::call(const std::string& function, const std::string& arguments) {
  helpers_.need(function);
  return function + "(" + arguments + ")";
}

std::string CProgram::value(const Instruction& i, const Name& name) {
  const auto x = [&] { return name(i.x); };
  switch (i.op) {
    case Op::linear:
      return linear(i, name, true);
    case Op::product:
      return factor_of(x()) + "*" + factor_of(name(i.y));
    case Op::square:
      return factor_of(x()) + "*" + factor_of(x());
    case Op::quotient:
      return factor_of(x()) + "/" + below(name(i.y));
    case Op::inverse:
      return "1.0/" + below(x());
    case Op::sqrt:
      return "sqrt(" + x() + ")";
    case Op::power:
      return "pow(" + x() + ", " + constant(i.constant) + ")";
    case Op::past_product:
      return i.z == no_register ? "0.0" : name(i.z);
    case Op::exp:
      return "exp(" + x() + ")";
    case Op::log:
      return "log(" + x() + ")";
    case Op::sincos:
      return "sin(" + x() + ")";
    case Op::sinhcosh:
      return "sinh(" + x() + ")";
    case Op::tan:
      return "tan(" + x() + ")";
    case Op::tanh:
      return "tanh(" + x() + ")";
    case Op::asin:
      return "asin(" + x() + ")";
    case Op::acos:
      return "acos(" + x() + ")";
    case Op::atan:
      return "atan(" + x() + ")";
    case Op::atan2:
      return "atan2(" + x() + ", " + name(i.y) + ")";
    case Op::abs:
      return "fabs(" + x() + ")";
    case Op::sign:
      return call("sign_of", x());
    case Op::min:
      return call("lesser", x() + ", " + name(i.y));
    case Op::max:
      return call("greater", x() + ", " + name(i.y));
    case Op::erf:
      return "erf(" + x() + ")";
  }
  throw Error("an operation that cannot be written as C");
}

// Of a function that is computed with another.
std::string CProgram::second_value(const Instruction& i, const Name& name) {
  const std::string x = name(i.x);
  if (i.op == Op::sincos) return "cos(" + x + ")";
  if (i.op == Op::sinhcosh) return "cosh(" + x + ")";
  const std::string square = factor_of(name(i.result)) + "*" + factor_of(name(i.result));
  if (i.op == Op::tan) return "1.0 + " + square;
  if (i.op == Op::tanh) return "1.0 - " + square;
  throw Error("an operation with two results that cannot be written as C");
}

// Whether the value of a function does not need the second operand of its recurrence.
static bool is_for_derivatives(Op op) {
  return op == Op::asin || op == Op::acos || op == Op::atan || op == Op::erf;
}

std::vector<int> CProgram::count_uses(std::span<const Scaled> outputs) const {
  std::vector<int> uses(program_.register_count(), 0);
  const auto use = [&](Register r) {
    if (r != no_register) ++uses[r];
  };
  for (const Scaled& output : outputs) use(output.x);
  for (auto i = program_.instructions.rbegin(); i != program_.instructions.rend(); ++i) {
    const bool second_is_used = i->second_result != no_register && uses[i->second_result] > 0;
    if (uses[i->result] == 0 && !second_is_used) continue;
    if (second_is_used && (i->op == Op::tan || i->op == Op::tanh)) uses[i->result] += 2;
    use(i->x);
    if (!is_for_derivatives(i->op)) use(i->y);
    if (i->op == Op::square || (second_is_used && uses[i->result] > 0)) use(i->x);
    for (std::uint32_t t = i->first_term; t < i->first_term + i->term_count; ++t) use(program_.terms[t].x);
  }
  return uses;
}

void CProgram::write_values_of(const Instruction& i, const std::vector<int>& uses,
                               std::map<Register, std::string>& texts, std::string& lines) {
  const Name name = [&](Register r) { return texts.at(r); };
  const auto add = [&](Register r, const std::string& text) {
    if (uses[r] == 1 && text.size() <= longest_inlined) {
      texts[r] = text;
      return;
    }
    texts[r] = fmt::format("r{}", rows_.at(r));
    lines += fmt::format("  const double {} = {};{}\n", texts[r], text, comment(r));
  };
  if (uses[i.result] > 0) add(i.result, value(i, name));
  if (i.second_result != no_register && uses[i.second_result] > 0)
    add(i.second_result, second_value(i, name));
}

CProgram::Values CProgram::values(std::span<const std::string> inputs, std::span<const Scaled> outputs) {
  std::map<Register, std::string> texts;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (program_.inputs[i] != no_register) texts.emplace(program_.inputs[i], inputs[i]);
  const std::vector<int> uses = count_uses(outputs);
  Values result;
  for (const Instruction& i : program_.instructions) write_values_of(i, uses, texts, result.lines);
  for (const Scaled& output : outputs) {
    result.outputs.push_back(output.x == no_register
                                 ? constant(output.coefficient)
                                 : factor_times(output.coefficient, factor_of(texts.at(output.x))));
  }
  return result;
}

std::string CProgram::comment(Register r) const {
  const Expr meaning = program_.meaning[r];
  return meaning ? "  /* " + c_comment(text_excerpt(meaning, longest_meaning)) + " */" : "";
}

}  // namespace dalembert
