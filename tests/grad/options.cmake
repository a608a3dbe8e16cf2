# The built-in ops, as tests/ops lists them.
target_sources(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests/ops/cards.cpp")
