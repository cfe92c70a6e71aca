// A mechanical model as a functional mock-up unit (FMI 3.0 or 2.0), for other simulators: Model Exchange and
// Co-Simulation from generated C.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <dalembert/session/codegen.hpp>

namespace dalembert::session {

enum class FmiVersion { two, three };

struct FmuOptions {
  FmiVersion version = FmiVersion::three;
  std::vector<std::string> inputs = {};  ///< parameters that change from outside while it runs
  bool binary = true;                    ///< compiled for this machine, besides its sources
  CodegenOptions library = {};
};

struct Fmu {
  std::vector<GeneratedFile> files;  ///< paths within the archive
  std::vector<std::string> notes;
};

/// Throws Error for a model that has no such form, for inputs that are no parameters, and where the compiler
/// fails.
Fmu make_fmu(const LoadedModel& model, const FmuOptions& options = {});

/// Whole or not at all. Throws OutputError.
void write_archive(const std::filesystem::path& path, const std::vector<GeneratedFile>& files);

}  // namespace dalembert::session
