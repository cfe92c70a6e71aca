// A program that is not part of the project: it uses what was installed, down to the libraries that come with
// it.
#include <cstdio>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>
#include <dalembert/session/run.hpp>

int main() {
  const dalembert::Model model = dalembert::read_model(MODELS_DIR "/slider_crank.toml");
  std::printf("%s: %zu coordinates\n", model->title.c_str(), model->coordinates.size());
  try {
    dalembert::read_model_text("coordinates = 3", "wrong.toml");
    std::puts("a wrong model was accepted");
    return 1;
  } catch (const dalembert::Error& error) {
    std::puts(error.what());
  }
  const auto crank = dalembert::session::load(MODELS_DIR "/slider_crank.toml", {"l1=0.3"});
  const dalembert::session::Motion motion =
      dalembert::session::run(crank, {dalembert::give("duration", 1.0)});
  std::printf("%zu samples of %zu columns\n", motion.samples(), motion.columns.size());
  return model->coordinates.size() == 2 && motion.samples() == 101 ? 0 : 1;
}
