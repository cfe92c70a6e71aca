// Systems of the choices of contacts: their equations are those of all runs of a model.
#include "events/modes.hpp"

#include <memory>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/session/loaded_model.hpp>

namespace dalembert {
namespace {

TEST(Modes, OfOtherParametersAreNotDerivedAgain) {
  const session::LoadedModel model(session::find_source("bouncing_ball"));
  const auto forms = std::make_shared<ModeForms>(*model.described());
  std::vector<const DynamicsProgram*> programs(3);
  {
    std::vector<std::jthread> runs;
    for (std::size_t i = 0; i < programs.size(); ++i) {
      runs.emplace_back([&, i] {
        const std::vector<NamedValue> own{{"m", 1.0 + static_cast<double>(i)}};
        const System system = model.system().with_parameters(own);
        ModeSystems modes(system, forms);
        Mode closed = modes.start();
        closed.links[modes.contact(0)] = true;
        const System& resting = modes.get(closed);
        EXPECT_EQ(resting.m(), 1U);
        EXPECT_EQ(resting.given_parameters(), own);
        programs[i] = &resting.dynamics();
      });
    }
  }
  EXPECT_EQ(programs[0], programs[1]);
  EXPECT_EQ(programs[0], programs[2]);
}

TEST(Modes, OfARunAloneAreItsOwn) {
  const session::LoadedModel model(session::find_source("bouncing_ball"));
  ModeSystems first(model.system()), second(model.system());
  Mode closed = first.start();
  closed.links[first.contact(0)] = true;
  EXPECT_NE(&first.get(closed).dynamics(), &second.get(closed).dynamics());
  EXPECT_EQ(&first.get(first.start()).dynamics(), &model.system().dynamics());
}

}  // namespace
}  // namespace dalembert
