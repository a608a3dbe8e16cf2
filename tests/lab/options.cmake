# The built-in ops, as tests/ops lists them.
target_sources(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests/ops/cards.cpp")
# Instrumented code is slow: one model of each family is enough to find what the sanitizers look for.
if(ASG_SANITIZE)
  target_compile_definitions(${test} PRIVATE ASG_FEW_CASES)
endif()
