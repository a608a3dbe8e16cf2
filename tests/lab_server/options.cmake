asg_embed_folder(${test} test_page "${PROJECT_SOURCE_DIR}/tests/lab_server/page")
