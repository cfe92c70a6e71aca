// Dalembert's multistage Adomian method on the model file that tools/make_chain writes.

#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>

#include <dalembert/model/read.hpp>

#include "adomian_run.hpp"
#include "chain/chain.hpp"

namespace dalembert::bench::chain {
namespace {

std::string model_text(std::size_t links) {
  const std::string command = DALEMBERT_SOURCE_DIR "/tools/make_chain " + std::to_string(links);
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), count);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return text;
}

class Adomian : public Runner {
 public:
  Adomian(std::size_t links, double end_time, int threads)
      : end_time_(end_time),
        threads_(threads),
        system_(read_model_text(model_text(links))),
        active_(system_.m()) {
    std::iota(active_.begin(), active_.end(), std::size_t{0});
  }

  EndState run(double tolerance) override {
    Step& step = workspace(tolerance);
    const RunCounts counts = run_adomian_steps<double>(step, system_.given_positions<double>(),
                                                       system_.given_velocities<double>(), end_time_);
    return {counts.finished,
            {step.q().begin(), step.q().end()},
            {step.v().begin(), step.v().end()},
            counts.steps,
            counts.rejected};
  }

 private:
  using Step = AdomianStep<double>;

  Step& workspace(double tolerance) {
    std::unique_ptr<Step>& step = workspaces_[tolerance];
    if (!step) {
      StepSettings settings{};
      settings.log_tolerance = std::log(tolerance);
      settings.threads = threads_;
      step = std::make_unique<Step>(system_, active_, settings);
    }
    return *step;
  }

  double end_time_;
  int threads_;
  System system_;
  std::vector<std::size_t> active_;
  std::map<double, std::unique_ptr<Step>> workspaces_;
};

}  // namespace

std::unique_ptr<Runner> make_adomian(std::size_t links, double end_time, int threads) {
  return std::make_unique<Adomian>(links, end_time, threads);
}

}  // namespace dalembert::bench::chain
