# Hot layers for several processors: with DALEMBERT_LEVELS (x86-64-v2, -v3, -v4: "v2;v3;v4") the library is made of
#
#   dalembert_description     one shared library of the layers up to `derive`
#   dalembert_kernels_LEVEL   a shared library of the layers from `tape` to `solve`, compiled for x86-64-LEVEL
#
# All kernels have one name, libdalembert_kernels.so, in a folder of its own for each level. Whichever is loaded first serves all who
# need that name. Layers above them (`output`, `session`, `study`) are compiled once.
#
# Objects that libraries of different levels hand each other must look the same in all of them: Eigen takes matrices as
# aligned for SSE everywhere and allocates them in one way, and no type that depends on `native_lanes` has members outside of vectors.
set(DALEMBERT_LEVELS "" CACHE STRING "levels of x86-64 that hot layers are compiled for, for instance v2;v3;v4")
if(DALEMBERT_LEVELS)
  set(CMAKE_OPTIMIZE_DEPENDENCIES ON)  # objects of layers above do not wait for plain objects of those below, which nobody needs
endif()
set(DALEMBERT_DESCRIPTION_LAYERS base expr settings draft bodies model derive)
set(DALEMBERT_KERNEL_LAYERS tape codegen linalg system solve)
set(DALEMBERT_UPPER_LAYERS import output session study)

# dalembert_layer_for(LEVEL LAYER): objects of a layer as its target says, for a level.
function(dalembert_layer_for level layer)
  set(target dalembert_${layer})
  set(objects ${target}_${level})
  get_target_property(sources ${target} SOURCES)
  add_library(${objects} OBJECT EXCLUDE_FROM_ALL ${sources})
  foreach(kind LINK_LIBRARIES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES)
    get_target_property(value ${target} ${kind})
    if(value)
      set_property(TARGET ${objects} APPEND PROPERTY ${kind} "${value}")
    endif()
  endforeach()
  get_target_property(precompiled ${target} PRECOMPILE_HEADERS_REUSE_FROM)
  if(precompiled)
    target_precompile_headers(${objects} REUSE_FROM dalembert_precompiled_${level})
  endif()
  target_link_libraries(${objects} PRIVATE dalembert_level_${level})
endfunction()

# dalembert_shared(NAME OUTPUT_NAME name OBJECTS target... LINK library...)
function(dalembert_shared name)
  cmake_parse_arguments(SHARED "" "OUTPUT_NAME" "OBJECTS;LINK" ${ARGN})
  list(TRANSFORM SHARED_OBJECTS REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(${name} SHARED EXCLUDE_FROM_ALL ${objects})
  set_target_properties(${name} PROPERTIES OUTPUT_NAME ${SHARED_OUTPUT_NAME} LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE ${SHARED_LINK})
  # Functions call those of their own library without a look into a table.
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
endfunction()

function(dalembert_kernels level)
  add_library(dalembert_level_${level} INTERFACE)
  target_compile_options(dalembert_level_${level} INTERFACE -march=x86-64-${level}
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized$<SEMICOLON>-Wno-maybe-uninitialized>)
  target_compile_definitions(dalembert_level_${level} INTERFACE EIGEN_MAX_ALIGN_BYTES=16
                             $<$<STREQUAL:${level},v2>:EIGEN_MALLOC_ALREADY_ALIGNED=0>)  # as with wider registers
  dalembert_precompiled(dalembert_precompiled_${level}
                        LINK Eigen3::Eigen fmt::fmt dalembert_level_${level})
  foreach(layer IN LISTS DALEMBERT_KERNEL_LAYERS)
    dalembert_layer_for(${level} ${layer})
  endforeach()
  list(TRANSFORM DALEMBERT_KERNEL_LAYERS REPLACE "(.+)" "dalembert_\\1_${level}" OUTPUT_VARIABLE objects)
  set(sundials $<$<BOOL:${SUNDIALS_FOUND}>:sundials_ida$<SEMICOLON>sundials_nvecserial>)
  dalembert_shared(dalembert_kernels_${level} OUTPUT_NAME dalembert_kernels OBJECTS ${objects}
                   LINK dalembert_description klu camd gmp mpfr fmt::fmt Threads::Threads ${CMAKE_DL_LIBS} ${sundials})
  set_target_properties(dalembert_kernels_${level} PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/levels/${level}
                                                              INSTALL_RPATH "$ORIGIN/../..")
endfunction()

# After all layers.
function(dalembert_levels)
  foreach(layer precompiled ${DALEMBERT_DESCRIPTION_LAYERS} ${DALEMBERT_UPPER_LAYERS})  # not hot: a tenth less of the package
    target_compile_options(dalembert_${layer} PRIVATE -O2)
  endforeach()
  foreach(layer import session)  # with matrices
    target_compile_definitions(dalembert_${layer} PRIVATE EIGEN_MALLOC_ALREADY_ALIGNED=0)
  endforeach()
  list(TRANSFORM DALEMBERT_DESCRIPTION_LAYERS PREPEND dalembert_ OUTPUT_VARIABLE objects)
  dalembert_shared(dalembert_description OUTPUT_NAME dalembert_description OBJECTS ${objects} LINK gmp mpfr fmt::fmt)
  set_target_properties(dalembert_description PROPERTIES INSTALL_RPATH "$ORIGIN")
  foreach(level IN LISTS DALEMBERT_LEVELS)
    dalembert_kernels(${level})
  endforeach()
endfunction()

# dalembert_link_levels(TARGET): the whole library, with the kernels of the first level unless others are loaded before.
function(dalembert_link_levels target)
  list(GET DALEMBERT_LEVELS 0 first)
  target_link_libraries(${target} PRIVATE dalembert_kernels_${first} dalembert_description fmt::fmt gmp mpfr z Threads::Threads
                                          ${CMAKE_DL_LIBS})
  if(URDFDOM_LIBRARY AND CONSOLE_BRIDGE_LIBRARY)
    target_link_libraries(${target} PRIVATE urdfdom_model console_bridge)
  endif()
  foreach(layer IN LISTS DALEMBERT_UPPER_LAYERS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:dalembert_${layer}>)
  endforeach()
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:dalembert_all,INTERFACE_INCLUDE_DIRECTORIES>)
  # Statics of inline functions are one for all libraries only if they can be seen.
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
endfunction()
