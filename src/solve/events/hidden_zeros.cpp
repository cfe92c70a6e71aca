#include "events/hidden_zeros.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {
namespace {

// Where it ends or changes the motion, or is an argument; and gaps.
std::vector<Scaled> functions_of(const System& system) {
  std::vector<Scaled> functions;
  const EventProgram& program = system.events();
  for (const EventProgram::Functions& event : program.events)
    functions.insert(functions.end(), event.when.begin(), event.when.end());
  functions.insert(functions.end(), program.gaps.begin(), program.gaps.end());
  std::erase_if(functions, [](const Scaled& one) { return one.x == no_register; });
  return functions;
}

std::vector<Register> registers_of(const std::vector<Scaled>& functions) {
  std::vector<Register> registers;
  for (const Scaled& one : functions) registers.push_back(one.x);
  return registers;
}

}  // namespace

HiddenZeros::HiddenZeros(const System& system, int max_order)
    : system_(system),
      functions_(functions_of(system)),
      series_(system.events().program, system.constants<double>(system.events().program), max_order,
              registers_of(functions_)),
      locator_(max_order) {
  if (functions_.empty() || find_hiding_calls(system.events().program).empty()) return;
  const std::vector<Register> registers = registers_of(functions_);
  enclosure_.emplace(series_, registers, registers);
  std::erase_if(functions_, [this](const Scaled& one) { return !enclosure_->depends(one.x); });
  if (functions_.empty()) enclosure_.reset();
}

double HiddenZeros::shown_share(const StepPolynomials<double>& motion, double h) {
  pair_ = {};
  direction_ = h < 0 ? -1 : 1;
  read(motion);
  const double share = enclosure_->read(order_, h) ? prove() : 1;
  find_zeros(share * std::abs(h));
  return share;
}

// a and λ end an order before v.
void HiddenZeros::read(const StepPolynomials<double>& motion) {
  const std::size_t n = system_.n(), m = system_.m();
  order_ = std::min(motion.order, series_.max_order());
  for (int k = 0; k < order_; ++k) {
    series_.inputs(System::input_t(), 1, k)[0] = k == 0 ? motion.t0 : (k == 1 ? 1 : 0);
    std::copy_n(motion.q(k), n, series_.inputs(system_.input_q(0), n, k).begin());
    std::copy_n(motion.v(k), n, series_.inputs(system_.input_v(0), n, k).begin());
    std::copy_n(motion.q(k) + 2 * n, n, series_.inputs(system_.input_a(0), n, k).begin());
    if (m > 0) std::copy_n(motion.q(k) + 3 * n, m, series_.inputs(system_.input_lambda(0), m, k).begin());
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) series_.run(stage, k);
  }
}

// From the start of the step as far as parts of it are shown, halved again and again (enclosure_guard.hpp).
double HiddenZeros::prove() {
  constexpr int deepest = 20, most_parts = 200;
  constexpr double close = 0.02;  // to where it ends
  double from = 0, part = 1;
  int depth = 0;
  for (int parts = 0; from < 1; ++parts) {
    if (is_shown(from, std::min(from + part, 1.0))) {
      from += part;
      while (depth > 0 && std::fmod(from, 2 * part) == 0) part *= 2, --depth;
      continue;
    }
    const double visible = from == 0 ? enclosure_->visible_share() : 0;
    if (from > 0 && (part < close * from || depth == deepest || parts > most_parts)) return from;
    if (from == 0 && (part <= visible || depth == deepest)) return std::max(visible, 0.5 * part);
    part *= 0.5;
    ++depth;
  }
  return 1;
}

bool HiddenZeros::is_shown(double from, double to) {
  enclosure_->enclose(0, from, to);
  return std::ranges::none_of(functions_,
                              [this](const Scaled& one) { return enclosure_->hides_zero(one.x); });
}

void HiddenZeros::find_zeros(double length) {
  double first = length;
  for (const Scaled& one : functions_) {
    coefficients_.clear();
    double power = 1;
    for (int k = 0; k < order_; ++k, power *= direction_)
      coefficients_.push_back(series_.output(one, k) * power);
    const double here = coefficients_[0];
    zeros_.clear();
    const int side = here > 0 ? 1 : here < 0 ? -1 : locator_.side_ahead(coefficients_, length);
    if (side != 0) locator_.find_all(coefficients_, length, side, here == 0, zeros_);
    std::erase_if(zeros_, [](const auto& zero) { return zero.touches; });
    if (zeros_.empty() || !(zeros_[0].at < first)) continue;
    first = zeros_[0].at;
    pair_ = {first, zeros_.size() > 1 ? zeros_[1].at : 0};
  }
}

}  // namespace dalembert
