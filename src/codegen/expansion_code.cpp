#include <memory>
#include <string>
#include <utility>

#include <dalembert/codegen/expansion_code.hpp>

namespace dalembert {
namespace {

std::shared_ptr<const ExpansionCode> code_in(std::shared_ptr<const CompiledLibrary> library,
                                             const ExpansionSource& source) {
  if (!library) return nullptr;
  auto code = std::make_shared<ExpansionCode>();
  code->source = source;
  code->position = reinterpret_cast<ExpansionCode::Values>(library->find(position_function));
  code->velocity = reinterpret_cast<ExpansionCode::Values>(library->find(velocity_function));
  code->start = reinterpret_cast<ExpansionCode::Start>(library->find(start_function));
  code->rest = reinterpret_cast<ExpansionCode::Rest>(library->find(rest_function));
  code->matrix = reinterpret_cast<ExpansionCode::Matrix>(library->find(matrix_function));
  code->product = reinterpret_cast<ExpansionCode::Product>(library->find(product_function));
  code->residual = reinterpret_cast<ExpansionCode::Residual>(library->find(residual_function));
  const bool is_whole = code->start != nullptr && code->rest != nullptr && code->matrix != nullptr &&
                        code->product != nullptr && code->residual != nullptr;
  code->library = std::move(library);
  return is_whole ? code : nullptr;
}

}  // namespace

std::shared_ptr<const ExpansionCode> find_expansion_code(const ExpansionSource& source) {
  return source.text.empty() ? nullptr : code_in(CCompiler().find(source.text), source);
}

std::shared_ptr<const ExpansionCode> compile_expansion_code(const ExpansionSource& source,
                                                            std::string& reason,
                                                            const std::function<bool()>& stopped) {
  if (source.text.empty()) {
    reason = source.reason;
    return nullptr;
  }
  CCompiler compiler;
  auto code = code_in(compiler.compile(source.text, stopped), source);
  reason = compiler.reason();
  return code;
}

}  // namespace dalembert
