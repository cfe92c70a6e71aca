// A shipped model with another length, checked and run; its numbers as arrays.
#include <iostream>

#include <dalembert/session/check.hpp>
#include <dalembert/session/run.hpp>

using namespace dalembert;

int main() {
  const session::LoadedModel crank = session::load("slider_crank", {"l1=0.3", "theta1=pi/4"});
  const session::CheckReport report = session::check(crank);
  std::cout << report.degrees_of_freedom() << " degree of freedom\n";

  const session::Motion motion =
      session::run(crank, {give("method", "dop853"), give("duration", 2.0), give("tolerance", 1e-9)});
  const std::vector<double> angle = motion.column("theta1");
  std::cout << motion.samples() << " samples, theta1 = " << angle.back() << " at the end\n";
  std::cout << "constraints hold to 1e-12: " << (motion.report().max_position_residual < 1e-12 ? "yes" : "no")
            << '\n';
}
