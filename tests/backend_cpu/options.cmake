# The thread sanitizer has an operator new of its own, so allocations cannot be counted there.
if(ASG_SANITIZE STREQUAL "thread")
  get_target_property(sources ${test} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/no_allocation_test\\.cpp$")
  set_target_properties(${test} PROPERTIES SOURCES "${sources}")
endif()
