// A mechanical model as C99: its equations, a consistent start, steps of the Adomian method, without
// Dalembert.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <dalembert/session/loaded_model.hpp>

namespace dalembert::session {

struct CodegenOptions {
  std::string name = {};                 ///< what names in C begin with; empty: the model's
  std::optional<int> order = {};         ///< of the series; none: from the tolerance
  std::optional<double> tolerance = {};  ///< of a step, relative; none: the model's, or 1e-10
  bool derivatives = false;  ///< directional derivatives of accelerations, multipliers and outputs
};

/// Orders that may be asked for.
inline constexpr int least_order = 2, most_order = 60;

struct GeneratedFile {
  std::string name;
  std::string text;
};

/// How the quantities of the model are called in C, in its order.
struct CQuantities {
  std::string prefix, upper;                                             ///< slider_crank, SLIDER_CRANK
  std::vector<std::string> parameters;                                   ///< fields of the struct
  std::vector<std::string> coordinates, constraints, outputs, switches;  ///< enumerators
};

struct CLibrary {
  CQuantities names;
  int order = 0;
  double tolerance = 0;
  std::vector<std::size_t> dropped;  ///< constraints that depend on the others
  std::vector<GeneratedFile> files;  ///< model.h, model.c, main.c, CMakeLists.txt, README.md
  std::vector<std::string> notes;    ///< what the user should know
};

/// Throws Error for a model that has no such form: kinematic, with events or contacts.
CLibrary codegen(const LoadedModel& model, const CodegenOptions& options = {});

/// Throws Error where no folder can be made at this place.
void check_folder(const std::filesystem::path& folder);

/// Writes the files to a folder that is new or empty or holds just such files; whole or not at all. Throws
/// OutputError.
void write_folder(const std::filesystem::path& folder, const std::vector<GeneratedFile>& files);

}  // namespace dalembert::session
