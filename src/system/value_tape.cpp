#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/series.hpp>
#include <dalembert/tape/sincos.hpp>

namespace dalembert {

ValueTape::ValueTape(const System& system, const Program& program)
    : constants_(evaluate_constants<double>(program, system.parameter_values<double>())),
      registers_(program.register_count() + 1, 0.0),
      inputs_(program.inputs) {
  for (Register& input : inputs_) {
    if (input == no_register) input = static_cast<Register>(program.register_count());
  }
  for (const Instruction& instruction : program.instructions) add(program, instruction);
  run(Stage::constant);
}

void ValueTape::add(const Program& program, const Instruction& instruction) {
  const auto unused = static_cast<Register>(program.register_count());
  const auto place = [&](Register r) { return r == no_register ? unused : r; };
  Code code{instruction.result, place(instruction.second_result), place(instruction.x), place(instruction.y),
            constants_[instruction.constant]};
  if (instruction.op == Op::linear) {
    code.x = static_cast<std::uint32_t>(terms_.size());
    for (std::uint32_t i = 0; i < instruction.term_count; ++i) {
      const LinearTerm& term = program.terms[instruction.first_term + i];
      terms_.push_back({constants_[term.coefficient], term.x});
    }
    code.y = static_cast<std::uint32_t>(terms_.size());
  }
  code_.push_back(code);
  const auto count = static_cast<std::uint32_t>(code_.size());
  std::vector<Run>& runs = runs_[static_cast<std::size_t>(instruction.stage)];
  if (runs.empty() || runs.back().op != instruction.op || runs.back().last != count - 1) {
    runs.push_back({instruction.op, count - 1, count});
  } else {
    runs.back().last = count;
  }
}

void ValueTape::run(Stage stage) {
  double* r = registers_.data();
  for (const Run& run : runs_[static_cast<std::size_t>(stage)]) {
    switch (run.op) {
      case Op::linear:
        run_linear(run);
        break;
      case Op::product:
        for (const Code* c = &code_[run.first]; c != code_.data() + run.last; ++c)
          r[c->result] = r[c->x] * r[c->y];
        break;
      case Op::square:
        for (const Code* c = &code_[run.first]; c != code_.data() + run.last; ++c)
          r[c->result] = r[c->x] * r[c->x];
        break;
      case Op::sincos:
        run_sincos(run);
        break;
      default:
        run_functions(run);
    }
  }
}

// As many at once as there are lanes.
void ValueTape::run_sincos(const Run& run) {
  double* r = registers_.data();
  for (std::uint32_t first = run.first; first < run.last; first += native_lanes) {
    const std::uint32_t count = std::min<std::uint32_t>(native_lanes, run.last - first);
    Lanes<native_lanes> x{};
    for (std::uint32_t i = 0; i < count; ++i) x[i] = r[code_[first + i].x];
    Lanes<native_lanes> sine, cosine;
    sincos<native_lanes>(x, sine, cosine);
    for (std::uint32_t i = 0; i < count; ++i) {
      r[code_[first + i].result] = sine[i];
      r[code_[first + i].second] = cosine[i];
    }
  }
}

void ValueTape::run_linear(const Run& run) {
  double* r = registers_.data();
  for (const Code* c = &code_[run.first]; c != code_.data() + run.last; ++c) {
    double sum = c->constant;
    for (std::uint32_t j = c->x; j < c->y; ++j) sum += terms_[j].coefficient * r[terms_[j].x];
    r[c->result] = sum;
  }
}

void ValueTape::run_functions(const Run& run) {
  for (std::uint32_t i = run.first; i < run.last; ++i) {
    const Code& c = code_[i];
    const double x = registers_[c.x];
    const double y = registers_[c.y];
    double& u = registers_[c.result];
    double& second = registers_[c.second];
    switch (run.op) {
      case Op::quotient:
        u = x / y;
        break;
      case Op::inverse:
        u = 1 / x;
        break;
      case Op::sqrt:
        u = std::sqrt(x);
        break;
      case Op::power:
        u = std::pow(x, c.constant);
        break;
      case Op::exp:
        u = std::exp(x);
        break;
      case Op::log:
        u = std::log(x);
        break;
      case Op::sinhcosh:
        u = std::sinh(x), second = std::cosh(x);
        break;
      case Op::tan:
        u = std::tan(x), second = 1 + u * u;
        break;
      case Op::tanh:
        u = std::tanh(x), second = 1 - u * u;
        break;
      case Op::asin:
        u = std::asin(x);
        break;
      case Op::acos:
        u = std::acos(x);
        break;
      case Op::atan:
        u = std::atan(x);
        break;
      case Op::atan2:
        u = std::atan2(x, y);
        break;
      case Op::abs:
        u = std::abs(x);
        break;
      case Op::sign:
        u = x > 0 ? 1 : x < 0 ? -1 : x;
        break;
      case Op::min:
        u = y < x || y != y ? y : x;
        break;
      case Op::max:
        u = y > x || y != y ? y : x;
        break;
      default:  // handled by run()
        break;
    }
  }
}

}  // namespace dalembert
