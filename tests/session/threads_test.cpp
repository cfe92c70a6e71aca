// Any number of threads work with one model, and each has what it would have alone.
#include <cstddef>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/session/check.hpp>
#include <dalembert/session/equations.hpp>
#include <dalembert/session/loaded_model.hpp>
#include <dalembert/session/run.hpp>
#include <dalembert/session/series.hpp>

namespace dalembert::session {
namespace {

using Task = std::function<std::string(const LoadedModel&)>;

std::string text_of(const Motion& motion) {
  std::string text;
  for (const double number : motion.numbers) text += std::to_string(number) + ' ';
  return text + std::string(reinterpret_cast<const char*>(motion.numbers.data()),
                            motion.numbers.size() * sizeof(double));
}

Task run_by(const char* method) {
  return [method](const LoadedModel& model) {
    std::vector<GivenOption> options{give("method", method), give("duration", 0.05),
                                     give("output_step", 0.05)};
    if (find_method(method).tolerance == 0) options.push_back(give("step", 0.01));
    return text_of(run(model, options));
  };
}

std::vector<Task> tasks() {
  return {[](const LoadedModel& model) { return to_text(equations(model)); },
          [](const LoadedModel& model) { return to_text(equations(model, {.numbers = true})); },
          [](const LoadedModel& model) { return to_text(check(model)); },
          [](const LoadedModel& model) { return to_text(series(model, {.order = 6})); },
          [](const LoadedModel& model) { return std::to_string(derive_equations(model.model()).n()); },
          run_by("adomian"),
          run_by("dop853"),
          run_by("rattle"),
          run_by("generalized_alpha")};
}

class ModelInThreads : public testing::TestWithParam<const char*> {};

TEST_P(ModelInThreads, GivesEachTheNumbersThatItHasAlone) {
  std::vector<std::string> alone;
  for (const Task& task : tasks()) alone.push_back(task(load(GetParam())));
  const LoadedModel model = load(GetParam());
  constexpr int rounds = 2;
  std::vector<std::future<std::string>> together;
  for (int round = 0; round < rounds; ++round) {
    for (const Task& task : tasks())
      together.push_back(std::async(std::launch::async, [task, model] { return task(model); }));
  }
  for (std::size_t i = 0; i < together.size(); ++i)
    EXPECT_EQ(together[i].get(), alone[i % alone.size()]) << "task " << i % alone.size();
}

INSTANTIATE_TEST_SUITE_P(ShippedModels, ModelInThreads, testing::Values("slider_crank", "four_bar"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace dalembert::session
