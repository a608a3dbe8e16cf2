# Messages and events are held against the schema in docs.
target_compile_definitions(${test} PRIVATE ASG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(${test} PRIVATE nlohmann_json::nlohmann_json)
# Its sources use the same names for their own helpers: they are compiled one by one.
set_target_properties(${test} PROPERTIES UNITY_BUILD OFF)
