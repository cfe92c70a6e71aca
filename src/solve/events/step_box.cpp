#include "events/step_box.hpp"

#include <cmath>
#include <cstdint>
#include <unordered_set>

namespace dalembert {
namespace {

std::vector<Interval> as_intervals(const std::vector<double>& constants) {
  return {constants.begin(), constants.end()};
}

std::unordered_set<Register> read_by(const Program& program) {
  std::unordered_set<Register> registers;
  for (const Instruction& i : program.instructions) {
    registers.insert({i.x, i.y, i.z});
    for (std::uint32_t k = 0; k < i.term_count; ++k) registers.insert(program.terms[i.first_term + k].x);
  }
  return registers;
}

}  // namespace

StepBox::StepBox(const System& system, const std::vector<Register>& wanted)
    : n_(system.n()),
      first_multiplier_(3 * system.n()),
      program_(part_of(system.events().program, wanted)),
      values_(program_, as_intervals(system.constants<double>(system.events().program))) {
  std::unordered_set<Register> used = read_by(program_);
  used.insert(wanted.begin(), wanted.end());
  used.erase(no_register);
  for (std::size_t i = 0; i < 3 * system.n() + system.m() && !wanted.empty(); ++i)
    if (used.contains(program_.inputs[system.input_q(0) + i])) used_.push_back(i);
}

void StepBox::read(const StepPolynomials<double>& step, double begin, double length) {
  step_ = &step;
  length_ = length;
  if (!program_.inputs.empty()) values_.set(System::input_t(), {begin, begin + length});
  for (const std::size_t i : used_) values_.set(1 + i, range_of(i));
  values_.run();
}

// c₀ ± Σ |c_k| hᵏ
Interval StepBox::range_of(std::size_t component) const {
  const int degree = component < n_ ? step_->order + 1 : component < 2 * n_ ? step_->order : step_->order - 1;
  const double* c = step_->q(degree) + component;
  double sum = 0;
  for (int k = degree; k > 0; --k, c -= step_->width()) sum = (sum + std::abs(*c)) * length_;
  return Interval::widened(*c - sum, *c + sum);
}

}  // namespace dalembert
