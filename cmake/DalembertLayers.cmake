# A layer is one folder: src/NAME with its headers in include/dalembert/NAME.
#
# dalembert_layer(NAME [PRECOMPILED] [DEPENDS layer...] [EXTERNAL library...] [PRIVATE_EXTERNAL library...])
#
# PRECOMPILED: it includes much of the standard library or Eigen nearly everywhere (DalembertPrecompiled.cmake).
#
# Each layer sees the headers of the layers it depends on and of no other: its include root is a folder of the
# build tree that holds a link to its own headers alone. An include against the arrows does not compile.

add_library(dalembert_options INTERFACE)
target_compile_features(dalembert_options INTERFACE cxx_std_20)
target_compile_options(dalembert_options INTERFACE -Wall -Wextra -Wpedantic -Wno-psabi)
# Libraries for anybody's shared ones; program and tests alike, so that they share precompiled headers.
target_compile_options(dalembert_options INTERFACE -fPIC -fno-semantic-interposition)
# GCC 12 sees overlapping copies inside std::string where there are none (bug 105651).
target_compile_options(dalembert_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(DALEMBERT_WERROR)
  # A switch over kinds names all of them, so that a new one is missed nowhere.
  target_compile_options(dalembert_options INTERFACE -Werror -Wswitch-enum)
endif()
if(DALEMBERT_NATIVE)
  set(DALEMBERT_MARCH native)
endif()
if(DALEMBERT_MARCH)
  # GCC 12 finds uninitialized values in its own AVX-512 intrinsics (bug 105593) wherever Eigen uses them.
  target_compile_options(dalembert_options INTERFACE -march=${DALEMBERT_MARCH}
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized$<SEMICOLON>-Wno-maybe-uninitialized>)
endif()
if(DALEMBERT_SANITIZE)
  add_compile_options(-fsanitize=${DALEMBERT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DALEMBERT_SANITIZE})
  # g++ takes variables of the standard library for uninitialized when it instruments them.
  target_compile_options(dalembert_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

set(DALEMBERT_LAYERS "" CACHE INTERNAL "layers in the order of their declaration")

function(dalembert_layer name)
  cmake_parse_arguments(LAYER "PRECOMPILED" "" "DEPENDS;EXTERNAL;PRIVATE_EXTERNAL" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/inside/")  # loaded at run time
  set(include_root ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${include_root}/dalembert)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/dalembert/${name} ${include_root}/dalembert/${name} SYMBOLIC)

  set(target dalembert_${name})
  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:dalembert_options> ${LAYER_PRIVATE_EXTERNAL})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/${name})
    if(LAYER_PRECOMPILED)
      target_precompile_headers(${target} REUSE_FROM dalembert_precompiled)
    endif()
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_compile_features(${target} ${scope} cxx_std_20)
  if(DALEMBERT_MARCH)
    # The alignment of Eigen's matrices depends on it, so who links the library must compile alike.
    target_compile_options(${target} INTERFACE -march=${DALEMBERT_MARCH})
  endif()
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${include_root}>
                                                $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  foreach(dependency IN LISTS LAYER_DEPENDS)
    target_link_libraries(${target} ${scope} dalembert_${dependency})
  endforeach()
  target_link_libraries(${target} ${scope} ${LAYER_EXTERNAL} fmt::fmt)
  add_library(Dalembert::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set(DALEMBERT_LAYERS ${DALEMBERT_LAYERS} ${name} CACHE INTERNAL "")
endfunction()

# Dalembert::dalembert links every layer.
function(dalembert_umbrella)
  add_library(dalembert_all INTERFACE)
  foreach(layer IN LISTS DALEMBERT_LAYERS)
    target_link_libraries(dalembert_all INTERFACE dalembert_${layer})
  endforeach()
  add_library(Dalembert::dalembert ALIAS dalembert_all)
  set_target_properties(dalembert_all PROPERTIES EXPORT_NAME dalembert)
endfunction()
