// Any text as a robot: a model file that can be read, or an Error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <dalembert/base/error.hpp>
#include <dalembert/import/urdf.hpp>
#include <dalembert/model/read.hpp>

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

dalembert::ImportedRobot import_robot(std::string_view text) {
  try {
    return dalembert::import_urdf(text);
  } catch (const dalembert::Error& error) {
    require(!error.message().empty());
    require(std::string_view(error.what()).size() < 3000);
    require(error.message().find('\n') == std::string::npos);
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const dalembert::ImportedRobot robot = import_robot({reinterpret_cast<const char*>(data), size});
  if (robot.model.empty()) return 0;
  for (const auto* lines : {&robot.warnings, &robot.notes}) {
    for (const std::string& line : *lines) require(line.find('\n') == std::string::npos);
  }
  constexpr std::size_t small = 20'000;  // larger models take long to read
  if (robot.model.size() > small) return 0;
  try {
    dalembert::read_model_text(robot.model);
  } catch (const dalembert::Error& error) {  // numbers beyond all measure, which URDF does not forbid
    require(!error.message().empty());
  }
  return 0;
}
