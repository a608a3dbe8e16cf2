# The built-in ops, as tests/ops lists them.
target_sources(${test} PRIVATE "${PROJECT_SOURCE_DIR}/tests/ops/cards.cpp")
# The longest of all: begun first, it does not keep the others waiting at the end.
set_tests_properties(${test} PROPERTIES COST 1000)
