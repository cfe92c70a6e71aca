// A series allocates nothing after its construction. This program counts every allocation.
#include <cstddef>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "allocation_counter.hpp"
#include "tape/random_programs.hpp"

namespace dalembert {
namespace {

using testing::allocations;

template <class S>
std::size_t allocations_of_a_run(const Program& program, const std::vector<S>& constants) {
  constexpr int order = 20;
  Series<S> series(program, constants, order);
  for (int k = 0; k <= order; ++k) {
    for (const Register input : program.inputs) {
      if (input != no_register) series.set(input, k, ScalarMath<S>::from(fraction(1, k + 2)));
    }
  }
  const std::size_t before = allocations;
  for (int k = 0; k <= order; ++k) {
    for (const Stage stage : {Stage::position, Stage::velocity, Stage::acceleration}) series.run(stage, k);
  }
  return allocations - before;
}

TEST(RunningASeries, AllocatesNothing) {
  if (!testing::counts_allocations) GTEST_SKIP() << "the sanitizer owns operator new";
  Graph graph;
  RandomPrograms programs(graph, 7);
  const std::vector<Expr> outputs = programs.outputs(60);
  const Program program = compile(outputs, programs.inputs);
  std::unordered_map<NodeId, double> parameters;
  for (const Expr& symbol : program.parameters) parameters.emplace(symbol.id(), 0.5);
  const std::vector<double> constants = evaluate_constants<double>(program, parameters);
  std::vector<Lanes<4>> batch;
  for (const double c : constants) batch.push_back(Lanes<4>{} + c);

  const std::size_t before = allocations;
  const std::vector<int> counted(10);
  ASSERT_GT(allocations, before) << "allocations are not counted";
  EXPECT_EQ(allocations_of_a_run<double>(program, constants), 0U);
  EXPECT_EQ(allocations_of_a_run<Lanes<4>>(program, batch), 0U);
}

}  // namespace
}  // namespace dalembert
