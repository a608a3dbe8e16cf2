# These tests run the program.
if(TARGET asg)
  add_dependencies(${test} asg)
endif()
