// A program that is not part of the project: it uses what was installed, down to the libraries that come with
// it.
#include <cstdio>

#include <dalembert/base/error.hpp>
#include <dalembert/model/read.hpp>

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
  return model->coordinates.size() == 2 ? 0 : 1;
}
