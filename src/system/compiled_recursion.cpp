#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <dalembert/system/compiled_recursion.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/tape/hiding_calls.hpp>
#include <dalembert/tape/sincos.hpp>

namespace dalembert {
namespace {

// Of sums, products, sines and cosines nobody asks for the coefficients. Other functions have domains,
// branches, poles or ranges that are looked at along the step.
std::vector<Register> registers_looked_at(const Program& program) {
  std::vector<Register> registers;
  const auto add = [&](std::initializer_list<Register> more) {
    for (const Register r : more) {
      if (r != no_register) registers.push_back(r);
    }
  };
  for (const Instruction& i : program.instructions) {
    const bool is_entire = i.op == Op::linear || i.op == Op::product || i.op == Op::square ||
                           i.op == Op::sincos || i.op == Op::past_product;
    if (!is_entire) add({i.x, i.y, i.z, i.result, i.second_result});
  }
  for (const HidingCall& call : find_hiding_calls(program)) add({call.x, call.y, call.result});
  return registers;
}

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
  const std::vector<Register> looked_at = registers_looked_at(p.program);
  shape.looked_at = looked_at;
  return write_expansion(shape);
}

CompiledRecursion::CompiledRecursion(std::shared_ptr<const ExpansionCode> code, int max_order, double* right,
                                     void* host, const double* (*solve)(void*, int))
    : code_(std::move(code)), work_((code_->source.work_size(max_order) + 3) / 4), memory_{} {
  memory_.work = reinterpret_cast<double*>(work_.data());
  memory_.right = right;
  memory_.host = host;
  memory_.solve = solve;
  memory_.sincos = sines_and_cosines;
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
  if (values == nullptr) return series.run(stage, 0);
  set(series);
  values(&memory_);
}

bool CompiledRecursion::start(Series<double>& series) {
  series.find_factors(Stage::position, code_->source.found_at_position);
  set(series);
  return code_->start(&memory_) != 0;
}

void CompiledRecursion::set_inverse(const double* inverse, int solved_by_host) {
  memory_.inverse = inverse;
  memory_.solved_by_host = inverse == nullptr ? std::numeric_limits<int>::max() : solved_by_host;
}

void CompiledRecursion::rest(Series<double>& series, int order, double* polynomials) {
  series.find_factors(Stage::velocity, code_->source.found_at_velocity);
  set(series);
  memory_.polynomials = polynomials;
  code_->rest(&memory_, order);
}

}  // namespace dalembert
