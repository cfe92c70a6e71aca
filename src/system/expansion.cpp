#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/base/team.hpp>
#include <dalembert/system/expansion.hpp>

#include "expansion_sliding.hpp"

namespace dalembert {
namespace {

// Those of the model's own parameters are known already.
template <class S>
std::vector<S> constants_of(const System& system, const ExpansionProgram& p,
                            std::span<const ParameterValues> parameters) {
  if constexpr (std::is_same_v<S, double>) {
    if (!parameters.empty()) return p.flat_constants.eval(parameters[0]);
    if (system.has_models_parameters()) return p.constants;
  }
  if constexpr (LaneMath<S>::lanes > 1) {
    if (parameters.empty() && system.has_models_parameters()) {
      std::vector<S> values;
      for (const double constant : p.constants) values.push_back(LaneMath<S>::of(0) + constant);
      return values;
    }
  }
  return constants_in_lanes<S>(system, p.program, parameters);
}

// Where along the system an input of the program stands: coordinates and constraints in their order.
std::vector<double> input_places(const System& system) {
  const std::size_t n = system.n();
  const std::size_t m = system.m();
  std::vector<double> places(system.input_lambda(0) + m, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const double place = static_cast<double>(i) / static_cast<double>(n);
    for (const std::size_t input : {system.input_q(i), system.input_v(i), system.input_a(i)})
      places[input] = place;
  }
  for (std::size_t j = 0; j < m; ++j)
    places[system.input_lambda(j)] = static_cast<double>(j) / static_cast<double>(m);
  return places;
}

std::shared_ptr<const SeriesPlan> plan_of(const System& system, const ExpansionProgram& p, const Team* team) {
  if (team == nullptr) return p.plan;
  return make_series_plan(p.program, wanted_registers(p), {team->size(), input_places(system)});
}

}  // namespace

template <class S>
Expansion<S>::Expansion(const System& system, std::span<const std::size_t> active, int max_order,
                        std::span<const ParameterValues> parameters, Team* team, int solves)
    : system_(&system),
      team_(team),
      solves_(solves),
      n_(system.n()),
      m_(system.m()),
      max_order_(max_order),
      program_(&system.expansion_program()),
      series_(plan_of(system, *program_, team), constants_of<S>(system, *program_, parameters), max_order + 1,
              team),
      matrix_({system, system.dynamics(), active}, solves, team),
      switch_directions_(
          switch_directions(system.switches(), system.constants<double>(system.switches().program))) {
  if (!system.sizes().empty()) {
    if constexpr (!std::is_same_v<S, double>)
      throw Error("forces that depend on sizes of multipliers, as the friction of a pin, need doubles");
    sizes_ = std::make_unique<MultiplierSizes>(system);
  }
  rhs_.assign(pattern().size(), LaneMath<S>::of(0));
  solution_ = lost_ = rhs_;
  inertia_.assign(n_, LaneMath<S>::of(0));
  for (const Register r : program_->force) force_.push_back(series_.place(r));
  series_.set(program_->program.inputs[System::input_t()], 1, LaneMath<S>::of(1));
  place_rows();
  reciprocals_.push_back(LaneMath<S>::of(0));
  for (int k = 1; k <= max_order + 1; ++k) {
    reciprocals_.push_back(LaneMath<S>::of(1) / LaneMath<S>::of(k));
  }
}

template <class S>
void Expansion<S>::set_parameters(std::span<const ParameterValues> parameters) {
  series_.set_constants(constants_of<S>(*system_, *program_, parameters));
  has_factor_ = false;
}

template <class S>
void Expansion<S>::place_rows() {
  has_factor_ = false;
  const auto is_constant = [](const MatrixEntry& entry) { return entry.value.x == no_register; };
  has_constant_matrix_ = std::ranges::all_of(pattern().M(), is_constant) &&
                         std::ranges::all_of(pattern().C(), is_constant) &&
                         std::ranges::all_of(pattern().D(), is_constant);
  constraint_.clear();
  for (const std::size_t j : pattern().active())
    constraint_.push_back(series_.place(program_->constraint[j]));
  if (!sizes_) return;
  sizes_->place(pattern().active());
  size_columns_.assign(sizes_->count() * pattern().size(), LaneMath<S>::of(0));
}

template <class S>
void Expansion<S>::choose_rows(std::span<const std::size_t> active) {
  compiled_.reset();
  in_lanes_.reset();
  matrix_ = SaddleSystem<S>({*system_, system_->dynamics(), active}, solves_, team_);
  place_rows();
  for (int k = 0; k <= series_.max_order(); ++k) {
    const std::span<S> lambda = series_.inputs(system_->input_lambda(0), m_, k);
    std::fill(lambda.begin(), lambda.end(), LaneMath<S>::of(0));
  }
}

// The values of a stage at order 0.
template <class S>
void Expansion<S>::evaluate(Stage stage) {
  if constexpr (std::is_same_v<S, double>) {
    if (compiled_) return compiled_->evaluate(series_, stage);
  }
  if constexpr (LaneMath<S>::lanes > 1) {
    if (in_lanes_ && in_lanes_->evaluate(series_, stage)) return;
  }
  series_.run(stage, 0);
}

template <class S>
void Expansion<S>::set_position(const S& t, std::span<const S> q) {
  series_.inputs(System::input_t(), 1, 0)[0] = t;
  std::copy(q.begin(), q.end(), series_.inputs(system_->input_q(0), n_, 0).begin());
  evaluate(Stage::position);
}

template <class S>
void Expansion<S>::place_velocity(std::span<const S> v) {
  std::copy(v.begin(), v.end(), series_.inputs(system_->input_v(0), n_, 0).begin());
  std::copy(v.begin(), v.end(), series_.inputs(system_->input_q(0), n_, 1).begin());
}

template <class S>
void Expansion<S>::set_velocity(std::span<const S> v) {
  place_velocity(v);
  evaluate(Stage::velocity);
}

template <class S>
bool Expansion<S>::factor() {
  if (has_constant_matrix_ && has_factor_) return true;
  has_factor_ = factor_again();
  return has_factor_;
}

template <class S>
bool Expansion<S>::factor_again() {
  if constexpr (std::is_same_v<S, double>) {
    if (double* const columns = compiled_ ? matrix_.matrix_columns() : nullptr; columns != nullptr) {
      compiled_->fill_matrix(series_, columns);
      if (matrix_.factor_filled()) return true;
    }
  }
  return matrix_.factor(values());
}

template <class S>
void Expansion<S>::eval_position_residual(std::span<S> g) const {
  const std::vector<std::size_t>& active = pattern().active();
  for (std::size_t row = 0; row < active.size(); ++row) {
    const bool holonomic = active[row] < system_->holonomic();
    g[row] = holonomic ? series_.output(system_->dynamics().g[active[row]], 0) : LaneMath<S>::of(0);
  }
}

template <class S>
void Expansion<S>::eval_velocity_residual(std::span<S> residual) const {
  if constexpr (std::is_same_v<S, double>) {
    if (compiled_) return compiled_->eval_velocity_residual(residual);
  }
  const std::vector<std::size_t>& active = pattern().active();
  for (std::size_t row = 0; row < active.size(); ++row) {
    residual[row] = series_.output(system_->dynamics().c[active[row]], 0);
  }
  add_constraint_product(v(0), residual);
}

template <class S>
void Expansion<S>::add_constraint_product(std::span<const S> x, std::span<S> sum) const {
  if constexpr (std::is_same_v<S, double>) {
    if (compiled_) return compiled_->add_constraint_product(x, sum);
  }
  dalembert::add_constraint_product(pattern(), values(), x, sum);
}

template <class S>
double Expansion<S>::inertia_share(std::span<const S> x) const {
  return dalembert::inertia_share(pattern(), values(), x);
}

template <class S>
void Expansion<S>::eval_force_scale(std::span<S> scale) {
  std::vector<S>& lambda = solution_;
  for (std::size_t i = 0; i < n_; ++i) scale[i] = series_.output(system_->dynamics().f[i], 0);
  for (std::size_t row = 0; row < pattern().rows(); ++row)
    lambda[row] = this->lambda(0)[pattern().active()[row]];
  eval_inertia(pattern(), values(), std::span<S>(inertia_));
  dalembert::eval_force_scale(pattern(), values(), a(0), std::span<const S>(lambda),
                              std::span<const S>(inertia_), scale);
}

template <class S>
void Expansion<S>::eval_row_sizes(std::span<S> squares) {
  const S zero = LaneMath<S>::of(0);
  eval_inertia(pattern(), values(), std::span<S>(inertia_));
  std::fill(squares.begin(), squares.end(), zero);
  for (const MatrixEntry& entry : pattern().C()) {
    const S value = series_.output(entry.value, 0);
    const S& inertia = inertia_[entry.column];
    squares[entry.row] += inertia > 0 ? S(value * value / inertia) : zero;
  }
}

template <class S>
void Expansion<S>::keep_tangent_part(std::span<S> x) {
  std::fill(rhs_.begin(), rhs_.end(), LaneMath<S>::of(0));
  add_inertia_product(pattern(), values(), std::span<const S>(x), std::span<S>(rhs_));
  std::copy_n(matrix_.solve(rhs_), n_, x.begin());
}

template <class S>
void Expansion<S>::solve_multipliers(std::span<const S> a) {
  std::fill(rhs_.begin(), rhs_.end(), LaneMath<S>::of(0));
  for (std::size_t i = 0; i < n_; ++i) rhs_[i] = series_.output(system_->dynamics().f[i], 0);
  for (const MatrixEntry& entry : system_->dynamics().M) {
    rhs_[entry.row] -= series_.output(entry.value, 0) * a[entry.column];
  }
  const S* solution = matrix_.solve(rhs_);
  std::copy(a.begin(), a.end(), series_.inputs(system_->input_a(0), n_, 0).begin());
  const std::span<S> lambda = series_.inputs(system_->input_lambda(0), m_, 0);
  for (std::size_t j = 0; j < pattern().rows(); ++j) lambda[pattern().active()[j]] = solution[n_ + j];
}

template <class S>
void Expansion<S>::expand(int order) {
  rows_.resize((static_cast<std::size_t>(max_order_) + 2) * (3 * n_ + m_), LaneMath<S>::of(0));
  expand_start();
  expand_rest(order, rows_);
  if (started_by_code_) take_back_coefficients(order);
}

template <class S>
void Expansion<S>::copy_coefficients(int order, std::span<S> rows) const {
  const std::size_t width = 3 * n_ + m_;
  share_range(team_, width, [&](std::size_t first, std::size_t last) {
    for (int k = 0; k <= order + 1; ++k) {
      const std::span<const S> from = coefficients(k).subspan(first, last - first);
      std::copy(from.begin(), from.end(), rows.data() + static_cast<std::size_t>(k) * width + first);
    }
  });
}

// q through order + 1, v through order, a and λ through order − 1.
template <class S>
void Expansion<S>::take_back_coefficients(int order) {
  if (rows_of_code_ == nullptr) return;  // code of lanes has left them there
  const std::size_t width = 3 * n_ + m_;
  for (int k = 1; k <= order + 1; ++k) {
    const std::size_t known = k < order ? width : k == order ? 2 * n_ : n_;
    std::copy_n(rows_of_code_ + static_cast<std::size_t>(k) * width, known,
                series_.inputs(system_->input_q(0), width, k).begin());
  }
}

template <class S>
void Expansion<S>::solve(std::span<S> rhs) {
  matrix_.solve_columns(rhs);
}

// Lists of operations have pivots that are chosen for their length too.
template <class S>
bool Expansion<S>::refines() const {
  constexpr double log_rounding = -30;       // 1e-13
  constexpr double log_list_rounding = -25;  // 1e-11
  return log_tolerance_ < (matrix_.is_list() ? log_list_rounding : log_rounding);
}

// One step of iterative refinement. The rounding errors of the factor are the same for all orders, and at the
// same place always the same: without it they would be a force that does work, and the energy would drift.
// The first orders are by far the largest.
template <class S>
const S* Expansion<S>::refined(const S* solution) {
  std::copy_n(solution, rhs_.size(), solution_.begin());
  std::fill(lost_.begin(), lost_.end(), LaneMath<S>::of(0));
  for (const MatrixEntry& entry : system_->dynamics().M) {
    subtract_product(entry.row, series_.output(entry.value, 0), solution_[entry.column]);
  }
  for (const MatrixEntry& entry : pattern().C())
    subtract_product(n_ + entry.row, series_.output(entry.value, 0), solution_[entry.column]);
  for (const MatrixEntry& entry : pattern().D())
    subtract_product(entry.column, series_.output(entry.value, 0), solution_[n_ + entry.row]);
  for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] += lost_[i];
  const S* correction = matrix_.solve(rhs_);
  for (std::size_t i = 0; i < rhs_.size(); ++i) solution_[i] += correction[i];
  return solution_.data();
}

// rhs_[i] −= x y, with what rounding loses of the product and of the sum in lost_[i] [ogita2005].
template <class S>
void Expansion<S>::subtract_product(std::size_t i, const S& x, const S& y) {
  const S product = x * y;
  const S sum = rhs_[i] - product;
  const S part = sum - rhs_[i];
  const S sum_lost = (rhs_[i] - (sum - part)) - (product + part);
  rhs_[i] = sum;
  lost_[i] += sum_lost - LaneMath<S>::product_error(x, y, product);
}

template <class S>
const S* Expansion<S>::solve_right_side(int k) {
  const S* solution = matrix_.solve(rhs_);
  if constexpr (std::is_trivially_copyable_v<S>) {
    if (k < refined_orders && refines()) solution = refined(solution);
  }
  return solution;
}

template <class S>
void Expansion<S>::solve_order(int k) {
  sum_right_sides(k);
  keep_solution(solve_right_side(k), k);
}

template <class S>
void Expansion<S>::complete_registers(int order) {
  if (!started_by_code_) return;
  take_back_coefficients(order);
  series_.run(Stage::position, 1);
  for (int k = 1; k < order; ++k) {
    series_.run(Stage::velocity, k);
    series_.run(Stage::position, k + 1);
    series_.run(Stage::acceleration, k);
  }
}

template <class S>
void Expansion<S>::use_code(std::shared_ptr<const ExpansionCode> code) {
  if constexpr (std::is_same_v<S, double>) {
    const auto solve = [](void* host, int k) { return static_cast<Expansion*>(host)->solve_right_side(k); };
    compiled_ =
        std::make_unique<CompiledRecursion>(std::move(code), series_.max_order(), rhs_.data(), this, solve);
    compiled_->set(series_);
    has_factor_ = false;  // which may be a list of operations, of no use to the code
  }
}

template <class S>
void Expansion<S>::use_code(std::shared_ptr<const LanesCode> code) {
  if constexpr (LaneMath<S>::lanes > 1) {
    const auto solve = [](void* host, int k) {
      return reinterpret_cast<const double*>(static_cast<Expansion*>(host)->solve_right_side(k));
    };
    in_lanes_ =
        std::make_unique<LanesRecursion<S>>(std::move(code), series_.max_order(), rhs_.data(), this, solve);
  }
}

// False: the interpreter does it.
template <class S>
bool Expansion<S>::by_lanes_code(int order) {
  started_by_code_ = false;
  if constexpr (LaneMath<S>::lanes > 1) {
    if (!in_lanes_ || !slides_.empty() || is_limited_) return false;
    in_lanes_->rest(series_, order);
    started_by_code_ = true;  // complete_registers() has something to do
  }
  return started_by_code_;
}

template <class S>
void Expansion<S>::expand_order(int k) {
  for (const std::size_t i : slides_) set_sliding_sign(i, k, LaneMath<S>::of(0));
  if (k > 0) series_.run(Stage::velocity, k);
  series_.run(Stage::position, k + 1);
  solve_order(k);
  if (!slides_.empty()) k == 0 ? slide_at_start() : slide(k);
  if (sizes_) add_sizes(k);
  series_.run(Stage::acceleration, k);
}

// From the solution without N_k that with it.
template <class S>
void Expansion<S>::add_sizes(int k) {
  if constexpr (std::is_same_v<S, double>) {
    if (k == 0) {
      sizes_->fill_columns(system_->dynamics().B, values(), size_columns_);
      matrix_.solve_columns(size_columns_);
      sizes_->begin();
    }
    const std::vector<std::size_t>& active = pattern().active();
    std::copy_n(a(k).begin(), n_, solution_.begin());
    for (std::size_t row = 0; row < active.size(); ++row) solution_[n_ + row] = lambda(k)[active[row]];
    if (!sizes_->solve_next(size_columns_, solution_))
      std::ranges::fill(solution_, std::numeric_limits<double>::quiet_NaN());
    keep_solution(solution_.data(), k);
    std::ranges::copy(sizes_->sizes(), series_.inputs(system_->input_size(0), sizes_->count(), k).begin());
  }
}

template <class S>
void Expansion<S>::sum_right_sides(int k) {
  const S factor = LaneMath<S>::of(-(k + 1));
  share_range(team_, n_, [&](std::size_t first, std::size_t last) {
    // upper: f_k − Σ_{j=1..k} ( M_j a_{k−j} + D_jᵀ λ_{k−j} )
    const S* row = series_.row(k);
    for (std::size_t i = first; i < last; ++i)
      rhs_[i] = k == 0 ? series_.output(system_->dynamics().f[i], 0) : row[force_[i]];
    // lower: −(k+1) ( Σ_{j=1..k+1} C_j v_{k+1−j} + c_{k+1} )
    const S* next = series_.row(k + 1);
    for (std::size_t j = row_at(first); j < row_at(last); ++j) rhs_[n_ + j] = factor * next[constraint_[j]];
  });
}

template <class S>
void Expansion<S>::keep_solution(const S* solution, int k) {
  S* a = series_.inputs(system_->input_a(0), n_, k).data();
  S* v = series_.inputs(system_->input_v(0), n_, k + 1).data();
  S* q = k + 2 <= series_.max_order() ? series_.inputs(system_->input_q(0), n_, k + 2).data() : nullptr;
  const std::span<S> lambda = series_.inputs(system_->input_lambda(0), m_, k);
  const std::vector<std::size_t>& active = pattern().active();
  const auto divide = [&](const S& x, int divisor) {
    const S& reciprocal = reciprocals_[static_cast<std::size_t>(divisor)];
    return LaneMath<S>::divide(x, LaneMath<S>::of(divisor), reciprocal);
  };
  share_range(team_, n_, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      a[i] = solution[i];
      v[i] = divide(solution[i], k + 1);
      if (q != nullptr) q[i] = divide(v[i], k + 2);
    }
    for (std::size_t j = row_at(first); j < row_at(last); ++j) lambda[active[j]] = solution[n_ + j];
  });
}

template class Expansion<double>;
template class Expansion<Real>;
template class Expansion<Rational>;
template class Expansion<Lanes<4>>;
template class Expansion<Lanes<8>>;

}  // namespace dalembert
