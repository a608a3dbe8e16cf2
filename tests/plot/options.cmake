# Pictures are read back by libpng's own reader.
target_link_libraries(${test} PRIVATE PNG::PNG)
