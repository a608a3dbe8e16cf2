# Sanitizers have an allocator of their own, so allocations cannot be counted there.
if(ASG_SANITIZE)
  get_target_property(sources ${test} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/(count_allocations|training_test)\\.cpp$")
  set_target_properties(${test} PROPERTIES SOURCES "${sources}")
endif()
# Where the definitions of new and delete are in sight, the compiler takes their malloc and free for a mistake.
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/allocation/count_allocations.cpp" PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
