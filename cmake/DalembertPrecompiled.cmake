# Headers from outside, read once for many units. Nothing of this project is among them: they never change, and each
# layer still sees the headers of the layers it depends on and of no other.
#
# GCC takes a precompiled header only from units with the same options, hence dalembert_options holds all that matter.
# CMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds without: the presets fuzz and coverage do, so that a missing include is found.
set(DALEMBERT_OUTSIDE_HEADERS
  <algorithm> <array> <charconv> <cmath> <cstddef> <cstdint> <filesystem> <fstream> <functional> <limits> <map> <memory>
  <numeric> <optional> <random> <set> <span> <string> <string_view> <unordered_map> <unordered_set> <utility> <vector>
  <fmt/format.h> <Eigen/Dense>)

# Lets ccache see that a unit uses a precompiled header.
target_compile_options(dalembert_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)

# dalembert_precompiled(NAME [LINK library...] [HEADERS header...]) makes a precompiled header that targets use with
# target_precompile_headers(TARGET REUSE_FROM NAME).
function(dalembert_precompiled name)
  cmake_parse_arguments(PRECOMPILED "" "" "LINK;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE dalembert_options ${PRECOMPILED_LINK})
  target_precompile_headers(${name} PRIVATE ${DALEMBERT_OUTSIDE_HEADERS} ${PRECOMPILED_HEADERS})
endfunction()
