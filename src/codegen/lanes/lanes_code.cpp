#include <memory>
#include <string>
#include <utility>

#include <dalembert/codegen/lanes_source.hpp>

namespace dalembert {

std::shared_ptr<const LanesCode> make_lanes_code(LanesSource source, std::string& reason) {
  if (source.text.empty()) {
    reason = source.reason;
    return nullptr;
  }
  CCompiler compiler;
  std::shared_ptr<const CompiledLibrary> library = compiler.find(source.text);
  if (!library) library = compiler.compile(source.text);
  reason = compiler.reason();
  if (!library) return nullptr;
  auto code = std::make_shared<LanesCode>();
  code->source = std::move(source);
  code->rest = reinterpret_cast<LanesCode::Rest>(library->find(lanes_function));
  const auto values = [&](const char* name) {
    return reinterpret_cast<LanesCode::Values>(library->find(name));
  };
  code->position = values(lanes_position_function);
  code->velocity = values(lanes_velocity_function);
  code->energy = values(lanes_energy_function);
  code->library = std::move(library);
  return code->rest != nullptr ? code : nullptr;
}

}  // namespace dalembert
