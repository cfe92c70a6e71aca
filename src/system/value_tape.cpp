#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/series.hpp>
#include <dalembert/tape/sincos.hpp>

namespace dalembert {
namespace {

// Level by level of the dependencies, within a level by operation and number of terms: long runs of the same.
// All stages together: those that wait for nothing fill the time in which a chain of others waits for itself.
std::vector<Instruction> in_long_runs(const Program& program) {
  std::vector<std::uint32_t> level(program.register_count() + 1, 0);  // of each register; the last: none
  const auto at = [&](Register r) -> std::uint32_t& {
    return level[r == no_register ? program.register_count() : r];
  };
  std::vector<std::pair<std::uint32_t, Instruction>> placed;
  placed.reserve(program.instructions.size());
  for (const Instruction& instruction : program.instructions) {
    std::uint32_t deepest = 0;
    if (instruction.op == Op::linear) {
      for (std::uint32_t i = 0; i < instruction.term_count; ++i)
        deepest = std::max(deepest, at(program.terms[instruction.first_term + i].x));
    } else {
      deepest = std::max(at(instruction.x), at(instruction.y));
    }
    placed.emplace_back(deepest, instruction);
    const std::uint32_t next = instruction.stage == Stage::constant ? 0 : deepest + 1;
    at(instruction.result) = next;
    if (instruction.second_result != no_register) at(instruction.second_result) = next;
  }
  std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) {
    const auto key = [](const auto& p) {
      return std::tuple(p.first, p.second.op, p.second.op == Op::linear ? p.second.term_count : 0,
                        p.second.stage);
    };
    return key(a) < key(b);
  });
  std::vector<Instruction> sorted;
  sorted.reserve(placed.size());
  for (const auto& [depth, instruction] : placed) sorted.push_back(instruction);
  return sorted;
}

}  // namespace

ValueTape::ValueTape(const System& system, const Program& program)
    : constants_(system.constants<double>(program)),
      registers_(program.register_count() + 2, 0.0),
      inputs_(program.inputs) {
  registers_.back() = 1;
  for (Register& input : inputs_) {
    if (input == no_register) input = static_cast<Register>(program.register_count());
  }
  for (const Instruction& instruction : in_long_runs(program)) add(program, instruction);
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
  if (instruction.op == Op::sign) code.constant = std::numeric_limits<double>::quiet_NaN();
  code_.push_back(code);
  const std::uint32_t terms = instruction.op == Op::linear ? code.y - code.x : 0;
  extend(runs_[static_cast<std::size_t>(instruction.stage)], instruction.op, terms);
  if (instruction.stage != Stage::constant) extend(all_, instruction.op, terms);
}

void ValueTape::hold_sign(Register r, double value) {
  for (Code& code : code_) {
    if (code.result == r) code.constant = value;
  }
}

// By the instruction that was added last.
void ValueTape::extend(std::vector<Run>& runs, Op op, std::uint32_t terms) const {
  const auto count = static_cast<std::uint32_t>(code_.size());
  if (runs.empty() || runs.back().op != op || runs.back().terms != terms || runs.back().last != count - 1) {
    runs.push_back({op, terms, count - 1, count});
  } else {
    runs.back().last = count;
  }
}

void ValueTape::execute(const std::vector<Run>& runs) {
  double* r = registers_.data();
  for (const Run& run : runs) {
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

// As many at once as there are lanes; in their place the last one again where fewer are left.
void ValueTape::run_sincos(const Run& run) {
  double* r = registers_.data();
  for (std::uint32_t first = run.first; first < run.last; first += native_lanes) {
    const Code* const code = &code_[first];
    const std::uint32_t count = std::min<std::uint32_t>(native_lanes, run.last - first);
    // lane by lane in a loop x would be put together in memory, which a vector waits long for
    const auto gather = [&]<std::uint32_t... i>(std::integer_sequence<std::uint32_t, i...>) {
      return Lanes<native_lanes>{r[code[std::min(i, count - 1)].x]...};
    };
    const Lanes<native_lanes> x = gather(std::make_integer_sequence<std::uint32_t, native_lanes>());
    Lanes<native_lanes> sine, cosine;
    sincos<native_lanes>(x, sine, cosine);
    for (std::uint32_t i = 0; i < count; ++i) {
      r[code[i].result] = sine[i];
      r[code[i].second] = cosine[i];
    }
  }
}

// Sums of a number of terms that is known here, so that there is no inner loop.
template <std::uint32_t terms>
void ValueTape::run_sums(const Run& run) {
  double* r = registers_.data();
  const Weighted* term = terms_.data() + code_[run.first].x;  // those of a run follow each other
  for (const Code* c = &code_[run.first]; c != code_.data() + run.last; ++c, term += terms) {
    double sum = c->constant;
    for (std::uint32_t i = 0; i < terms; ++i) sum += term[i].coefficient * r[term[i].x];
    r[c->result] = sum;
  }
}

void ValueTape::run_linear(const Run& run) {
  double* r = registers_.data();
  const Weighted* term = terms_.data() + code_[run.first].x;
  const Code* const end = code_.data() + run.last;
  switch (run.terms) {
    case 1:
      return run_sums<1>(run);
    case 2:
      return run_sums<2>(run);
    case 3:
      return run_sums<3>(run);
    case 4:
      return run_sums<4>(run);
    default:
      for (const Code* c = &code_[run.first]; c != end; ++c) {
        double sum = c->constant;
        for (const Weighted* const last = term + run.terms; term != last; ++term)
          sum += term->coefficient * r[term->x];
        r[c->result] = sum;
      }
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
        u = c.constant == c.constant ? c.constant : (x > 0 ? 1 : x < 0 ? -1 : x);
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
