// HDF5 as a part of the program. Its shared library brings forty others with it, for files in the network;
// to load them takes longer than most runs.
#include "hdf5_library.hpp"

extern "C" void dalembert_hdf5_inside(dalembert::Hdf5& library) {
#define DALEMBERT_SET(name) library.name = &::name;
  DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_SET)
  DALEMBERT_HDF5_VARIABLES(DALEMBERT_SET)
#undef DALEMBERT_SET
}
