#include "events/linear_form.hpp"

#include <algorithm>

namespace dalembert {
namespace {

constexpr std::size_t most_terms = 16;  // more rows cost what the program does

// Of a register of the program.
bool add_register(LinearForm& form, const System& system, std::span<const double> constants, Register r,
                  double factor) {
  const Program& program = system.events().program;
  if (r == program.inputs[System::input_t()]) {
    form.slope += factor;
    return true;
  }
  const auto first = program.inputs.begin() + static_cast<std::ptrdiff_t>(system.input_q(0));
  const auto input = std::find(first, program.inputs.end(), r);
  const auto component = static_cast<std::size_t>(input - first);
  if (input != program.inputs.end() && component < 3 * system.n() + system.m()) {
    form.terms.push_back({component, factor});
    return form.terms.size() <= most_terms;
  }
  const auto i = std::ranges::find(program.instructions, r, &Instruction::result);
  if (i == program.instructions.end() || i->op != Op::linear) return false;
  form.constant += factor * constants[i->constant];
  for (std::uint32_t k = 0; k < i->term_count; ++k) {
    const LinearTerm& term = program.terms[i->first_term + k];
    if (!add_register(form, system, constants, term.x, factor * constants[term.coefficient])) return false;
  }
  return true;
}

}  // namespace

bool LinearForm::add(const System& system, std::span<const double> constants, const Scaled& output,
                     double factor) {
  const double scaled = factor * constants[output.coefficient];
  if (output.x != no_register) return add_register(*this, system, constants, output.x, scaled);
  constant += scaled;
  return true;
}

void LinearForm::eval(const StepPolynomials<double>& step, double begin, std::span<const double> powers,
                      std::span<double> coefficients) const {
  const double* row = step.q(0);
  for (std::size_t k = 0; k < coefficients.size(); ++k, row += step.width()) {
    double sum = 0;
    for (const Term& term : terms) sum += term.factor * row[term.component];
    coefficients[k] = sum * powers[k];
  }
  coefficients[0] += constant + slope * begin;
  if (coefficients.size() > 1) coefficients[1] += slope * powers[1];
}

}  // namespace dalembert
