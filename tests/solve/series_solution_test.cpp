// Expansions at the start of a motion.
#include <functional>

#include <gtest/gtest.h>

#include <dalembert/base/stop.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/series_solution.hpp>

namespace dalembert {
namespace {

TEST(SeriesSolution, EndsInTheMiddleWhereItsScopeSaysNo) {
  const System system(read_model(find_model("two_link_robot")));
  const auto products = [&](int most, const auto& expand) {
    int asked = 0;
    const std::function<bool()> go_on = [&] { return ++asked < most; };
    const StopScope scope(go_on);
    EXPECT_THROW(expand(), Stopped);
    return asked;
  };
  EXPECT_EQ(products(100, [&] { expand_exactly(system, 40); }), 100);
  EXPECT_EQ(products(100, [&] { expand_numerically(system, 40, 50); }), 100);
}

TEST(SeriesSolution, IsTheSameWithinAScopeAndBehindOneThatStopped) {
  const System system(read_model(find_model("two_link_robot")));
  const std::function<bool()> no = [] { return false; };
  const std::function<bool()> yes = [] { return true; };
  const SeriesTable alone = expand_exactly(system, 12);
  {
    const StopScope outer(no);
    {
      const StopScope inner(yes);
      EXPECT_EQ(expand_exactly(system, 12).variables[0].coefficients, alone.variables[0].coefficients);
    }
    EXPECT_THROW(expand_exactly(system, 12), Stopped);
  }
  EXPECT_EQ(expand_exactly(system, 12).variables[0].coefficients, alone.variables[0].coefficients);
}

}  // namespace
}  // namespace dalembert
