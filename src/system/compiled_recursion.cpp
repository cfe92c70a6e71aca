#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/system/compiled_recursion.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/system/kkt/saddle_pattern.hpp>
#include <dalembert/tape/sincos.hpp>

#include "registers_looked_at.hpp"

namespace dalembert {
namespace {

void sines_and_cosines(const double* x, double* sine, double* cosine) {
  Lanes<native_lanes> in, s, c;
  std::memcpy(&in, x, sizeof in);
  sincos<native_lanes>(in, s, c);
  std::memcpy(sine, &s, sizeof s);
  std::memcpy(cosine, &c, sizeof c);
}

}  // namespace

ExpansionSource expansion_source(const System& system, std::span<const std::size_t> active) {
  const ExpansionProgram& p = system.expansion_program();
  RecursionShape shape;
  shape.plan = p.plan.get();
  shape.n = system.n();
  shape.active = active;
  shape.force = p.force;
  shape.constraint = p.constraint;
  shape.f = system.dynamics().f;
  shape.c = system.dynamics().c;
  std::vector<MatrixElement> matrix;
  SaddlePattern(system, system.dynamics(), active)
      .for_each([&](std::uint32_t row, std::uint32_t column, const Scaled& value) {
        matrix.push_back({row, column, value});
      });
  shape.matrix = matrix;
  const std::vector<Register> looked_at = registers_looked_at(p.program);
  shape.looked_at = looked_at;
  return write_expansion(shape);
}

CompiledRecursion::CompiledRecursion(std::shared_ptr<const ExpansionCode> code, int max_order, double* right,
                                     void* host, const double* (*solve)(void*, int))
    : code_(std::move(code)), work_((code_->source.work_size(max_order) + 7) / 8), memory_{} {
  memory_.work = reinterpret_cast<double*>(work_.data());
  memory_.right = right;
  memory_.host = host;
  memory_.solve = solve;
  memory_.sincos = sines_and_cosines;
  for (int k = 0; k <= max_order; ++k) {
    const double first = k + 1, second = first * (k + 2);
    const double over_first = 1 / first, over_second = 1 / second;
    reciprocals_.insert(reciprocals_.end(), {over_first, over_second, (1 - first * over_first) * over_first,
                                             (1 - second * over_second) * over_second});
  }
  memory_.reciprocals = reciprocals_.data();
}

void CompiledRecursion::set(Series<double>& series) {
  memory_.rows = series.rows();
  memory_.constants = series.constants();
  memory_.factors = series.row_factors();
  memory_.position_factors = series.sum_factors(Stage::position);
  memory_.velocity_factors = series.sum_factors(Stage::velocity);
}

void CompiledRecursion::evaluate(Series<double>& series, Stage stage) {
  const ExpansionCode::Values values = stage == Stage::position ? code_->position : code_->velocity;
  set(series);
  if (values == nullptr) return series.run(stage, 0);
  values(&memory_);
}

bool CompiledRecursion::start(Series<double>& series) {
  if (const auto& found = code_->source.found_at_position; !found.empty())
    series.find_factors(Stage::position, found);
  set(series);
  return code_->start(&memory_) != 0;
}

void CompiledRecursion::fill_matrix(Series<double>& series, double* columns) {
  set(series);
  code_->matrix(&memory_, columns);
}

void CompiledRecursion::add_constraint_product(std::span<const double> x, std::span<double> sum) const {
  code_->product(&memory_, x.data(), sum.data());
}

void CompiledRecursion::eval_velocity_residual(std::span<double> residual) const {
  code_->residual(&memory_, residual.data());
}

void CompiledRecursion::rest(Series<double>& series, int order, double* polynomials) {
  if (const auto& found = code_->source.found_at_velocity; !found.empty())
    series.find_factors(Stage::velocity, found);
  set(series);
  memory_.polynomials = polynomials;
  code_->rest(&memory_, order);
}

}  // namespace dalembert
