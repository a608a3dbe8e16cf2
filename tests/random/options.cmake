# The built-in ops, as tests/ops lists them.
target_sources(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests/ops/cards.cpp")
# Instrumented code is several times slower, and looks for other mistakes: fewer graphs serve there.
if(ASG_SANITIZE)
  target_compile_definitions(${test} PRIVATE ASG_RANDOM_GRAPHS=150)
endif()
