// What the program uses of MPI, as a library that is loaded when mpirun has started the program.
#pragma once

extern "C" {

struct DalembertMpi {
  int rank, size;
  /// Of the next message that has come, its length in bytes; −1: none has, −2: MPI has failed.
  long (*probe)(int* from);
  bool (*receive)(int from, void* bytes, long length);  ///< false: MPI has failed
  bool (*send)(int to, const void* bytes, long length);
  void (*finish)();
};

/// False: MPI could not begin.
bool dalembert_mpi_begin(DalembertMpi* mpi);
}
