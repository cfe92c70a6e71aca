# Configures the project as on a machine without Node.js: it must say that the kept page is taken, and go on.
#     cmake -DSOURCE=... -DFOLDER=... -DCOMPILER=... -DHIDE=... -P without_node.cmake
file(REMOVE_RECURSE ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${FOLDER} -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
                        -DCMAKE_BUILD_TYPE=Release -DCMAKE_PROJECT_INCLUDE=${HIDE} -DDALEMBERT_TESTS=OFF
                RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the core cannot be configured without Node.js:\n${output}")
endif()
if(NOT output MATCHES "The report page is the kept one: node and npm are not both installed")
  message(FATAL_ERROR "nothing says that the kept page is taken:\n${output}")
endif()
file(READ ${FOLDER}/build.ninja rules)
if(rules MATCHES "build.mjs" OR NOT rules MATCHES "web/report.html")
  message(FATAL_ERROR "the build without Node.js does not take the kept page")
endif()
