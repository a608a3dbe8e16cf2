# One static library per folder of src, alias asg::<folder>.

# The build rule that keeps the arrows one way: checked again whenever a source or header changes,
# before any library is compiled.
function(asg_layer_check)
  file(GLOB_RECURSE checked CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/src/*.cpp" "${PROJECT_SOURCE_DIR}/src/*.h" "${PROJECT_SOURCE_DIR}/include/*.h")
  set(stamp "${PROJECT_BINARY_DIR}/layers.stamp")
  set(script "${PROJECT_SOURCE_DIR}/cmake/check_layers.cmake")
  add_custom_command(OUTPUT "${stamp}"
    COMMAND "${CMAKE_COMMAND}" -D "ROOT=${PROJECT_SOURCE_DIR}" -D "STAMP=${stamp}" -P "${script}"
    DEPENDS ${checked} "${script}" "${PROJECT_SOURCE_DIR}/cmake/layers.cmake"
    COMMENT "Checking that includes point one way"
    VERBATIM)
  add_custom_target(asg_layers DEPENDS "${stamp}")
endfunction()

# Makes the library of src/<folder>; nothing while the folder holds no .cpp file. It links what
# layers.cmake says that the folder may know. Cards come in by asg_card_list().
#   asg_library(<folder> [PUBLIC <targets>] [PRIVATE <targets>] [LINKED <targets>])
# PUBLIC and LINKED targets are needed by users of the installed library as well (find them in
# asgConfig.cmake.in); of LINKED ones users see no header. PRIVATE ones are header-only and stay inside.
function(asg_library folder)
  cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE;LINKED" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  list(FILTER sources EXCLUDE REGEX "\\.card\\.cpp$")
  if(NOT sources)
    return()
  endif()

  # Highway compiles some sources once for each instruction set: they include themselves.
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" vectors REGEX "hwy/foreach_target" LIMIT_COUNT 1)
    if(vectors)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()

  set(target asg_${folder})
  add_library(${target} STATIC ${sources})
  add_library(asg::${folder} ALIAS ${target})
  add_dependencies(${target} asg_layers)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
  set_property(GLOBAL APPEND PROPERTY ASG_LIBRARIES ${target})

  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    PRIVATE "${PROJECT_SOURCE_DIR}/src")
  asg_target(${target})
  if(folder IN_LIST ASG_FUZZED_FOLDERS)
    target_compile_options(${target} PRIVATE ${ASG_FUZZED_OPTIONS})
  endif()

  foreach(known IN LISTS ASG_KNOWS_${folder})
    if(TARGET asg_${known})
      target_link_libraries(${target} PUBLIC asg_${known})
    endif()
  endforeach()
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_LINKED})
  foreach(dependency IN LISTS arg_PRIVATE)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${dependency}>)
  endforeach()
endfunction()

# asg::asg: all libraries at once.
function(asg_umbrella)
  get_property(libraries GLOBAL PROPERTY ASG_LIBRARIES)
  add_library(asg_umbrella INTERFACE)
  add_library(asg::asg ALIAS asg_umbrella)
  set_target_properties(asg_umbrella PROPERTIES EXPORT_NAME asg)
  target_compile_features(asg_umbrella INTERFACE cxx_std_20)
  target_include_directories(asg_umbrella INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)
  target_link_libraries(asg_umbrella INTERFACE ${libraries})
endfunction()

# Counts which lines of some sources are run, in the build that serves the fuzzers. Only these sources
# are instrumented, so no second build is needed; only the fuzzers link the runtime that writes the
# counts. Call it before asg_library(), in its folder.
#   asg_count_lines(<glob>...)
function(asg_count_lines)
  if(ASG_SANITIZE STREQUAL "address")
    file(GLOB counted CONFIGURE_DEPENDS ${ARGN})
    set_source_files_properties(${counted} PROPERTIES
      COMPILE_OPTIONS "-fprofile-instr-generate;-fcoverage-mapping")
  endif()
endfunction()
