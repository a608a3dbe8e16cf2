# Event files are read by the protobuf library.
target_link_libraries(${test} PRIVATE protobuf::libprotobuf)
