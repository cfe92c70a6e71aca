#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/adomian_step.hpp>
#include <dalembert/solve/dense_output.hpp>
#include <dalembert/solve/observer.hpp>
#include <dalembert/system/row_choice.hpp>

#include "series/step_sampler.hpp"
#include "singular/least_multipliers.hpp"

namespace dalembert {

class DenseOutput::Impl {
 public:
  explicit Impl(const System& system) : system_(&system) {}

  void begin(const System& system, const std::vector<std::size_t>& active, bool project) {
    clear();
    reader_.reset();
    reading_ = nullptr;
    parts_.clear();
    is_full_ = false;
    project_ = project;
    go_on(system, active);
  }

  void go_on(const System& system, const std::vector<std::size_t>& active) {
    parts_.push_back(std::make_unique<Part>(Part{system, active, pieces_.size()}));
  }

  // v is the derivative of q, so the coefficients of q are enough.
  void append(const StepPolynomials<double>& step, double time, double time_lost,
              std::optional<double> singular, std::span<const int> sides) {
    is_full_ = is_full_ || coefficients_.size() > most_;
    if (is_full_) return clear();
    pieces_.push_back(
        {time, time_lost, step.h, step.order + 1, coefficients_.size(), singular, sides_.size()});
    sides_.insert(sides_.end(), sides.begin(), sides.end());
    for (int k = 0; k <= step.order + 1; ++k) {
      coefficients_.insert(coefficients_.end(), step.q(k), step.q(k) + system_->n());
    }
  }

  void limit(std::size_t numbers) { most_ = numbers; }

  std::size_t size() const { return pieces_.size(); }
  double start() const {
    refuse_nothing();
    return pieces_.front().t0;
  }
  double step_start(std::size_t i) const { return pieces_[i].t0 + pieces_[i].lost; }
  double end() const {
    refuse_nothing();
    const Piece& last = pieces_.back();
    return last.t0 + (last.lost + last.h);
  }

  State at(double t) {
    refuse_nothing();
    const double direction = end() < start() ? -1 : 1;
    if (!(direction * (t - start()) >= 0 && direction * (end() - t) >= 0)) {
      throw Error(fmt::format("the time {} is outside the run from {} to {}", t, start(), end()));
    }
    const auto is_later = [&](double time, const Piece& piece) { return direction * (time - piece.t0) < 0; };
    const auto next = std::upper_bound(pieces_.begin(), pieces_.end(), t, is_later);
    const Piece& piece = *std::prev(next);
    const Curve curve{piece.h, piece.degree, coefficients_.data() + piece.first, system_->n()};
    const double tau = (t - piece.t0) - piece.lost;
    take_part_of(static_cast<std::size_t>(&piece - pieces_.data()));
    improve_rows(t, tau, curve);
    const std::size_t count = sides_.empty() ? 0 : system_->switches().size();
    const std::span<const int> sides = std::span(sides_).subspan(piece.first_side, count);
    reader_->sampler.hold_sides(sides);
    reader_->sampler.set(t, tau, curve, piece.singular);
    reader_->observer.release_signs();
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (sides[i] == Expansion<double>::sliding)
        reader_->observer.hold_sign(i, reader_->sampler.branch_value(i));
    }
    return state();
  }

 private:
  struct Piece {
    double t0, lost, h;
    int degree;                      // of q
    std::size_t first;               // of its coefficients
    std::optional<double> singular;  // where it passes a singular configuration
    std::size_t first_side;
  };

  // q and its derivatives
  struct Curve {
    double h;
    int degree;
    const double* coefficients;
    std::size_t n;

    void eval_q(double tau, std::span<double> out) const {
      eval(
          tau, out, [](int) { return 1; }, 0);
    }
    void eval_v(double tau, std::span<double> out) const {
      eval(
          tau, out, [](int k) { return k; }, 1);
    }
    void eval_a(double tau, std::span<double> out) const {
      eval(
          tau, out, [](int k) { return k * (k - 1); }, 2);
    }

   private:
    template <class Factor>
    void eval(double tau, std::span<double> out, Factor factor, int lowest) const {
      std::fill(out.begin(), out.end(), 0.0);
      for (int k = degree; k >= lowest; --k) {
        const double* c = coefficients + static_cast<std::size_t>(k) * n;
        for (std::size_t i = 0; i < n; ++i) out[i] = out[i] * tau + factor(k) * c[i];
      }
    }
  };

  void refuse_nothing() const {
    if (is_full_)
      throw Error(fmt::format(
          "the run took more than the {:.3g} GB that its dense output may have: nothing of it was "
          "kept",
          static_cast<double>(most_ * sizeof(double)) / 1e9));
    if (pieces_.empty()) throw Error("the dense output is empty: no run has filled it");
  }

  // Pieces with one system, whose inputs follow the same polynomials.
  struct Part {
    System system;
    std::vector<std::size_t> active;
    std::size_t first;  // piece
  };
  // What reads the pieces of a part.
  struct Reader {
    Reader(const Part& part, const StepSettings& settings)
        : sampler(part.system, part.active, settings),
          rows(part.system, part.active),
          multipliers(part.system, part.active),
          observer(part.system, 1) {}

    StepSampler<double> sampler;
    RowChoice rows;
    LeastMultipliers<double> multipliers;
    Observer<double> observer;
  };

  void take_part_of(std::size_t piece) {
    const auto is_later = [](std::size_t i, const std::unique_ptr<Part>& part) { return i < part->first; };
    const Part& part = **std::prev(std::upper_bound(parts_.begin(), parts_.end(), piece, is_later));
    if (&part == reading_) return;
    StepSettings settings{};
    settings.log_tolerance = 0;
    settings.fixed_order = 4;
    settings.project = project_;
    reader_.emplace(part, settings);
    reading_ = &part;
  }

  void improve_rows(double t, double tau, const Curve& curve) {
    if (!reader_->rows.has_choice()) return;
    std::vector<double> q(system_->n()), v(system_->n());
    curve.eval_q(tau, q);
    curve.eval_v(tau, v);
    if (reader_->rows.improve(t, q, v)) reader_->sampler.choose_rows(reader_->rows.active());
  }

  State state() {
    const auto copy = [](std::span<const double> x) { return std::vector<double>(x.begin(), x.end()); };
    const StepSampler<double>& at = reader_->sampler;
    const std::span<const double> lambda = reader_->multipliers.eval(at.t(), at.q(), at.lambda());
    reader_->observer.eval({at.t(), at.q(), at.v(), at.a(), lambda});
    return {at.t(), copy(at.q()), copy(at.v()), copy(at.a()), copy(lambda), reader_->observer.outputs};
  }

  void clear() {
    pieces_.clear();
    coefficients_.clear();
    sides_.clear();
  }

  const System* system_;
  std::size_t most_ = std::numeric_limits<std::size_t>::max();
  bool is_full_ = false;  // more than most_ were given
  std::vector<Piece> pieces_;
  std::vector<double> coefficients_;  // [piece][degree][coordinate]
  std::vector<int> sides_;            // [piece][switch]
  bool project_ = true;
  std::vector<std::unique_ptr<Part>> parts_;
  std::optional<Reader> reader_;
  const Part* reading_ = nullptr;
};

DenseOutput::DenseOutput(const System& system) : impl_(std::make_unique<Impl>(system)) {}
DenseOutput::~DenseOutput() = default;
DenseOutput::DenseOutput(DenseOutput&&) noexcept = default;
DenseOutput& DenseOutput::operator=(DenseOutput&&) noexcept = default;

void DenseOutput::limit(std::size_t numbers) { impl_->limit(numbers); }
bool DenseOutput::empty() const { return impl_->size() == 0; }
std::size_t DenseOutput::steps() const { return impl_->size(); }
double DenseOutput::start() const { return impl_->start(); }
double DenseOutput::end() const { return impl_->end(); }
double DenseOutput::step_start(std::size_t i) const { return impl_->step_start(i); }
DenseOutput::State DenseOutput::at(double t) { return impl_->at(t); }
void DenseOutput::begin(const System& system, const std::vector<std::size_t>& active, bool project) {
  impl_->begin(system, active, project);
}
void DenseOutput::go_on(const System& system, const std::vector<std::size_t>& active) {
  impl_->go_on(system, active);
}
void DenseOutput::append(const StepPolynomials<double>& step, double time, double time_lost,
                         std::optional<double> singular, std::span<const int> sides) {
  impl_->append(step, time, time_lost, singular, sides);
}

}  // namespace dalembert
