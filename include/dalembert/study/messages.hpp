// Messages between the processes of a study. Rank 0 leads: it gives blocks to the others and takes their rows
// (process_executor.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <dalembert/output/atomic_file.hpp>

namespace dalembert::study {

/// Messages can neither be sent nor received any more.
struct MessageError : OutputError {
  using OutputError::OutputError;
};

struct Message {
  int from = 0;
  std::string bytes;
};

/// Used by one thread of each process.
class Messages {
 public:
  Messages() = default;
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  virtual ~Messages() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Does not wait until it has arrived.
  virtual void send(int to, const std::string& bytes) = 0;
  /// One that has come; nothing: none has.
  virtual std::optional<Message> receive() = 0;
  /// No process sends any more.
  virtual void finish() = 0;
};

/// How many processes mpirun has started with this one, and which it is; 1 and 0: it was not mpirun.
struct ProcessPlace {
  int rank = 0, size = 1;
};
ProcessPlace find_process_place();

/// By MPI, which is loaded now. Throws Error where it is not there.
std::unique_ptr<Messages> make_mpi_messages();

}  // namespace dalembert::study
