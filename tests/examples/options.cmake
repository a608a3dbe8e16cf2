# The frame is compiled here again: the examples need not be part of a build.
target_sources(${test} PRIVATE "${PROJECT_SOURCE_DIR}/examples/support/example.cpp")
target_include_directories(${test} PRIVATE "${PROJECT_SOURCE_DIR}/examples")
