# Headers, libraries, the program, find_package(asg), and the archives.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(asg_install)
  get_property(libraries GLOBAL PROPERTY ASG_LIBRARIES)
  install(TARGETS ${libraries} asg_umbrella EXPORT asgTargets
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" "${PROJECT_BINARY_DIR}/include/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
  if(TARGET asg)
    install(TARGETS asg)
  endif()
  install(FILES LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")

  set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/asg")
  install(EXPORT asgTargets NAMESPACE asg:: DESTINATION "${package_folder}")
  configure_package_config_file(cmake/asgConfig.cmake.in "${PROJECT_BINARY_DIR}/asgConfig.cmake"
    INSTALL_DESTINATION "${package_folder}")
  # Before 1.0 a new minor version may break the interface.
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/asgConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/asgConfig.cmake" "${PROJECT_BINARY_DIR}/asgConfigVersion.cmake"
    cmake/FindUtf8proc.cmake DESTINATION "${package_folder}")

  # `cpack` packs what is installed, `cpack --config CPackSourceConfig.cmake` the sources; neither holds
  # the tests or the pictures of the docs, which are large and which nobody needs to use the library.
  set(CPACK_GENERATOR TGZ)
  set(CPACK_SOURCE_GENERATOR TGZ)
  set(CPACK_PACKAGE_VENDOR "The ASG authors")
  set(CPACK_STRIP_FILES ON)
  set(CPACK_SOURCE_IGNORE_FILES "/\\.git/" "/build[^/]*/" "/tests/" "\\.(png|svg|jpg|gif)$")
  set(CPACK_VERBATIM_VARIABLES ON)
  include(CPack)
endfunction()
