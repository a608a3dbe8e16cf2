# Messages and events are held against the schema in docs.
target_compile_definitions(${test} PRIVATE ASG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(${test} PRIVATE nlohmann_json::nlohmann_json)
