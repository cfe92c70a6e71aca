// The classical methods of Dalembert on the model file andrews.toml, run as a user runs them. The model is
// read and compiled and its start found once for all tolerances.

#include <memory>
#include <string>
#include <vector>

#include <dalembert/model/read.hpp>
#include <dalembert/model/shipped.hpp>
#include <dalembert/solve/solve.hpp>

#include "andrews/contestants.hpp"
#include "andrews/data.hpp"
#include "error_norm.hpp"

namespace dalembert::bench::andrews {

std::vector<Contestant> method_contestants() {
  const auto system = std::make_shared<System>(read_model(find_model("andrews")));
  const auto problem = std::make_shared<Problem>(make_problem(*system, 0));
  const auto contestant = [&](const std::string& method, const std::string& index_form) {
    return Contestant{"Dalembert " + method + " " + (index_form.empty() ? "with projection" : index_form),
                      tolerance_range(1e-5, 1e-13, 3), [=](double tolerance) {
                        SolveOptions options = options_of(system->model());
                        options.method = method;
                        options.index_form = index_form;
                        options.tolerance = tolerance;
                        options.output_times = {end_time};
                        Result result;
                        const RunReport report =
                            solve(*problem, options, SampleSink<double>([&](const Sample<double>& s) {
                              result.error = state_error(s.q, s.v, end_q, end_v, largest(end_v));
                              result.second_error = relative_error(s.lambda, end_lambda);
                              return true;
                            }));
                        result.finished = reached_end(report.outcome);
                        result.steps = static_cast<long>(report.steps);
                        result.rejected = static_cast<long>(report.rejected);
                        return result;
                      }};
  };
  return {contestant("bdf", "index1"), contestant("bdf", "index2"), contestant("bdf", "ggl"),
          contestant("ndf", "index2"), contestant("dop853", ""),    contestant("adomian", "")};
}

}  // namespace dalembert::bench::andrews
