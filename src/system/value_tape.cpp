#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/system/value_tape.hpp>
#include <dalembert/tape/operations.hpp>
#include <dalembert/tape/series.hpp>
#include <dalembert/tape/sincos.hpp>

namespace dalembert {
namespace {

// Level by level of the dependencies, within a level by operation and number of terms: long runs of the same.
// All stages together: those that wait for nothing fill the time in which a chain of others waits for itself.
// The levels that they are given here are of all stages, too.
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
  for (auto& [depth, instruction] : placed) {
    instruction.level = depth;
    sorted.push_back(instruction);
  }
  return sorted;
}

}  // namespace

ValueTape::ValueTape(const System& system, const Program& program)
    : ValueTape(system, program, system.value_tape(program)) {}

// As the other, with the system's parameters.
ValueTape::ValueTape(const System& system, const Program& program, std::shared_ptr<const ValueTape> like)
    : ValueTape(like ? *like : ValueTape(program, system.constants<double>(program))) {
  if (like) set_constants(system.constants<double>(program));
}

ValueTape::ValueTape(const Program& program, std::vector<double> constants)
    : constants_(std::move(constants)),
      ids_(std::make_shared<ConstantIds>()),
      registers_(program.register_count() + 2, 0.0),
      inputs_(program.inputs) {
  registers_.back() = 1;
  for (Register& input : inputs_) {
    if (input == no_register) input = static_cast<Register>(program.register_count());
  }
  for (const Instruction& instruction : in_long_runs(program)) add(program, instruction);
  run(Stage::constant);
}

void ValueTape::set_constants(std::vector<double> constants) {
  constants_ = std::move(constants);
  for (std::size_t i = 0; i < code_.size(); ++i) {
    if (ids_->of_code[i] != ValueTape::held) code_[i].constant = constants_[ids_->of_code[i]];
  }
  for (std::size_t i = 0; i < terms_.size(); ++i) terms_[i].coefficient = constants_[ids_->of_terms[i]];
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
      ids_->of_terms.push_back(term.coefficient);
    }
    code.y = static_cast<std::uint32_t>(terms_.size());
  }
  if (instruction.op == Op::sign) code.constant = std::numeric_limits<double>::quiet_NaN();
  code_.push_back(code);
  ids_->of_code.push_back(instruction.op == Op::sign ? held : instruction.constant);
  Run run{instruction.op, 0, 0, 0, 0};
  if (instruction.op == Op::linear) run.terms = code.y - code.x;
  if (instruction.op == Op::sincos) run.level = instruction.level;
  extend(runs_[static_cast<std::size_t>(instruction.stage)], run);
  if (instruction.stage != Stage::constant) extend(all_, run);
}

void ValueTape::hold_sign(Register r, double value) {
  for (Code& code : code_) {
    if (code.result == r) code.constant = value;
  }
}

// By the instruction that was added last.
void ValueTape::extend(std::vector<Run>& runs, Run run) const {
  run.last = static_cast<std::uint32_t>(code_.size());
  run.first = run.last - 1;
  const bool follows = !runs.empty() && runs.back().op == run.op && runs.back().terms == run.terms &&
                       runs.back().level == run.level && runs.back().last == run.first;
  if (follows) {
    runs.back().last = run.last;
  } else {
    runs.push_back(run);
  }
}

void ValueTape::execute(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.op == Op::linear) {
      run_linear(run);
    } else if (run.op == Op::sincos) {
      run_sincos(run);
    } else {
      run_others(run);
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

// A sign that is held has its value as constant.
void ValueTape::run_others(const Run& run) {
  with_operation(run.op, [&](auto unit) {
    using Unit = decltype(unit);
    double* const r = registers_.data();
    for (const Code* c = &code_[run.first]; c != code_.data() + run.last; ++c) {
      if constexpr (std::is_same_v<Unit, operations::Power>) {
        unit.evaluate(r[c->x], c->constant, r[c->result], r[c->second]);
      } else if constexpr (Unit::branch == Branch::jump) {
        r[c->result] = std::isnan(c->constant) ? unit.value(r[c->x]) : c->constant;
      } else if constexpr (!(std::is_same_v<Unit, operations::Linear> ||
                             std::is_same_v<Unit, operations::PastProduct>)) {
        unit.evaluate(r[c->x], r[c->y], r[c->result], r[c->second]);
      }
    }
  });
}

}  // namespace dalembert
