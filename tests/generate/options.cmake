# A new op is one card in one file: the card of tests/fixtures/one_card is listed by CMake as the built-in
# ones are, the generator writes into the build folder what follows from it, and this program includes
# the builder from there and takes the tests of tests/ops and tests/grad.
set(tests "${PROJECT_SOURCE_DIR}/tests")
set(generated "${PROJECT_BINARY_DIR}/one_card")

file(GLOB generator CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/generate/*.cpp")
list(FILTER generator EXCLUDE REGEX "/main\\.cpp$")
add_library(one_card STATIC "${tests}/fixtures/one_card/cards.cpp" ${generator})
asg_target(one_card TEST)
target_include_directories(one_card PUBLIC
  "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/tools/generate" "${tests}")
target_link_libraries(one_card PUBLIC asg::asg)
asg_card_list(one_card tests/fixtures/one_card one_card_list)

add_executable(generate_one_card "${tests}/fixtures/one_card/generate.cpp")
asg_target(generate_one_card TEST)
target_link_libraries(generate_one_card PRIVATE one_card)

add_custom_command(OUTPUT "${generated}/stamp"
  COMMAND generate_one_card --root "${PROJECT_SOURCE_DIR}" --out "${generated}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${generated}/stamp"
  DEPENDS generate_one_card
  COMMENT "Generating what follows from one new card"
  VERBATIM)
add_custom_target(one_card_files DEPENDS "${generated}/stamp")

file(GLOB op_tests CONFIGURE_DEPENDS "${tests}/ops/*.cpp")
list(FILTER op_tests EXCLUDE REGEX "/(cards|place_test)\\.cpp$")
target_sources(${test} PRIVATE ${op_tests} "${tests}/grad/card_gradients_test.cpp")
add_dependencies(${test} one_card_files)
target_include_directories(${test} BEFORE PRIVATE "${generated}/include")
target_compile_definitions(${test} PRIVATE ASG_GENERATED_DIR="${generated}")
target_link_libraries(${test} PRIVATE one_card)
# Its builders come from the build folder; those of the other tests do not.
set_source_files_properties("${tests}/generate/one_card_test.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
