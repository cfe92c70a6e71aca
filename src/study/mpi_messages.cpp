#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>

#include <dalembert/base/error.hpp>
#include <dalembert/study/messages.hpp>

#include "inside/mpi_functions.hpp"

namespace dalembert::study {
namespace {

namespace fs = std::filesystem;

int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

// Beside the program as it was built, or where it was installed.
fs::path find_module() {
  std::error_code unknown;
  const fs::path here = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const fs::path& folder : {here, here / ".." / "lib" / "dalembert", fs::path(DALEMBERT_MPI_FOLDER)}) {
    if (fs::exists(folder / DALEMBERT_MPI_MODULE, unknown)) return folder / DALEMBERT_MPI_MODULE;
  }
  throw Error(
      "this program was started by mpirun, but it was built without MPI (package libopenmpi-dev); "
      "--threads uses all cores of one machine");
}

class MpiMessages : public Messages {
 public:
  MpiMessages() {
    const fs::path path = find_module();
    // global: parts of MPI that are loaded later look for it
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) throw Error(fmt::format("MPI cannot be loaded: {}", dlerror()));
    const auto begin =
        reinterpret_cast<decltype(&dalembert_mpi_begin)>(dlsym(library, "dalembert_mpi_begin"));
    if (begin == nullptr || !begin(&mpi_)) throw Error("MPI could not be started");
  }

  int rank() const override { return mpi_.rank; }
  int size() const override { return mpi_.size; }
  void send(int to, const std::string& bytes) override {
    if (!mpi_.send(to, bytes.data(), static_cast<long>(bytes.size()))) fail();
  }
  std::optional<Message> receive() override {
    Message message;
    const long length = mpi_.probe(&message.from);
    if (length == -1) return std::nullopt;
    if (length < 0) fail();
    message.bytes.resize(static_cast<std::size_t>(length));
    if (!mpi_.receive(message.from, message.bytes.data(), length)) fail();
    return message;
  }
  void finish() override { mpi_.finish(); }

 private:
  [[noreturn]] static void fail() { throw MessageError("MPI has failed: a process is lost"); }

  DalembertMpi mpi_{};
};

}  // namespace

// As Open MPI says it, MPICH, and PMIx.
ProcessPlace find_process_place() {
  for (const auto& [size, rank] :
       {std::array{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, std::array{"PMI_SIZE", "PMI_RANK"}}) {
    if (number_in(size, 1) > 1) return {number_in(rank, 0), number_in(size, 1)};
  }
  return {};
}

std::unique_ptr<Messages> make_mpi_messages() { return std::make_unique<MpiMessages>(); }

}  // namespace dalembert::study
