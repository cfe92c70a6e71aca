# Headers, libraries, exported targets with the namespace Dalembert::, the package file and the shipped models.
include(CMakePackageConfigHelpers)

function(dalembert_install)
  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Dalembert)
  set(DALEMBERT_MODELS_DIR ${CMAKE_INSTALL_DATADIR}/dalembert/models)

  list(TRANSFORM DALEMBERT_LAYERS PREPEND dalembert_ OUTPUT_VARIABLE targets)
  install(TARGETS ${targets} dalembert_all EXPORT DalembertTargets)
  install(EXPORT DalembertTargets NAMESPACE Dalembert:: DESTINATION ${package_folder})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/dalembert DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN *.hpp)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/models/ DESTINATION ${DALEMBERT_MODELS_DIR})

  configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/DalembertConfig.cmake.in ${PROJECT_BINARY_DIR}/DalembertConfig.cmake
    INSTALL_DESTINATION ${package_folder} PATH_VARS DALEMBERT_MODELS_DIR)
  # Before 1.0 a new minor version may change the interface.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/DalembertConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/DalembertConfig.cmake ${PROJECT_BINARY_DIR}/DalembertConfigVersion.cmake
          DESTINATION ${package_folder})
endfunction()
