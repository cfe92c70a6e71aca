// Threads that derive, compile and evaluate one model at once have the numbers of one that is alone.
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/print.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/system/implicit_programs.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/structure.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {
namespace {

constexpr const char* shared_text = R"toml(
[parameters]
l1 = 0.2
l2 = "5*l1"
torque = 10
[coordinates]
theta1 = { position = 0.78 }
theta2 = { position = "asin(l1/l2*sin(0.78))" }
[definitions]
slider = "l1*cos(theta1) + l2*cos(theta2)"
[energy]
kinetic = "theta1'^2 + (1 + sin(theta1)^2)*theta2'^2/2 + slider'^2/2"
potential = "9.81*l1*sin(theta1) + cosh(theta2)"
[forces]
theta1 = "torque*exp(-t) - 0.1*sign(theta1')*theta1'^2"
[constraints]
holonomic = { slider_on_axis = "l1*sin(theta1) - l2*sin(theta2)" }
[outputs]
power = "torque*theta1'*lambda(slider_on_axis)"
)toml";

// What one thread makes of the model and of a system that all share.
std::vector<double> numbers_of(const Model& model, const System& shared) {
  std::vector<double> numbers;
  const auto add = [&](const System& system, const Program& program) {
    for (const double constant : system.constants<double>(program)) numbers.push_back(constant);
    for (const Instruction& i : program.instructions)
      numbers.push_back(static_cast<double>(i.op) + 100.0 * i.result + 1e6 * i.x);
  };
  const Equations derived = derive_equations(model);
  for (const Expr& f : derived.f) numbers.push_back(static_cast<double>(to_text(f).size()));
  const System own(model);
  for (const System* system : {&own, &shared}) {
    add(*system, system->state().program);
    add(*system, system->expansion_program().program);
    add(*system, system->implicit_programs().residual(*system, ConstraintLevel::position).program);
    add(*system, system->implicit_programs().momentum(*system).program);
    ValueTape tape(*system, system->state().program);
    for (std::size_t i = 0; i < 5; ++i) tape.set(i, 0.1 * static_cast<double>(i + 1));
    tape.run();
    numbers.insert(numbers.end(), tape.registers().begin(), tape.registers().end());
  }
  return numbers;
}

TEST(SharedModel, GivesEveryThreadTheNumbersOfOneAlone) {
  const Model alone = read_model_text(shared_text);
  const std::vector<double> expected = numbers_of(alone, System(alone));
  ASSERT_GT(expected.size(), 500U);

  const Model model = read_model_text(shared_text);
  const System shared(model);
  const std::size_t nodes = model->graph->size();
  std::vector<std::vector<double>> results(6);
  std::vector<std::thread> threads;
  for (std::vector<double>& result : results)
    threads.emplace_back([&] { result = numbers_of(model, shared); });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& result : results) EXPECT_EQ(result, expected);
  EXPECT_EQ(model->graph->size(), nodes);
}

TEST(SharedModel, TakesNoMoreExpressions) {
  const Model model = read_model_text(shared_text);
  EXPECT_TRUE(model->graph->is_frozen());
  EXPECT_THROW(tan(model->time), Error);
  const Equations e = derive_equations(model);
  EXPECT_THROW(tan(e.t), Error);
  EXPECT_EQ(to_text(tan(e.continued().t)), "tan(t)");
}

}  // namespace
}  // namespace dalembert
