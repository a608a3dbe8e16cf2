#include "io/onnx_text.h"

#include <cctype>
#include <stdexcept>

#include <google/protobuf/text_format.h>
#include <onnx/onnx_pb.h>

namespace asg::test {
namespace {

template <class Proto>
std::string bytes_of(const std::string& text) {
  Proto proto;
  if (!google::protobuf::TextFormat::ParseFromString(text, &proto)) throw std::invalid_argument(text);
  return proto.SerializeAsString();
}

std::string quoted(const std::string& text) { return "'" + text + "' "; }

std::string each(const std::string& field, const auto& values) {
  std::string text;
  for (const auto& value : values) text += field + ": " + std::to_string(value) + " ";
  return text;
}

std::string attribute(const std::string& name, const std::string& type, const std::string& fields) {
  return "attribute { name: " + quoted(name) + "type: " + type + " " + fields + " } ";
}

}  // namespace

std::string model_bytes(const std::string& text) { return bytes_of<onnx::ModelProto>(text); }
std::string tensor_bytes(const std::string& text) { return bytes_of<onnx::TensorProto>(text); }

std::string model(int opset, const std::string& graph) {
  return model_bytes("ir_version: 8 opset_import { version: " + std::to_string(opset) + " } graph { name: 'test' " +
                     graph + "}");
}

std::string input(const std::string& name, int dtype, const std::vector<std::string>& dims) {
  std::string shape;
  for (const std::string& dim : dims) {
    const bool number = std::isdigit(static_cast<unsigned char>(dim.front())) != 0;
    shape += "dim { " + (number ? "dim_value: " + dim : "dim_param: " + quoted(dim)) + " } ";
  }
  return "input { name: " + quoted(name) + "type { tensor_type { elem_type: " + std::to_string(dtype) + " shape { " +
         shape + "} } } } ";
}

std::string output(const std::string& name) { return "output { name: " + quoted(name) + "} "; }

std::string node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                 const std::string& attributes) {
  std::string text = "node { op_type: " + quoted(op);
  for (const std::string& name : inputs) text += "input: " + quoted(name);
  for (const std::string& name : outputs) text += "output: " + quoted(name);
  return text + attributes + "} ";
}

std::string initializer(const std::string& name, const std::vector<int>& dims, const std::vector<double>& floats) {
  return "initializer { name: " + quoted(name) + "data_type: 1 " + each("dims", dims) + each("float_data", floats) +
         "} ";
}

std::string integers(const std::string& name, const std::vector<int>& values) {
  return "initializer { name: " + quoted(name) + "data_type: 7 dims: " + std::to_string(values.size()) + " " +
         each("int64_data", values) + "} ";
}

std::string attr_i(const std::string& name, long long value) {
  return attribute(name, "INT", "i: " + std::to_string(value));
}
std::string attr_f(const std::string& name, double value) {
  return attribute(name, "FLOAT", "f: " + std::to_string(value));
}
std::string attr_s(const std::string& name, const std::string& value) {
  return attribute(name, "STRING", "s: " + quoted(value));
}
std::string attr_ints(const std::string& name, const std::vector<int>& values) {
  return attribute(name, "INTS", each("ints", values));
}
std::string attr_floats(const std::string& name, const std::vector<double>& values) {
  return attribute(name, "FLOATS", each("floats", values));
}
std::string attr_graph(const std::string& name, const std::string& graph) {
  return attribute(name, "GRAPH", "g { name: 'inner' " + graph + "}");
}

}  // namespace asg::test
