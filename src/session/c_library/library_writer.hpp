// Writes the files of a C library.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/codegen/c_program.hpp>
#include <dalembert/session/codegen.hpp>
#include <dalembert/system/expansion_program.hpp>
#include <dalembert/system/start.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert::session {

/// The text with @p and @P replaced by the prefix, small and large, and @{key} by the key's text.
std::string fill_in(std::string_view text, const CQuantities& names,
                    const std::map<std::string, std::string>& values = {});

/// Definitions of parameters and constants as far as lines use them; `array` holds the constants.
bool uses_parameters(const std::string& lines);
std::string locals_of(const std::string& lines, const std::string& array);

/// Texts of C that do not depend on the model but for its names.
extern const char* const linear_algebra_text;
extern const char* const motion_text;
extern const char* const start_text;
extern const char* const series_text;
extern const char* const series_step_text;
extern const char* const derivatives_text;
extern const char* const message_text;

class LibraryWriter {
 public:
  LibraryWriter(const System& system, const Start& start, CLibrary& library, const CodegenOptions& options);

  std::string header() const;
  /// Before header(): it finds how large arrays must be.
  std::string source();
  std::string example() const;
  std::string build_file() const;
  std::string readme() const;

 private:
  std::string fill(std::string_view text, const std::map<std::string, std::string>& values = {}) const;
  std::string sizes() const;
  std::string comment_of_model() const;
  std::string enumerators() const;
  std::string parameter_struct() const;
  std::string work_struct() const;
  std::string coordinate_tables() const;
  std::string parameter_functions();
  std::string start_values();
  std::string terms_function();
  std::string balance_function();
  std::string series_functions();
  std::string branch_functions() const;
  std::string observe_function();
  std::string tangent_functions();
  std::string tangent_lines(CProgram& tangent, const Program& program, std::size_t first_parameter);
  std::string state_tangent_function();
  std::string observe_tangent_function();
  std::vector<std::string> state_inputs() const;

  const System& system_;
  const Equations& equations_;
  const Start& start_;
  CLibrary& library_;
  const CQuantities& names_;
  std::vector<std::size_t> active_;
  CHelpers helpers_;
  CSymbols symbols_;  // of parameters: p->name
  std::vector<double> parameter_values_;
  bool derivatives_;
  Program balance_program_, series_program_, state_tangent_program_, observed_tangent_program_;
  CProgram terms_, balance_, series_, observed_, state_tangent_, observed_tangent_;
};

}  // namespace dalembert::session
