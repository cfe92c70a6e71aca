#include "events/hidden_zeros.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {
namespace {

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

HiddenZeros::HiddenZeros(const System& system, const Settings& settings)
    : system_(system), settings_(settings), functions_(functions_of(system)), locator_(settings.max_order) {
  const Program& program = system.events().program;
  if (find_hiding_calls(program).empty()) functions_.clear();
  if (functions_.empty()) return;
  const std::vector<Register> registers = registers_of(functions_);
  series_.emplace(program, system.constants<double>(program), settings.max_order, registers);
  enclosure_.emplace(*series_, registers, registers);
  std::erase_if(functions_, [this](const Scaled& one) { return !enclosure_->depends(one.x); });
}

double HiddenZeros::shown_share(const StepPolynomials<double>& motion, double h) {
  constexpr double least_share = 1e-6;  // towards singular points
  shown_ = 0;
  direction_ = h < 0 ? -1 : 1;
  read(motion);
  double share = !enclosure_->empty() && enclosure_->read(order_, h) ? prove() : 1;
  const double length = std::abs(h);
  for (const Scaled& one : functions_)
    share = std::min(share, converged_length(one, share * length) / length);
  share = std::max(share, least_share);
  shown_ = share * length;
  return share;
}

// a and λ end an order before v.
void HiddenZeros::read(const StepPolynomials<double>& motion) {
  const std::size_t n = system_.n(), m = system_.m();
  order_ = std::min(motion.order, series_->max_order());
  for (int k = 0; k < order_; ++k) {
    series_->inputs(System::input_t(), 1, k)[0] = k == 0 ? motion.t0 : (k == 1 ? 1 : 0);
    std::copy_n(motion.q(k), n, series_->inputs(system_.input_q(0), n, k).begin());
    std::copy_n(motion.v(k), n, series_->inputs(system_.input_v(0), n, k).begin());
    std::copy_n(motion.q(k) + 2 * n, n, series_->inputs(system_.input_a(0), n, k).begin());
    if (m > 0) std::copy_n(motion.q(k) + 3 * n, m, series_->inputs(system_.input_lambda(0), m, k).begin());
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) series_->run(stage, k);
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

// No longer than where the last two terms of the series, well above the tolerance of the largest term, come
// down to it.
double HiddenZeros::converged_length(const Scaled& function, double length) {
  constexpr double far_above = 1e3;
  constexpr int most_rounds = 50;
  take_coefficients(function);
  const auto log_term = [&](int k) {
    return std::log(std::abs(coefficients_[static_cast<std::size_t>(k)])) + k * std::log(length);
  };
  for (int round = 0; round < most_rounds && order_ > 3; ++round) {
    double scale = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < order_ - 2; ++k) scale = std::max(scale, log_term(k));
    if (!std::isfinite(scale)) break;
    double shorter = 0;
    for (const int k : {order_ - 2, order_ - 1}) {
      const double excess = log_term(k) - scale - settings_.log_tolerance;
      const bool counts = excess > (round == 0 ? std::log(far_above) : 0);
      if (counts) shorter = std::min(shorter, -std::min(excess, 10.0 * k) / k);
    }
    if (shorter == 0) break;
    length *= std::exp(1.01 * shorter);
  }
  return length;
}

void HiddenZeros::take_coefficients(const Scaled& function) {
  coefficients_.clear();
  double power = 1;
  for (int k = 0; k < order_; ++k, power *= direction_)
    coefficients_.push_back(series_->output(function, k) * power);
}

HiddenZeros::Pair HiddenZeros::first_zeros() {
  Pair pair;
  double first = shown_;
  for (const Scaled& one : functions_) {
    take_coefficients(one);
    const double here = coefficients_[0];
    zeros_.clear();
    const int side = here > 0 ? 1 : here < 0 ? -1 : locator_.side_ahead(coefficients_, shown_);
    if (side != 0) locator_.find_all(coefficients_, shown_, side, here == 0, zeros_);
    std::erase_if(zeros_, [](const auto& zero) { return zero.touches; });
    if (zeros_.empty() || !(zeros_[0].at < first)) continue;
    first = zeros_[0].at;
    pair = {first, zeros_.size() > 1 ? zeros_[1].at : 0};
  }
  return pair;
}

}  // namespace dalembert
