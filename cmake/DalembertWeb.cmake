# The report page: web/ bundled to one HTML file, which the library carries inside.
#
# DALEMBERT_WEB = AUTO: bundled by Node.js 18 where it and npm are and the packages can be fetched, else the kept page;
#                 KEPT: web/report.html, the page as it was bundled last; a test compares the two, `make page` renews it;
#                 ON: bundled, it must work; OFF: without the page.
# The packages live in web/node_modules and the bundled page in build/web, once for all presets.
set(DALEMBERT_WEB AUTO CACHE STRING "the report page: AUTO, KEPT, ON or OFF")
set_property(CACHE DALEMBERT_WEB PROPERTY STRINGS AUTO KEPT ON OFF)

# page_template.cpp carries the page in `file`.
function(dalembert_carry_page file)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/output/page_template.cpp PROPERTIES
                              COMPILE_DEFINITIONS "DALEMBERT_PAGE=\"${file}\"" OBJECT_DEPENDS ${file})
endfunction()

# Fetches the packages of web/package-lock.json unless exactly they are there; `error` stays empty when they are.
function(dalembert_web_packages error)
  set(${error} "" PARENT_SCOPE)
  set(web ${PROJECT_SOURCE_DIR}/web)
  file(LOCK ${PROJECT_SOURCE_DIR}/build/web/packages.lock GUARD FUNCTION TIMEOUT 600)
  file(SHA256 ${web}/package-lock.json wanted)
  set(present "")
  if(EXISTS ${web}/node_modules/.dalembert)
    file(READ ${web}/node_modules/.dalembert present)
  endif()
  if(present STREQUAL wanted)
    return()
  endif()
  message(STATUS "Fetching the packages of the report page")
  execute_process(COMMAND ${NPM_PROGRAM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
                  WORKING_DIRECTORY ${web} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message)
  if(NOT status EQUAL 0)
    set(${error} "npm ci failed\n${message}" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${web}/node_modules/.dalembert ${wanted})
endfunction()

# `error` is empty where the page can be bundled.
function(dalembert_can_bundle error)
  find_program(NODE_PROGRAM NAMES node nodejs)
  find_program(NPM_PROGRAM npm)
  if(NOT NODE_PROGRAM OR NOT NPM_PROGRAM)
    set(${error} "node and npm are not both installed" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${NODE_PROGRAM} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(version VERSION_LESS v18)
    set(${error} "node is ${version}, it takes version 18" PARENT_SCOPE)
    return()
  endif()
  dalembert_web_packages(message)
  set(${error} "${message}" PARENT_SCOPE)
endfunction()

# dalembert_web(TARGET): TARGET's page_template.cpp carries the page.
function(dalembert_web target)
  set(DALEMBERT_BUNDLES_PAGE OFF CACHE INTERNAL "the report page is bundled in this build")
  if(DALEMBERT_WEB STREQUAL "KEPT")
    dalembert_carry_page(${PROJECT_SOURCE_DIR}/web/report.html)
    return()
  elseif(NOT DALEMBERT_WEB)
    return()
  endif()
  dalembert_can_bundle(error)
  if(error AND DALEMBERT_WEB STREQUAL "AUTO")
    message(STATUS "The report page is the kept one: ${error}")
    dalembert_carry_page(${PROJECT_SOURCE_DIR}/web/report.html)
    return()
  elseif(error)
    message(FATAL_ERROR "The report page cannot be bundled: ${error}")
  endif()

  set(page ${PROJECT_SOURCE_DIR}/build/web/report.html)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  add_custom_command(OUTPUT ${page} COMMAND ${NODE_PROGRAM} ${PROJECT_SOURCE_DIR}/web/build.mjs ${page}
                     DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/web/package-lock.json
                     COMMENT "Bundling the report page" VERBATIM)
  add_custom_target(dalembert_web DEPENDS ${page})
  add_dependencies(${target} dalembert_web)
  dalembert_carry_page(${page})
  set(DALEMBERT_BUNDLES_PAGE ON CACHE INTERNAL "")
endfunction()
