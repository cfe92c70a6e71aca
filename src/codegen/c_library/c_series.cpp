// A program's series as C: coefficient k of each register.
#include <string>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/codegen/c_program.hpp>

namespace dalembert {

std::string CProgram::series(Register r) const { return fmt::format("s[{}]", rows_.at(r)); }

std::string CProgram::series_at(Register r, const std::string& order) const {
  return fmt::format("s[{}][{}]", rows_.at(r), order);
}

// What depends on nothing, as the 0.2 of min(x, 0.2), comes with the first stage; its other coefficients are
// zero.
std::string CProgram::order_zero(Stage stage) {
  const Name name = [this](Register r) { return series_at(r, "0"); };
  std::string lines;
  const auto add = [&](Register r, const std::string& text) {
    lines += fmt::format("  {} = {};{}\n", name(r), text, comment(r));
  };
  for (const Instruction& i : program_.instructions) {
    const bool is_due = i.stage == stage || (stage == Stage::position && i.stage == Stage::constant);
    if (!is_due || i.op == Op::past_product) continue;
    add(i.result, value(i, name));
    if (i.second_result != no_register) add(i.second_result, second_value(i, name));
  }
  return lines;
}

std::string CProgram::order_k(Stage stage) {
  std::string lines;
  const auto add = [&](Register r, const std::string& text) {
    lines += fmt::format("  {} = {};{}\n", series_at(r, "k"), text, comment(r));
  };
  for (const Instruction& i : program_.instructions) {
    if (i.stage != stage) continue;
    add(i.result, coefficient(i));
    if (i.second_result != no_register) add(i.second_result, second_coefficient(i));
  }
  return lines;
}

std::string CProgram::coefficient(const Instruction& i) {
  const auto of = [this](Register r) { return series(r); };
  const auto integral = [&](Register w) {
    return call("integral_of_product", of(i.x) + ", " + of(w) + ", k");
  };
  const auto integral_over = [&](Register w) {
    return call("integral_of_quotient", of(i.x) + ", " + of(w) + ", " + of(i.result) + ", k");
  };
  switch (i.op) {
    case Op::linear:
      return linear(
          i, [this](Register r) { return series_at(r, "k"); }, false);
    case Op::product:
      return call("product", of(i.x) + ", " + of(i.y) + ", k");
    case Op::square:
      return call("product", of(i.x) + ", " + of(i.x) + ", k");
    case Op::quotient:
      return call("quotient", of(i.x) + ", " + of(i.y) + ", " + of(i.result) + ", k");
    case Op::inverse:
      return call("inverse", of(i.x) + ", " + of(i.result) + ", k");
    case Op::sqrt:
      return call("square_root", of(i.x) + ", " + of(i.result) + ", k");
    case Op::power:
      return call("power", of(i.x) + ", " + of(i.result) + ", " + constant(i.constant) + ", k");
    case Op::past_product: {
      const std::string sum =
          factor_times(i.constant, call("past_product", of(i.x) + ", " + of(i.y) + ", k"));
      if (i.z == no_register) return sum;
      return series_at(i.z, "k") + (sum.starts_with('-') ? " - " + sum.substr(1) : " + " + sum);
    }
    case Op::exp:
      return integral(i.result);
    case Op::log:
      return integral_over(i.x);
    case Op::sincos:
    case Op::sinhcosh:
    case Op::tan:
    case Op::tanh:
      return integral(i.second_result);
    case Op::asin:
    case Op::acos:
    case Op::atan:
      return integral_over(i.y);
    case Op::atan2:
      return call("angle", of(i.x) + ", " + of(i.y) + ", " + of(i.z) + ", " + of(i.result) + ", k");
    case Op::abs:
      return call("sign_of", series_at(i.x, "0")) + "*" + series_at(i.x, "k");
    case Op::sign:
      return "0.0";
    case Op::min:
      return fmt::format("({} < {}) ? {} : {}", series_at(i.y, "0"), series_at(i.x, "0"), series_at(i.y, "k"),
                         series_at(i.x, "k"));
    case Op::max:
      return fmt::format("({} > {}) ? {} : {}", series_at(i.y, "0"), series_at(i.x, "0"), series_at(i.y, "k"),
                         series_at(i.x, "k"));
    case Op::erf:
      return integral(i.y);
  }
  throw Error("an operation that cannot be written as C");
}

std::string CProgram::second_coefficient(const Instruction& i) {
  const std::string x = series(i.x), u = series(i.result);
  if (i.op == Op::sincos) return "-" + call("integral_of_product", x + ", " + u + ", k");
  if (i.op == Op::sinhcosh) return call("integral_of_product", x + ", " + u + ", k");
  if (i.op == Op::tan) return call("product", u + ", " + u + ", k");
  if (i.op == Op::tanh) return "-" + call("product", u + ", " + u + ", k");
  throw Error("an operation with two results that cannot be written as C");
}

std::string CProgram::at_zero(const Scaled& output) {
  return output.x == no_register ? constant(output.coefficient)
                                 : factor_times(output.coefficient, series_at(output.x, "0"));
}

std::string CProgram::at_order(const Scaled& output, const std::string& order) {
  return output.x == no_register ? "0.0" : factor_times(output.coefficient, series_at(output.x, order));
}

}  // namespace dalembert
