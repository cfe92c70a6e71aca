#include "kept_motions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/solve/schedule.hpp>

namespace dalembert::study {
namespace {

// Of all coordinates and velocities.
void add_state(std::vector<Collected>& sampled, const ModelData& model) {
  for (const char* mark : {"", "'"}) {
    for (const Coordinate& coordinate : model.coordinates) {
      const std::string of = coordinate.name + mark;
      sampled.push_back({Collected::Kind::motion, of, fmt::format("motion({})", of)});
    }
  }
}

}  // namespace

std::vector<Collected> take_sampled(std::vector<Collected>& collected, const session::ModelSource& source) {
  std::vector<Collected> sampled;
  for (const Collected& one : collected) {
    if (one.kind != Collected::Kind::motion) continue;
    if (one.of.empty()) {
      add_state(sampled, *session::LoadedModel(source).model());
    } else {
      sampled.push_back(one);
    }
  }
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (sampled[i].of == sampled[j].of)
        throw Error(fmt::format("--collect: 'motion({})' is asked for twice", sampled[i].of));
    }
  }
  std::erase_if(collected, [](const Collected& one) { return one.kind == Collected::Kind::motion; });
  return sampled;
}

std::vector<double> motion_times(const ModelData& model, std::span<const GivenOption> given,
                                 std::size_t functions) {
  if (functions == 0) {
    for (const GivenOption& one : given) {
      if (one.option->key != "output_step" && one.option->key != "times") continue;
      throw Error(fmt::format("{} says when motions are kept, and none is: --collect motion",
                              spell(*one.option, Spelling::flag)));
    }
    return {};
  }
  const auto is_given = [&](const char* key) {
    return std::ranges::any_of(given, [key](const GivenOption& one) { return one.option->key == key; });
  };
  if (is_given("output_step") && is_given("times"))
    throw Error("--output-step and --times exclude each other");
  const SolveOptions options = options_for(model, given, Spelling::flag);
  constexpr double most = 524'288;  // numbers of a run: a block of 64 runs has 256 MB then
  const double samples = options.output_times.empty() ? std::abs(options.duration) / options.output_step + 2
                                                      : static_cast<double>(options.output_times.size());
  if (samples * static_cast<double>(functions) > most) {
    throw Error(
        fmt::format("--collect motion would keep {:.0f} times of {} functions of each run; at most "
                    "{:.0f} numbers are possible: take a longer --output-step",
                    samples, functions, most));
  }
  std::vector<double> times;
  for (Schedule schedule(complete(options)); !schedule.done(); schedule.advance())
    times.push_back(schedule.next());
  return times;
}

}  // namespace dalembert::study
