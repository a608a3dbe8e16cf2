# The tests write JPEG files that no other program writes.
find_package(JPEG REQUIRED)
target_link_libraries(${test} PRIVATE JPEG::JPEG)
