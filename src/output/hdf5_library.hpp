// What is used of HDF5: a part of the program where it was linked with inside/hdf5.cpp, else loaded on
// demand.
#pragma once

#include <hdf5.h>

#include "shared_library.hpp"

namespace dalembert {
struct Hdf5;
}

/// Fills the table with functions of the program itself; absent where HDF5 is no part of it.
extern "C" __attribute__((weak)) void dalembert_hdf5_inside(dalembert::Hdf5& library);

namespace dalembert {

#define DALEMBERT_HDF5_FUNCTIONS(each)                                                                      \
  each(H5open) each(H5dont_atexit) each(H5Eset_auto2) each(H5Pcreate) each(H5Pclose)                        \
      each(H5Pset_fclose_degree) each(H5Pset_buffer) each(H5Pset_chunk) each(H5Pset_shuffle)                \
          each(H5Pset_deflate) each(H5Pset_obj_track_times) each(H5Fcreate) each(H5Fclose) each(H5Fflush)   \
              each(H5Screate) each(H5Screate_simple) each(H5Sclose) each(H5Dcreate2) each(H5Dset_extent)    \
                  each(H5Dwrite) each(H5Dwrite_chunk) each(H5Dclose) each(H5Tcopy) each(H5Tset_size)        \
                      each(H5Tset_cset) each(H5Tclose) each(H5Acreate2) each(H5Awrite) each(H5Aclose)       \
                          each(H5Gcreate2) each(H5Gclose) each(H5Lcreate_hard) each(H5Fopen) each(H5Dopen2) \
                              each(H5Dread) each(H5free_memory)

// HDF5's own names of types and classes are macros for these variables, set by H5open.
#define DALEMBERT_HDF5_VARIABLES(each)                                                             \
  each(H5P_CLS_FILE_ACCESS_ID_g) each(H5P_CLS_DATASET_CREATE_ID_g) each(H5P_CLS_DATASET_XFER_ID_g) \
      each(H5T_C_S1_g) each(H5T_IEEE_F64LE_g) each(H5T_STD_U64LE_g) each(H5T_NATIVE_DOUBLE_g)      \
          each(H5T_NATIVE_ULLONG_g)

struct Hdf5 {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define DALEMBERT_DECLARE(name) decltype(&::name) name = nullptr;
  DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_DECLARE)
#undef DALEMBERT_DECLARE
// NOLINTNEXTLINE(bugprone-macro-parentheses)
#define DALEMBERT_DECLARE(name) const hid_t* name = nullptr;
  DALEMBERT_HDF5_VARIABLES(DALEMBERT_DECLARE)
#undef DALEMBERT_DECLARE

  static const Hdf5& get() {
    static const Hdf5 library;
    return library;
  }
  /// On the present thread: errors are ours to tell.
  void tell_no_errors() const { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

 private:
  Hdf5() {
    if (dalembert_hdf5_inside != nullptr) {
      dalembert_hdf5_inside(*this);
    } else {
      load();
    }
    H5dont_atexit();  // what could not be written while running would be tried again at the end, and crash
    H5open();
    tell_no_errors();
  }
  void load() {
    const SharedLibrary library(DALEMBERT_HDF5);
#define DALEMBERT_FIND(name) library.find(#name, name);
    DALEMBERT_HDF5_FUNCTIONS(DALEMBERT_FIND)
    DALEMBERT_HDF5_VARIABLES(DALEMBERT_FIND)
#undef DALEMBERT_FIND
  }
};

}  // namespace dalembert
