// Compiled code of an expansion, ready to run.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <dalembert/codegen/compiled_library.hpp>
#include <dalembert/codegen/expansion_source.hpp>

namespace dalembert {

/// Immutable; runs of one system share it.
struct ExpansionCode {
  using Start = int (*)(const ExpansionMemory*);
  using Values = void (*)(const ExpansionMemory*);
  using Rest = void (*)(const ExpansionMemory*, int order);
  using Matrix = void (*)(const ExpansionMemory*, double* columns);
  using Product = void (*)(const ExpansionMemory*, const double* x, double* sum);
  using Residual = void (*)(const ExpansionMemory*, double* residual);

  ExpansionSource source;
  Values position = nullptr, velocity = nullptr;  ///< null: the interpreter finds them
  Start start = nullptr;
  Rest rest = nullptr;
  Matrix matrix = nullptr;
  Product product = nullptr;
  Residual residual = nullptr;
  std::shared_ptr<const CompiledLibrary> library;
};

/// From the cache alone; null where it is not there.
std::shared_ptr<const ExpansionCode> find_expansion_code(const ExpansionSource& source);
/// Null where there is no compiler, or it fails; `reason` tells why.
std::shared_ptr<const ExpansionCode> compile_expansion_code(const ExpansionSource& source,
                                                            std::string& reason,
                                                            const std::function<bool()>& stopped = {});

}  // namespace dalembert
