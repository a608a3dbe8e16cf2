# Tests: one program per folder below tests/, one fuzzer per tests/fuzz/<name>_fuzz.cpp.

# Folders with threads in them, the ones that the thread sanitizer runs.
set(ASG_THREAD_TESTS "^(backend_cpu|data|lab_hub|lab_server|log|threads|train|unit/core|unit/io|unit/train)(/|$)")

# Makes test_<path joined by _> of all sources in tests/<path>. It links all libraries, GoogleTest and
# asg_test_support. A file options.cmake in the folder is included when there is one; in it ${test} is
# the target and the test, for extra sources, libraries or properties.
#   asg_test_folder(<path>)
function(asg_test_folder path)
  set(folder "${PROJECT_SOURCE_DIR}/tests/${path}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  string(REPLACE "/" "_" test "test_${path}")
  add_executable(${test} ${sources})
  asg_target(${test} TEST)
  set_target_properties(${test} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_include_directories(${test} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(${test} PRIVATE
    ASG_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    ASG_BINARY_DIR="${PROJECT_BINARY_DIR}"
    ASG_PROGRAM="${PROJECT_BINARY_DIR}/asg")
  if(ASG_SANITIZE)
    target_compile_definitions(${test} PRIVATE ASG_FEW_CASES)
  endif()
  if(TARGET asg_test_support)
    target_link_libraries(${test} PRIVATE asg_test_support)
  endif()
  target_link_libraries(${test} PRIVATE asg::asg nlohmann_json::nlohmann_json GTest::gtest_main)

  add_test(NAME ${test} COMMAND ${test} --gtest_brief=1)
  set_tests_properties(${test} PROPERTIES WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" TIMEOUT 1200
    ENVIRONMENT "ASG_VERIFY=1")
  if(path MATCHES "${ASG_THREAD_TESTS}")
    set_tests_properties(${test} PROPERTIES LABELS threads)
    add_dependencies(asg_thread_tests ${test})
  endif()
  if(EXISTS "${folder}/options.cmake")
    include("${folder}/options.cmake")
  endif()
endfunction()

# Makes the libFuzzer program fuzz_<name> of tests/fuzz/<name>_fuzz.cpp.
#   asg_fuzz_target(<name>)
function(asg_fuzz_target name)
  set(target fuzz_${name})
  add_executable(${target} EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/tests/fuzz/${name}_fuzz.cpp")
  asg_target(${target} TEST)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tests")
  target_link_options(${target} PRIVATE -fsanitize=fuzzer -fprofile-instr-generate)
  target_link_libraries(${target} PRIVATE asg::asg)
  add_dependencies(asg_fuzzers ${target})
endfunction()

# Makes a test of a CMake script: tests/<name>.cmake, run with SOURCE_DIR and BINARY_DIR set.
#   asg_script_test(<name> [-D<variable>=<value>...])
function(asg_script_test name)
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}"
    -D "SOURCE_DIR=${PROJECT_SOURCE_DIR}" -D "BINARY_DIR=${PROJECT_BINARY_DIR}" ${ARGN}
    -P "${PROJECT_SOURCE_DIR}/tests/${name}.cmake")
endfunction()

# Makes a test of the page of the Lab, web_<name>: tools/web_test.sh <name>. A browser and a program with threads want
# the machine for themselves. Skipped where Node or a browser cannot be had.
#   asg_web_test(<name> <seconds that it may take> [BROWSER] [<program>])
function(asg_web_test name seconds)
  cmake_parse_arguments(arg "BROWSER" "" "" ${ARGN})
  add_test(NAME web_${name} COMMAND "${PROJECT_SOURCE_DIR}/tools/web_test.sh" ${name} ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties(web_${name} PROPERTIES
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" TIMEOUT ${seconds} LABELS web SKIP_RETURN_CODE 77
    RUN_SERIAL ${arg_BROWSER})
endfunction()
