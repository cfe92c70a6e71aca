// Values on the flat tape are those of the expressions.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/evaluate.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert {
namespace {

System system_with_force(const std::string& force) {
  return System(read_model_text("[coordinates]\nx = 0.7\n[energy]\nkinetic = \"x'^2/2\"\n[forces]\nx = \"" +
                                force + "\"\n"));
}

double force_on_tape(const System& system) {
  ValueTape tape(system, system.state().program);
  tape.set(0, 0.0);
  tape.set(1, 0.7);
  tape.set(2, 0.3);
  for (const Stage stage : {Stage::position, Stage::velocity}) tape.run(stage);
  const double in_stages = tape.value(system.state().f[0]);
  tape.run();
  EXPECT_EQ(tape.value(system.state().f[0]), in_stages);
  return in_stages;
}

TEST(ValueTape, SinesOfSinesWaitForEachOther) {
  for (const char* force : {"sin(sin(x))", "cos(sin(cos(x)))", "sin(x) + sin(2*x) + sin(sin(x) + cos(x'))",
                            "sin(x*cos(x*sin(x)))", "exp(exp(x))*x*(x*x')"}) {
    const System system = system_with_force(force);
    const Equations& e = system.equations();
    const double expected =
        evaluate<double>(e.f[0], {{e.t.id(), 0.0}, {e.q[0].id(), 0.7}, {e.v[0].id(), 0.3}});
    EXPECT_NEAR(force_on_tape(system), expected, 1e-14) << force;
  }
}

}  // namespace
}  // namespace dalembert
