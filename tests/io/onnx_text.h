#pragma once

#include <string>
#include <vector>

// Models for the tests, written as protobuf's text form.
namespace asg::test {

// The bytes of a message from its text form. Throws std::invalid_argument.
std::string model_bytes(const std::string& text);
std::string tensor_bytes(const std::string& text);

// The bytes of a model with one graph.
std::string model(int opset, const std::string& graph);

// Parts of a graph.
std::string input(const std::string& name, int dtype, const std::vector<std::string>& dims);  // numbers or symbols
std::string output(const std::string& name);
std::string node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                 const std::string& attributes = "");
std::string initializer(const std::string& name, const std::vector<int>& dims, const std::vector<double>& floats);
std::string integers(const std::string& name, const std::vector<int>& values);  // an i64 initialiser of rank 1

// Attributes of a node.
std::string attr_i(const std::string& name, long long value);
std::string attr_f(const std::string& name, double value);
std::string attr_s(const std::string& name, const std::string& value);
std::string attr_ints(const std::string& name, const std::vector<int>& values);
std::string attr_floats(const std::string& name, const std::vector<double>& values);
std::string attr_graph(const std::string& name, const std::string& graph);

}  // namespace asg::test
