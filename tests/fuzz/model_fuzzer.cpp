// Any text as a model file: a model or an Error, whose place is in the text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>
#include <dalembert/base/printable.hpp>
#include <dalembert/model/read.hpp>

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check_place(const dalembert::Error& error, std::string_view text) {
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  require(!error.message().empty());
  require(error.where().file == "model");
  require(error.where().line >= 1 && error.where().line <= lines);
  require(error.where().column >= 1);
  require(std::string_view(error.what()).size() < 2000);
  require(dalembert::printable(error.what(), dalembert::LineBreaks::keep) == error.what());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const dalembert::Model model = dalembert::read_model_text(text);
    require(!model->coordinates.empty());
    require(model->generalized_force.size() == model->coordinates.size());
  } catch (const dalembert::Error& error) {
    check_place(error, text);
  }
  return 0;
}
