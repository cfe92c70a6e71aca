// dalembert stability MODEL
#include <memory>

#include <fmt/format.h>

#include <dalembert/session/stability.hpp>

#include "command.hpp"

namespace dalembert::app {
namespace {

struct StabilityArguments {
  ModelArguments model;
  session::StabilityOptions options;
};

void stability(const StabilityArguments& arguments) {
  fmt::print("{}", to_text(session::stability(arguments.model.load(), arguments.options, Spelling::flag)));
}

}  // namespace

void add_stability(CLI::App& app) {
  const auto arguments = std::make_shared<StabilityArguments>();
  CLI::App* command = app.add_subcommand("stability", "admissible gains and steps of a kinematic model");
  arguments->model.add_to(*command);
  command
      ->add_option("--box", arguments->options.box,
                   "x=-1:1,y=-3:3; by default what a run visits and a tenth more")
      ->delimiter(',');
  command->add_option("--a", arguments->options.a, "contraction per step (0.99)");
  command->add_option("--epsilon", arguments->options.epsilon, "largest deviation |f| (0.1)");
  command->add_option("--step", arguments->options.step, "step of the method; the model's, or 0.002");
  command->footer(
      "Examples:\n"
      "  dalembert stability ellipse\n"
      "  dalembert stability ellipse --box x=-1.1:1.1,y=-3.1:3.1 --epsilon 0.01 --step 0.001");
  command->callback([arguments] { stability(*arguments); });
}

}  // namespace dalembert::app
