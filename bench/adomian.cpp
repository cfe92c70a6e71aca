#include "adomian.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/adomian_step.hpp>

#include "adomian_run.hpp"

namespace dalembert::bench {
namespace {

using Step = AdomianStep<double>;

class Adomian {
 public:
  Adomian(const AdomianProblem& problem, bool native)
      : problem_(problem),
        system_(read_model(find_model(problem.model), problem.overrides)),
        active_(system_.m()),
        q_(system_.given_positions<double>()),
        v_(system_.given_velocities<double>()) {
    std::iota(active_.begin(), active_.end(), std::size_t{0});
    std::string reason;
    if (native) code_ = compile_expansion_code(expansion_source(system_, active_), reason);
  }
  bool has_code() const { return code_ != nullptr; }

  Result run(double tolerance) {
    Step& step = workspace(tolerance);
    const RunCounts counts = run_adomian_steps<double>(step, q_, v_, problem_.end_time);
    return problem_.judge(counts.finished, step.q(), step.v(), step.lambda(), counts.steps, counts.rejected);
  }

 private:
  Step& workspace(double tolerance) {
    std::unique_ptr<Step>& step = workspaces_[tolerance];
    if (!step) {
      StepSettings settings{};
      settings.log_tolerance = std::log(tolerance);
      settings.may_be_compiled = code_ != nullptr;
      step = std::make_unique<Step>(system_, active_, settings);
      if (code_) step->use_code(code_);
    }
    return *step;
  }

  AdomianProblem problem_;
  System system_;
  std::vector<std::size_t> active_;
  std::vector<double> q_, v_;
  std::shared_ptr<const ExpansionCode> code_;
  std::map<double, std::unique_ptr<Step>> workspaces_;
};

}  // namespace

std::vector<Contestant> adomian_contestants(const AdomianProblem& problem) {
  std::vector<Contestant> contestants;
  const auto add = [&](const char* name, std::shared_ptr<Adomian> adomian) {
    contestants.push_back({name, tolerance_range(1e-3, 1e-15, 3),
                           [adomian](double tolerance) { return adomian->run(tolerance); }});
  };
  add("dalembert adomian", std::make_shared<Adomian>(problem, false));
  if (auto native = std::make_shared<Adomian>(problem, true); native->has_code())
    add("dalembert adomian, native", std::move(native));
  return contestants;
}

}  // namespace dalembert::bench
