# What `make gpu-check` runs on a GPU; here on the CPU.
target_sources(${test} PRIVATE
  "${PROJECT_SOURCE_DIR}/tools/gpu_check/cases.cpp"
  "${PROJECT_SOURCE_DIR}/tools/gpu_check/check_correct.cpp"
  "${PROJECT_SOURCE_DIR}/tools/gpu_check/sized_cases.cpp"
  "${PROJECT_SOURCE_DIR}/tools/gpu_check/drawn_case.cpp"
  "${PROJECT_SOURCE_DIR}/tools/gpu_check/shim_machine.cpp")
target_include_directories(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tools/gpu_check")
target_link_libraries(${test} PRIVATE ${CMAKE_DL_LIBS})
