#include <cstdio>

#include <dalembert/model/builder.hpp>
#include <dalembert/solve/solve.hpp>

int main() {
  using namespace dalembert;
  const Model pendulum = ModelBuilder("Pendulum")
                             .parameter("m", 1)
                             .parameter("l", 1)
                             .parameter("gravity", 9.81)
                             .coordinate("x", {.position = "l"})
                             .coordinate("y", {.position = 0})
                             .kinetic("m/2*(x'^2 + y'^2)")
                             .potential("m*gravity*y")
                             .holonomic("rod", "x^2 + y^2 = l^2")
                             .build();
  const System system(pendulum);
  SolveOptions options;
  options.duration = 2;
  options.output_step = 0.5;
  solve(system, options, SampleSink<double>([](const Sample<double>& s) {
          std::printf("t = %.1f  x = %+.12f  y = %+.12f  lambda = %+.12f\n", s.t, s.q[0], s.q[1],
                      s.lambda[0]);
          return true;
        }));
}
