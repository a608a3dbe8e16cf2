# Sanitizers have an allocator of their own, so allocations cannot be counted there.
if(ASG_SANITIZE)
  get_target_property(sources ${test} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/(count_allocations|training_test)\\.cpp$")
  set_target_properties(${test} PROPERTIES SOURCES "${sources}")
endif()
