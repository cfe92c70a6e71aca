#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/utsname.h>

#include <dalembert/base/error.hpp>
#include <dalembert/base/find_program.hpp>
#include <dalembert/output/work_folder.hpp>
#include <dalembert/output/zip_archive.hpp>
#include <dalembert/session/fmu.hpp>

#include "child_process.hpp"
#include "fmu/fmu_variables.hpp"

namespace dalembert::session {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t large_source =
    300'000;  // letters: gcc -O2 takes 20 s for the 550'000 of fekete, -O1 12 s

// The same for the same text: FNV-1a, twice.
std::string token_of(const std::string& text) {
  const auto number = [&](std::uint64_t hash) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
  };
  const std::string digits =
      fmt::format("{:016x}{:016x}", number(0xcbf29ce484222325U), number(0x9e3779b97f4a7c15U));
  return fmt::format("{{{}-{}-{}-{}-{}}}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4),
                     digits.substr(16, 4), digits.substr(20));
}

// Its path and first arguments: CC, else cc, gcc, clang. Empty: there is none.
std::vector<std::string> find_compiler() {
  std::vector<std::vector<std::string>> candidates{{"cc"}, {"gcc"}, {"clang"}};
  if (const char* const given = std::getenv("CC"); given != nullptr && *given != '\0') {
    std::istringstream words(given);
    candidates.insert(candidates.begin(), {std::istream_iterator<std::string>(words), {}});
  }
  for (std::vector<std::string>& words : candidates) {
    if (words.empty()) continue;
    const fs::path path = find_program(words[0]);
    if (path.empty()) continue;
    words[0] = path.string();
    return words;
  }
  return {};
}

// As version 3 and version 2 name this machine.
std::string platform(FmiVersion version) {
  utsname machine{};
  uname(&machine);
  const std::string processor = machine.machine;
  if (version == FmiVersion::two) return processor == "x86_64" ? "linux64" : "linux-" + processor;
  return processor + "-linux";
}

std::string compile(const std::vector<std::string>& compiler, const std::vector<GeneratedFile>& sources) {
  WorkFolder folder("dalembert-fmu");
  std::vector<std::string> arguments(compiler.begin() + 1, compiler.end());
  const std::string library = folder.file("library.so");
  std::size_t size = 0;
  for (const GeneratedFile& source : sources) size += source.text.size();
  for (const std::string& flag :
       {std::string("-std=c99"), std::string(size > large_source ? "-O1" : "-O2"), std::string("-fPIC"),
        std::string("-shared"), std::string("-fvisibility=hidden"), std::string("-o"), library})
    arguments.push_back(flag);
  for (const GeneratedFile& source : sources) {
    const fs::path path = folder.file(source.name);
    std::ofstream(path, std::ios::binary) << source.text;
    if (path.extension() == ".c") arguments.push_back(path);
  }
  arguments.emplace_back("-lm");
  const ChildResult result = run_child(compiler[0], arguments);
  std::ifstream file(library, std::ios::binary);
  if (result.status != 0 || !file)
    throw OutputError(fmt::format("the C compiler {} failed (status {}); --no-binary leaves it out",
                                  compiler[0], result.status));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Fmu make_fmu(const LoadedModel& loaded, const FmuOptions& options) {
  const LoadedModel& model = loaded.own();
  CodegenOptions library_options = options.library;
  library_options.derivatives = true;
  const CLibrary library = codegen(model, library_options);
  if (!model.system().switches().calls.empty())
    throw Error(fmt::format("'{}' has a kink or a jump, which steps of a unit cannot cross",
                            model.system().switches().calls.front().text));
  const Start start = find_start(model.system());
  FmuParts parts{model, options, library, start, {}};
  parts.variables = list_variables(parts);
  const std::string& header = library.files[0].text;
  const std::string& source = library.files[1].text;
  parts.token = token_of(header + source + describe(parts));
  std::vector<GeneratedFile> sources{
      {"model.h", header}, {"model.c", source}, {"fmu.c", write_interface(parts)}};
  Fmu fmu{{{"modelDescription.xml", describe(parts)}}, library.notes};
  if (const auto compiler = find_compiler(); options.binary && !compiler.empty()) {
    fmu.files.push_back({fmt::format("binaries/{}/{}.so", platform(options.version), library.names.prefix),
                         compile(compiler, sources)});
  } else if (options.binary) {
    fmu.notes.emplace_back("there is no C compiler (cc, gcc, clang, or CC): the unit has sources alone");
  }
  for (GeneratedFile& file : sources) fmu.files.push_back({"sources/" + file.name, std::move(file.text)});
  if (options.version == FmiVersion::three)
    fmu.files.push_back({"sources/buildDescription.xml", describe_build(parts)});
  return fmu;
}

void write_archive(const fs::path& path, const std::vector<GeneratedFile>& files) {
  AtomicFile file(path);
  ZipArchive archive(file);
  for (const GeneratedFile& entry : files) archive.add(entry.name, entry.text);
  archive.finish();
  file.commit();
}

}  // namespace dalembert::session
