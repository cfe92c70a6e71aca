// SUNDIALS CVODE (Adams, fixed-point iteration) on the index-1 form of the chain: accelerations and
// multipliers from the saddle-point system at every evaluation.

#include <algorithm>

#include <cvode/cvode.h>
#include <klu.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "chain/chain.hpp"
#include "sundials_context.hpp"

namespace dalembert::bench::chain {
namespace {

class Accelerations {
 public:
  virtual ~Accelerations() = default;
  virtual void eval(const double* q, const double* v, double* a) = 0;
};

// The vector from the mass before (the origin for the first) to mass k.
struct Link {
  double x, y;
};
Link link(const double* p, std::size_t k) {
  if (k == 0) return {p[0], p[1]};
  return {p[2 * k] - p[2 * k - 2], p[2 * k + 1] - p[2 * k - 1]};
}

// [M C^T; C 0] in compressed columns: the masses' columns, then the multipliers'.
class KluAccelerations : public Accelerations {
 public:
  explicit KluAccelerations(std::size_t links) : links_(links), rhs_(3 * links) {
    klu_defaults(&common_);
    for (std::size_t i = 0; i < 2 * links; ++i) {
      starts_.push_back(static_cast<int>(rows_.size()));
      add(i);
      values_.back() = mass;
      add(2 * links + i / 2);
      if (i / 2 + 1 < links) add(2 * links + i / 2 + 1);
    }
    for (std::size_t k = 0; k < links; ++k) {
      starts_.push_back(static_cast<int>(rows_.size()));
      for (std::size_t i = k == 0 ? 0 : 2 * k - 2; i < 2 * k + 2; ++i) add(i);
    }
    starts_.push_back(static_cast<int>(rows_.size()));
    symbolic_ = klu_analyze(static_cast<int>(3 * links), starts_.data(), rows_.data(), &common_);
  }
  ~KluAccelerations() override {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  KluAccelerations(const KluAccelerations&) = delete;
  KluAccelerations& operator=(const KluAccelerations&) = delete;

  void eval(const double* q, const double* v, double* a) override {
    fill(q);
    if (!numeric_) {
      numeric_ = klu_factor(starts_.data(), rows_.data(), values_.data(), symbolic_, &common_);
    } else {
      klu_refactor(starts_.data(), rows_.data(), values_.data(), symbolic_, numeric_, &common_);
    }
    for (std::size_t k = 0; k < links_; ++k) {
      const Link speed = link(v, k);
      rhs_[2 * k] = 0;
      rhs_[2 * k + 1] = -mass * gravity;
      rhs_[2 * links_ + k] = -2 * (speed.x * speed.x + speed.y * speed.y);
    }
    klu_solve(symbolic_, numeric_, static_cast<int>(3 * links_), 1, rhs_.data(), &common_);
    std::copy_n(rhs_.begin(), 2 * links_, a);
  }

 private:
  void add(std::size_t row) {
    rows_.push_back(static_cast<int>(row));
    values_.push_back(0);
  }
  void fill(const double* q) {
    double* value = values_.data();
    for (std::size_t i = 0; i < 2 * links_; ++i) {
      const std::size_t k = i / 2;
      const auto part = [&](std::size_t j) {
        const Link d = link(q, j);
        return i % 2 == 0 ? d.x : d.y;
      };
      ++value;  // the mass
      *value++ = 2 * part(k);
      if (k + 1 < links_) *value++ = -2 * part(k + 1);
    }
    for (std::size_t k = 0; k < links_; ++k) {
      const Link d = link(q, k);
      if (k > 0) {
        *value++ = -2 * d.x;
        *value++ = -2 * d.y;
      }
      *value++ = 2 * d.x;
      *value++ = 2 * d.y;
    }
  }

  std::size_t links_;
  std::vector<int> starts_, rows_;
  std::vector<double> values_, rhs_;
  klu_common common_{};
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

// C M^-1 C^T λ = C M^-1 f − γ is tridiagonal; λ scaled by 4/m.
class TridiagonalAccelerations : public Accelerations {
 public:
  explicit TridiagonalAccelerations(std::size_t links)
      : links_(links), d_(links), upper_(links), lambda_(links + 1) {}

  void eval(const double* q, const double* v, double* a) override {
    for (std::size_t k = 0; k < links_; ++k) d_[k] = link(q, k);
    double before = 0;  // entry left of the diagonal
    for (std::size_t k = 0; k < links_; ++k) {
      const Link speed = link(v, k);
      const double square = d_[k].x * d_[k].x + d_[k].y * d_[k].y;
      double diagonal = k == 0 ? square : 2 * square;
      double right = 2 * (speed.x * speed.x + speed.y * speed.y) - (k == 0 ? 2 * d_[0].y * gravity : 0);
      if (k > 0) {
        diagonal -= before * upper_[k - 1];
        right -= before * lambda_[k - 1];
      }
      before = k + 1 < links_ ? -(d_[k].x * d_[k + 1].x + d_[k].y * d_[k + 1].y) : 0;
      upper_[k] = before / diagonal;
      lambda_[k] = right / diagonal;
    }
    for (std::size_t k = links_ - 1; k-- > 0;) lambda_[k] -= upper_[k] * lambda_[k + 1];
    lambda_[links_] = 0;
    for (std::size_t k = 0; k < links_; ++k) {  // a = f/m − C^T λ / m
      const Link above = d_[k];
      const Link below = k + 1 < links_ ? d_[k + 1] : Link{0, 0};
      a[2 * k] = -(above.x * lambda_[k] - below.x * lambda_[k + 1]) / 2;
      a[2 * k + 1] = -gravity - (above.y * lambda_[k] - below.y * lambda_[k + 1]) / 2;
    }
  }

 private:
  std::size_t links_;
  std::vector<Link> d_;
  std::vector<double> upper_, lambda_;
};

class Cvode : public Runner {
 public:
  Cvode(std::size_t links, double end_time, Solve solve) : links_(links), end_time_(end_time) {
    if (solve == Solve::klu) {
      accelerations_ = std::make_unique<KluAccelerations>(links);
    } else {
      accelerations_ = std::make_unique<TridiagonalAccelerations>(links);
    }
  }

  EndState run(double tolerance) override {
    SundialsContext context;
    N_Vector y = N_VNew_Serial(static_cast<sunindextype>(4 * links_), context);
    double* state = N_VGetArrayPointer(y);
    std::fill_n(state, 4 * links_, 0.0);
    for (std::size_t k = 0; k < links_; ++k) state[2 * k] = length * static_cast<double>(k + 1);
    void* memory = CVodeCreate(CV_ADAMS, context);
    require(CVodeInit(memory, eval, 0, y));
    require(CVodeSetUserData(memory, this));
    require(CVodeSStolerances(memory, tolerance, tolerance));
    SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
    require(CVodeSetNonlinearSolver(memory, iteration));
    require(CVodeSetMaxNumSteps(memory, 10000000));
    require(CVodeSetStopTime(memory, end_time_));
    sunrealtype t = 0;
    EndState end;
    end.finished = CVode(memory, end_time_, y, &t, CV_NORMAL) >= 0 && t == end_time_;
    CVodeGetNumSteps(memory, &end.steps);
    CVodeGetNumErrTestFails(memory, &end.rejected);
    end.q.assign(state, state + 2 * links_);
    end.v.assign(state + 2 * links_, state + 4 * links_);
    CVodeFree(&memory);
    SUNNonlinSolFree(iteration);
    N_VDestroy(y);
    return end;
  }

 private:
  static int eval(sunrealtype, N_Vector state, N_Vector slope, void* data) {
    auto& self = *static_cast<Cvode*>(data);
    const double* y = N_VGetArrayPointer(state);
    double* rate = N_VGetArrayPointer(slope);
    std::copy_n(y + 2 * self.links_, 2 * self.links_, rate);
    self.accelerations_->eval(y, y + 2 * self.links_, rate + 2 * self.links_);
    return 0;
  }

  std::size_t links_;
  double end_time_;
  std::unique_ptr<Accelerations> accelerations_;
};

}  // namespace

std::unique_ptr<Runner> make_cvode(std::size_t links, double end_time, Solve solve) {
  return std::make_unique<Cvode>(links, end_time, solve);
}

}  // namespace dalembert::bench::chain
