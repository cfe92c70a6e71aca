# dalembert_hdf5_object(RESULT): the static HDF5 as one object that shared libraries may contain, empty where it is not
# installed.
#
# Debian compiles it for programs. Its own symbols become local, so that references to them need no relocation at run time;
# stderr and stdout are the only variables of others that it takes (python/src/hdf5/streams.cpp).
function(dalembert_hdf5_object result)
  set(${result} "" PARENT_SCOPE)
  set(source ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
  find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
  find_library(HDF5_STATIC NAMES libhdf5_serial.a libhdf5.a)
  find_library(SZ_STATIC NAMES libsz.a)
  find_library(AEC_STATIC NAMES libaec.a)
  if(NOT HDF5_INCLUDE_DIR OR NOT HDF5_STATIC OR NOT SZ_STATIC OR NOT AEC_STATIC OR NOT CMAKE_OBJCOPY OR NOT CMAKE_LINKER)
    message(STATUS "No static HDF5: the package loads the shared library on demand")
    return()
  endif()
  add_library(dalembert_hdf5_table OBJECT ${source}/src/output/inside/hdf5.cpp ${source}/python/src/hdf5/streams.cpp)
  set_target_properties(dalembert_hdf5_table PROPERTIES POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  target_compile_features(dalembert_hdf5_table PRIVATE cxx_std_20)
  target_include_directories(dalembert_hdf5_table PRIVATE ${source}/src/output ${source}/include ${HDF5_INCLUDE_DIR})
  target_compile_definitions(dalembert_hdf5_table PRIVATE DALEMBERT_HDF5="")
  set(object ${CMAKE_CURRENT_BINARY_DIR}/hdf5_inside.o)
  set(renamed ${CMAKE_CURRENT_BINARY_DIR}/hdf5_renamed.a)
  set(all ${CMAKE_CURRENT_BINARY_DIR}/hdf5_all.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${CMAKE_OBJCOPY} --redefine-sym stderr=dalembert_stderr --redefine-sym stdout=dalembert_stdout
            ${HDF5_STATIC} ${renamed}
    COMMAND ${CMAKE_LINKER} -r -o ${all} $<TARGET_OBJECTS:dalembert_hdf5_table> ${renamed} ${SZ_STATIC} ${AEC_STATIC}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=dalembert_hdf5_inside ${all} ${object}
    DEPENDS dalembert_hdf5_table $<TARGET_OBJECTS:dalembert_hdf5_table>
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${result} ${object} PARENT_SCOPE)
endfunction()
