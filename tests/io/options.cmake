# The tests write models with the classes of the format.
target_link_libraries(${test} PRIVATE onnx_proto)
target_compile_definitions(${test} PRIVATE ASG_ONNX_DATA="/usr/share/libonnx-testdata/data")
