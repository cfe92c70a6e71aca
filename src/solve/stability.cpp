#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <Eigen/Dense>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/differentiate.hpp>
#include <dalembert/solve/stability.hpp>
#include <dalembert/system/rounding.hpp>
#include <dalembert/tape/interval_values.hpp>

namespace dalembert {
namespace {

using Cell = std::vector<Interval>;  // t, q
using IntervalMatrix = std::vector<std::vector<Interval>>;

// f, f_q, f_t, c, C and the second derivatives of f, compiled for intervals.
class Enclosures {
 public:
  explicit Enclosures(const KinematicSystem& system)
      : e_(system.equations().continued()), n_(system.n()), m_(system.m()) {
    std::vector<ProgramInput> inputs{{e_.t, Stage::position}};
    for (const Expr& q : e_.q) inputs.push_back({q, Stage::position});
    for (const Parameter& parameter : e_.model->parameters)
      inputs.push_back({parameter.symbol, Stage::constant});
    std::vector<Expr> outputs = e_.f;
    outputs.push_back(e_.c);
    for (std::size_t row = 0; row < n_ - 1; ++row) {
      const ExprMatrix& matrix = row < m_ ? e_.f_q : e_.C;
      for (std::size_t i = 0; i < n_; ++i) {
        outputs.push_back(matrix.at(row < m_ ? row : row - m_, i, e_.graph()));
      }
    }
    outputs.insert(outputs.end(), e_.f_t.begin(), e_.f_t.end());
    for (const Expr& f : e_.f) {
      for (std::size_t i = 0; i <= n_; ++i) {
        for (std::size_t j = 0; j <= n_; ++j)
          outputs.push_back(derivative(derivative(f, symbol(i)), symbol(j)));
      }
    }
    depends_on_time_ = std::any_of(outputs.begin(), outputs.end(),
                                   [&](const Expr& e) { return !derivative(e, e_.t).is_zero(); });
    program_ = compile(outputs, inputs);
    const auto constants = evaluate_with_error(program_.constants, system.parameter_values(0));
    std::vector<Interval> enclosed;
    for (const RoundedValue& constant : constants) {
      enclosed.push_back(constant.error == 0 ? Interval(constant.value)
                                             : Interval::widened(constant.value - 2 * constant.error,
                                                                 constant.value + 2 * constant.error));
    }
    values_.emplace(program_, enclosed);
  }

  void eval(const Cell& cell) {
    for (std::size_t i = 0; i < cell.size(); ++i) values_->set(i, cell[i]);
    values_->run();
  }
  Interval f(std::size_t j) const { return output(j); }
  Interval c() const { return output(m_); }
  Interval row(std::size_t row, std::size_t i) const { return output(m_ + 1 + row * n_ + i); }  // of [f_q; C]
  Interval f_t(std::size_t j) const { return output(m_ + 1 + (n_ - 1) * n_ + j); }
  // ∂²f_j by t (number 0) and q (1 …)
  Interval second(std::size_t j, std::size_t a, std::size_t b) const {
    return output(2 * m_ + 1 + (n_ - 1) * n_ + (j * (n_ + 1) + a) * (n_ + 1) + b);
  }
  std::size_t n() const { return n_; }
  std::size_t m() const { return m_; }
  bool depends_on_time() const { return depends_on_time_; }

 private:
  Expr symbol(std::size_t i) const { return i == 0 ? e_.t : e_.q[i - 1]; }
  Interval output(std::size_t i) const { return values_->value(program_.outputs[i]); }

  KinematicEquations e_;
  std::size_t n_, m_;
  bool depends_on_time_ = false;
  Program program_;
  std::optional<IntervalValues> values_;
};

// By Laplace's rule along the first row; `columns` are those that are left.
Interval determinant(const IntervalMatrix& rows, std::size_t first, const std::vector<std::size_t>& columns) {
  if (columns.empty()) return 1;
  Interval sum = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    std::vector<std::size_t> rest = columns;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    const Interval term = rows[first][columns[k]] * determinant(rows, first + 1, rest);
    sum = k % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

// x with G x = b by elimination without exchange: G = f_q f_qᵀ is positive definite where f_q has full rank.
std::vector<Interval> solve_gram(IntervalMatrix G, std::vector<Interval> b) {
  const std::size_t m = b.size();
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t i = k + 1; i < m; ++i) {
      const Interval factor = G[i][k] / G[k][k];
      for (std::size_t j = k + 1; j < m; ++j) G[i][j] = G[i][j] - factor * G[k][j];
      b[i] = b[i] - factor * b[k];
    }
  }
  for (std::size_t k = m; k-- > 0;) {
    for (std::size_t j = k + 1; j < m; ++j) b[k] = b[k] - G[k][j] * b[j];
    b[k] = b[k] / G[k][k];
  }
  return b;
}

struct VelocityParts {
  std::vector<Interval> v0, v1;
};

VelocityParts eval_velocity(const Enclosures& at, double epsilon) {
  const std::size_t n = at.n();
  const std::size_t m = at.m();
  IntervalMatrix rows(n - 1, std::vector<Interval>(n));
  for (std::size_t row = 0; row < n - 1; ++row) {
    for (std::size_t i = 0; i < n; ++i) rows[row][i] = at.row(row, i);
  }
  IntervalMatrix gram(m, std::vector<Interval>(m, 0.0));
  std::vector<Interval> f, f_t;
  for (std::size_t j = 0; j < m; ++j) {
    f.emplace_back(std::max(at.f(j).low, -epsilon), std::min(at.f(j).high, epsilon));
    f_t.push_back(at.f_t(j));
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        gram[j][k] = gram[j][k] + (j == k ? square(rows[j][i]) : rows[j][i] * rows[k][i]);
      }
    }
  }
  const std::vector<Interval> along_f = solve_gram(gram, f);
  const std::vector<Interval> along_t = solve_gram(gram, f_t);
  VelocityParts parts{std::vector<Interval>(n), std::vector<Interval>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < n; ++k) {
      if (k != i) columns.push_back(k);
    }
    const Interval product = at.c() * determinant(rows, 0, columns);
    parts.v0[i] = i % 2 == 0 ? product : -product;
    for (std::size_t j = 0; j < m; ++j) {
      parts.v0[i] = parts.v0[i] - rows[j][i] * along_t[j];
      parts.v1[i] = parts.v1[i] + rows[j][i] * along_f[j];
    }
  }
  return parts;
}

class BoundSearch {
 public:
  BoundSearch(const KinematicSystem& system, const StabilityQuestion& question)
      : question_(question), at_(system), m_(at_.m()), n_(at_.n()) {
    box_.push_back(at_.depends_on_time() ? question.time : Interval(question.time.low));
    box_.insert(box_.end(), question.box.begin(), question.box.end());
    at_.eval(box_);
    for (std::size_t j = 0; j < m_; ++j) {
      for (std::size_t a = 0; a <= n_; ++a) {
        for (std::size_t b = 0; b <= n_; ++b) second_.push_back(at_.second(j, a, b));
      }
    }
  }

  SecondDerivativeBound run() {
    std::vector<Cell> cells{box_};
    while (!cells.empty()) {
      Cell cell = std::move(cells.back());
      cells.pop_back();
      at_.eval(cell);
      if (!meets_tube()) continue;
      const std::size_t widest = widest_side(cell);
      if (widest == cell.size()) {
        bound(cell);
        continue;
      }
      const double middle = cell[widest].middle();
      cells.push_back(cell);
      cells.back()[widest].low = middle;
      cell[widest].high = middle;
      cells.push_back(std::move(cell));
    }
    return bound_;
  }

 private:
  bool meets_tube() const {
    for (std::size_t j = 0; j < m_; ++j) {
      if (at_.f(j).low > question_.epsilon || at_.f(j).high < -question_.epsilon) return false;
    }
    return true;
  }

  // The side that is longest beside the box's, or none when all are short enough.
  std::size_t widest_side(const Cell& cell) const {
    const std::size_t sides = n_ + (at_.depends_on_time() ? 1 : 0);
    const double enough = sides <= 2 ? 1.0 / 512 : sides == 3 ? 1.0 / 64 : sides == 4 ? 1.0 / 16 : 1.0 / 8;
    std::size_t widest = cell.size();
    double largest = enough;
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const double whole = box_[i].width();
      const double part = whole > 0 ? cell[i].width() / whole : 0;
      if (part > largest) {
        largest = part;
        widest = i;
      }
    }
    return widest;
  }

  void bound(const Cell&) {
    ++bound_.cells;
    const auto [v0, v1] = eval_velocity(at_, question_.epsilon);
    // with w = (1, v₀) and u = (0, v₁):  A = wᵀ S w,  B = 2 wᵀ S u,  D = uᵀ S u
    std::vector<Interval> w{1.0};
    std::vector<Interval> u{0.0};
    w.insert(w.end(), v0.begin(), v0.end());
    u.insert(u.end(), v1.begin(), v1.end());
    for (std::size_t j = 0; j < m_; ++j) {
      Interval A = 0, B = 0, D = 0;
      for (std::size_t a = 0; a <= n_; ++a) {
        for (std::size_t b = 0; b <= n_; ++b) {
          const Interval& s = second_[(j * (n_ + 1) + a) * (n_ + 1) + b];
          A = A + s * (a == b ? square(w[a]) : w[a] * w[b]);
          B = B + Interval(2) * s * w[a] * u[b];
          D = D + s * (a == b ? square(u[a]) : u[a] * u[b]);
        }
      }
      bound_.A = std::max(bound_.A, A.magnitude());
      bound_.B = std::max(bound_.B, B.magnitude());
      bound_.D = std::max(bound_.D, D.magnitude());
    }
  }

  const StabilityQuestion& question_;
  Enclosures at_;
  std::size_t m_, n_;
  Cell box_;
  std::vector<Interval> second_;
  SecondDerivativeBound bound_;
};

}  // namespace

std::optional<double> solve_gain(const SecondDerivativeBound& bound, double allowed) {
  if (!(bound.A <= allowed) || !std::isfinite(bound.B) || !std::isfinite(bound.D)) return std::nullopt;
  const double room = allowed - bound.A;
  if (bound.D == 0) return bound.B == 0 ? std::numeric_limits<double>::infinity() : room / bound.B;
  return 2 * room / (bound.B + std::sqrt(bound.B * bound.B + 4 * bound.D * room));
}

StabilityEstimate estimate_stability(const KinematicSystem& system, const StabilityQuestion& question) {
  if (!system.model().inputs.empty()) {
    throw Error("the conditions hold for functions that are known all over the box: write '" +
                system.model().inputs[0].name + "' as an expression of t in place of an input");
  }
  StabilityEstimate estimate;
  const double a = question.a;
  const double tau = question.step;
  estimate.bound = BoundSearch(system, question).run();
  estimate.allowed = 2 * (1 - a) * question.epsilon / (tau * tau);
  estimate.contraction = {-(1 + a) / tau, -(1 - a) / tau};
  estimate.largest_gain = solve_gain(estimate.bound, estimate.allowed);
  if (estimate.largest_gain && -*estimate.largest_gain <= estimate.contraction.high) {
    estimate.admissible = {std::max(-*estimate.largest_gain, estimate.contraction.low),
                           estimate.contraction.high};
  }
  // the weakest gain, −(1 − a)/τ, is admissible while A τ² + B (1 − a) τ + D (1 − a)² ≤ 2 (1 − a) ε
  const SecondDerivativeBound weakest{0, estimate.bound.B * (1 - a), estimate.bound.A, 0};
  const double room = 2 * (1 - a) * question.epsilon - estimate.bound.D * (1 - a) * (1 - a);
  if (room > 0) estimate.largest_step = solve_gain(weakest, room);
  KinematicEvaluation start(system, question.time.low, false);
  start.eval(question.time.low, system.given_positions());
  if (start.f.size() > 0) estimate.start_residual = start.f.lpNorm<Eigen::Infinity>();
  return estimate;
}

double stable_step(const RungeKuttaTable& table, const Eigen::MatrixXd& K) {
  const std::vector<double> polynomial = stability_polynomial(table);
  const auto growth = [&](std::complex<double> z) {
    std::complex<double> value = 0;
    for (std::size_t power = polynomial.size(); power-- > 0;) value = value * z + polynomial[power];
    return std::abs(value);
  };
  double shortest = std::numeric_limits<double>::infinity();
  if (K.size() == 0) return shortest;
  const Eigen::VectorXcd eigenvalues = K.eigenvalues();
  for (const std::complex<double>& mu : eigenvalues) {
    const double size = std::abs(mu);
    if (size == 0) continue;
    const std::complex<double> direction = mu / size;
    const auto stable = [&](double x) { return growth(x * direction) <= 1 + 1e-13; };
    // as in runge_kutta_tables.cpp
    constexpr double scan = 1e-3;
    if (mu.real() >= 0 || !stable(scan)) return 0;
    double low = scan;
    while (stable(low + scan)) low += scan;
    double high = low + scan;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (stable(middle) ? low : high) = middle;
    }
    shortest = std::min(shortest, low / size);
  }
  return shortest;
}

}  // namespace dalembert
