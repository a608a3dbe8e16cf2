# The trajectories of PyTorch are a JSON file.
target_link_libraries(${test} PRIVATE nlohmann_json::nlohmann_json)
