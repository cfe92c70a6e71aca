# HDF5 as a part of programs, where its static library is found (docs/decisions.md). Libraries that link Dalembert load
# the shared one on demand: the static one cannot be a part of them.
function(dalembert_hdf5_inside)
  find_library(HDF5_STATIC NAMES libhdf5_serial.a libhdf5.a)
  find_library(SZ_STATIC NAMES libsz.a)
  find_library(AEC_STATIC NAMES libaec.a)
  find_library(ZLIB_STATIC NAMES libz.a)
  if(NOT HDF5_STATIC OR NOT SZ_STATIC OR NOT AEC_STATIC OR NOT ZLIB_STATIC)
    message(STATUS "No static HDF5: the program loads the shared library on demand")
    return()
  endif()
  add_library(dalembert_hdf5_inside OBJECT ${PROJECT_SOURCE_DIR}/src/output/inside/hdf5.cpp)
  target_include_directories(dalembert_hdf5_inside PRIVATE ${PROJECT_SOURCE_DIR}/src/output)
  target_include_directories(dalembert_hdf5_inside SYSTEM PRIVATE ${HDF5_INCLUDE_DIR})
  target_compile_definitions(dalembert_hdf5_inside PRIVATE DALEMBERT_HDF5="${hdf5_file}")
  target_link_libraries(dalembert_hdf5_inside PRIVATE dalembert_options dalembert_base)
  target_link_libraries(dalembert_hdf5_inside INTERFACE ${HDF5_STATIC} ${SZ_STATIC} ${AEC_STATIC} ${ZLIB_STATIC}
                                                        ${CMAKE_DL_LIBS} m)
endfunction()
