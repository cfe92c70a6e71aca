# MPI in a module of its own beside the program, loaded when mpirun has started it (docs/decisions.md).
function(dalembert_mpi)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(NOT MPI_CXX_FOUND)
    message(STATUS "MPI not found: studies run on the threads of one machine")
    return()
  endif()
  add_library(dalembert_mpi MODULE ${PROJECT_SOURCE_DIR}/src/study/inside/mpi.cpp)
  target_link_libraries(dalembert_mpi PRIVATE dalembert_options MPI::MPI_CXX)
  set_target_properties(dalembert_mpi PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY
                                                           ${PROJECT_BINARY_DIR}/apps/dalembert)
  install(TARGETS dalembert_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/dalembert)
endfunction()
