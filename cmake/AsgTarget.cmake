# Flags that every target of the project shares. They are the same everywhere, so that all targets can
# use one precompiled header and so that numbers do not depend on the folder which computes them.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# ccache is a convenience: used when it is there, never asked for. The settings let it cache
# compilations that use a precompiled header.
find_program(ASG_CCACHE ccache)
mark_as_advanced(ASG_CCACHE)
if(ASG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    "${ASG_CCACHE}")
endif()

add_library(asg_flags INTERFACE)

if(MSVC)
  target_compile_options(asg_flags INTERFACE /W4 /permissive- /utf-8 /fp:precise)
  if(ASG_WERROR)
    target_compile_options(asg_flags INTERFACE /WX)
  endif()
else()
  target_compile_options(asg_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow
    # Cards name the fields that they set; the others have their defaults on purpose.
    -Wno-missing-field-initializers
    # The same bits on every processor: no fused multiply-add behind our back, and never fast-math.
    -ffp-contract=off)
  if(ASG_WERROR)
    target_compile_options(asg_flags INTERFACE -Werror)
  endif()
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  # Position independent everywhere: the libraries may end in a shared object. Given by hand because
  # CMake's own switch says -fPIE for programs, and then they could not share the precompiled header.
  target_compile_options(asg_flags INTERFACE -fPIC -fno-semantic-interposition)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # In std::string and std::optional g++ 12 sees overlaps, overruns and uninitialised reads that are not
  # there. The sanitizers find the real ones.
  target_compile_options(asg_flags INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-maybe-uninitialized)
  # With link-time optimisation the installed libraries still serve programs that do without it.
  set(CMAKE_CXX_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT MSVC)
  # Without a time stamp in it, ccache can recognise the precompiled header.
  target_compile_options(asg_flags INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()

if(ASG_SANITIZE STREQUAL "address")
  # Accesses beyond an object (object-size) are found by the address sanitizer; to look for them twice takes a sixth of
  # the compiler's time.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=object-size -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  # The coverage by which libFuzzer finds its way, for the folders that fuzzers look into: one build then serves both
  # the tests and the fuzzers.
  set(ASG_FUZZED_FOLDERS core graph backend optim io data metrics plot train zoo recipe lab)
  set(ASG_FUZZED_OPTIONS -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp,indirect-calls)
elseif(ASG_SANITIZE STREQUAL "thread")
  set(sanitizers -fsanitize=thread -fno-omit-frame-pointer)
elseif(NOT ASG_SANITIZE STREQUAL "")
  message(FATAL_ERROR "ASG_SANITIZE is '${ASG_SANITIZE}'; it may be address, thread, or nothing.")
endif()
target_compile_options(asg_flags INTERFACE ${sanitizers})
target_link_options(asg_flags INTERFACE ${sanitizers})

# Programs with a sanitizer in them are large, and there is one for each folder of tests: lld links them in a fifth of
# the time.
if(ASG_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  find_program(ASG_LLD NAMES ld.lld-19 ld.lld)
  if(ASG_LLD)
    target_link_options(asg_flags INTERFACE -fuse-ld=lld)
  endif()
endif()

# Warnings about lossy conversions: for what we ship, not for tests, where literals abound.
add_library(asg_strict_flags INTERFACE)
if(NOT MSVC)
  target_compile_options(asg_strict_flags INTERFACE -Wconversion -Wno-sign-conversion)
endif()

# Tests, and cards with their reference kernels, are compiled once and run little: a quarter of the time that
# the compiler takes for them would go into code that nobody waits for.
set(ASG_LIGHT_OPTIONS "$<$<CONFIG:Release>:-O1>")

# Has sources compiled without optimisation, in a third of the time: what is hardly run under a sanitizer. The
# precompiled header is of another kind then.
#   asg_not_optimised(<sources>)
function(asg_not_optimised)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# Under a sanitizer, where every load and store costs the compiler more, tests are not optimised at all, and what
# they do themselves is not looked at for undefined behaviour: the libraries are.
set(ASG_TEST_OPTIONS "${ASG_LIGHT_OPTIONS}" "$<$<CONFIG:Sanitize>:-O0>")
if(ASG_SANITIZE STREQUAL "address")
  list(APPEND ASG_TEST_OPTIONS -fno-sanitize=undefined)
endif()

# The precompiled headers: one of standard headers for the product, and the same with GoogleTest for
# the tests. Each is compiled once and used by all targets of its kind.
set(ASG_COMMON_HEADERS
  <algorithm> <cmath> <cstdint> <functional> <map> <memory> <optional> <span> <string> <unordered_map>
  <variant> <vector>)

#   asg_precompiled_header(<name> HEADERS <headers> [LIBRARIES <targets that the headers need>] [OPTIONS <flags>])
function(asg_precompiled_header name)
  cmake_parse_arguments(arg "" "" "HEADERS;LIBRARIES;OPTIONS" ${ARGN})
  if(NOT ASG_PCH)
    return()
  endif()
  set(source "${PROJECT_BINARY_DIR}/${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Nothing but its precompiled header.\n")
  add_library(${name} OBJECT "${source}")
  target_link_libraries(${name} PRIVATE asg_flags ${arg_LIBRARIES})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
endfunction()

# Gives a target the shared flags and the precompiled header; a TEST gets GoogleTest as well, which is
# in its precompiled header. Sources are compiled ASG_TOGETHER at a time, which saves much of the time for the whole
# tree; so what a source keeps to itself needs a name that no other source of its folder uses.
#   asg_target(<target> [TEST])
function(asg_target target)
  cmake_parse_arguments(arg "TEST" "" "" ${ARGN})
  if(ASG_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${ASG_TOGETHER})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # g++ takes the sources for headers, in which a class must not hold what is local to the file.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
  # BUILD_INTERFACE: our flags are no business of those who use the installed libraries.
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:asg_flags>)
  if(arg_TEST)
    set(header asg_test_pch)
    target_link_libraries(${target} PRIVATE GTest::gtest)
    target_compile_options(${target} PRIVATE ${ASG_TEST_OPTIONS})
  else()
    set(header asg_pch)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:asg_strict_flags>)
  endif()
  if(TARGET ${header})
    target_precompile_headers(${target} REUSE_FROM ${header})
  endif()
endfunction()
