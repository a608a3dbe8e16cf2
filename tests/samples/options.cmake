# The functions of the program that writes samples, without its main.
file(GLOB writer CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/samples/*.cpp")
list(FILTER writer EXCLUDE REGEX "/main\\.cpp$")
target_sources(${test} PRIVATE ${writer})
target_include_directories(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tools/samples")
