// Any text as what `--set` takes, a replacement on each line: a model with it or an Error that can be shown.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/base/error.hpp>
#include <dalembert/base/printable.hpp>
#include <dalembert/model/read.hpp>

namespace {

using namespace dalembert;

constexpr std::string_view model_text = R"(
[parameters]
l = 2
m = "l/2"
[coordinates]
x = { position = "l", velocity = 0 }
y = { position = 0, velocity = 1, guess = true }
[energy]
kinetic = "m*(x'^2 + y'^2)/2"
[constraints]
holonomic = { rod = "x^2 + y^2 = l^2" }
)";

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  try {
    std::vector<Override> overrides;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      overrides.push_back(parse_override(rest.substr(0, end)));
      require(!overrides.back().name.empty());
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    require(read_model_text(model_text, "model", overrides)->coordinates.size() == 2);
  } catch (const Error& error) {
    const std::string text = error.what();
    require(!error.message().empty());
    require(printable(text, LineBreaks::keep) == text);
    require(text.size() < size + 2000);
  }
  return 0;
}
