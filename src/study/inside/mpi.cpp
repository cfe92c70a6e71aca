#include <cstddef>
#include <list>
#include <vector>

#include <mpi.h>

#include "mpi_functions.hpp"

namespace {

constexpr int tag = 0;

struct Sent {
  std::vector<char> bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};
std::list<Sent> sent;  // that may be under way

// Forgets what has arrived. A process that has died takes nothing any more: its messages stay.
void forget_sent() {
  for (auto one = sent.begin(); one != sent.end();) {
    int done = 0;
    const bool known = MPI_Test(&one->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    one = !known || done != 0 ? sent.erase(one) : std::next(one);
  }
}

long probe(int* from) {
  forget_sent();
  int there = 0, length = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS) return -2;
  if (there == 0) return -1;
  if (MPI_Get_count(&status, MPI_BYTE, &length) != MPI_SUCCESS) return -2;
  *from = status.MPI_SOURCE;
  return length;
}

bool receive(int from, void* bytes, long length) {
  return MPI_Recv(bytes, static_cast<int>(length), MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
         MPI_SUCCESS;
}

bool send(int to, const void* bytes, long length) {
  Sent& one = sent.emplace_back();
  const auto* const first = static_cast<const char*>(bytes);
  one.bytes.assign(first, first + length);
  return MPI_Isend(one.bytes.data(), static_cast<int>(length), MPI_BYTE, to, tag, MPI_COMM_WORLD,
                   &one.request) == MPI_SUCCESS;
}

void finish() {
  for (Sent& one : sent) MPI_Wait(&one.request, MPI_STATUS_IGNORE);
  sent.clear();
  MPI_Finalize();
}

}  // namespace

bool dalembert_mpi_begin(DalembertMpi* mpi) {
  int level = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return false;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi->size);
  mpi->probe = probe;
  mpi->receive = receive;
  mpi->send = send;
  mpi->finish = finish;
  return level >= MPI_THREAD_FUNNELED;
}
