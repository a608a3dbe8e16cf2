# These tests run the program.
if(TARGET asg)
  add_dependencies(${test} asg)
endif()
# And look at the Lab by the client of its server's tests.
target_sources(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests/lab_server/client.cpp")
