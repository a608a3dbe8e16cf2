# Where the definitions of new and delete are in sight, the compiler takes their malloc and free for a mistake.
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/backend_cpu_library/count_new.cpp" PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
