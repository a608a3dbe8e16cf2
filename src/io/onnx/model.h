#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/io/onnx.h"

// What an ONNX file says, in plain structs: only `parse.cpp` and `tensor.cpp` see the classes of protobuf.
namespace asg::io {

// A tensor of the file. What cannot be held (strings, complex numbers, sparse tensors) is refused in words when
// somebody uses it, not before: a model may carry it unused.
struct TensorDef {
  std::string name;
  Array value;
  std::string refused;  // "a tensor of strings"; "" = `value` is good
};

struct DimDef {
  std::optional<std::int64_t> length;
  std::string symbol;  // "" and no length: nothing is said
};

struct TypeDef {
  std::string refused;  // "a sequence"; "" = a tensor
  std::optional<DType> dtype;
  std::optional<std::vector<DimDef>> shape;  // nothing: not even the rank is said
};

struct ValueDef {
  std::string name;
  TypeDef type;
};

struct GraphDef;

struct AttrDef {
  enum class Kind : std::uint8_t { none, integer, real, text, integers, reals, texts, tensor, graph, refused };

  std::string name;
  Kind kind = Kind::none;
  std::int64_t integer = 0;
  double real = 0;
  std::string text;  // of a refused one: what it is
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  TensorDef tensor;
  std::shared_ptr<const GraphDef> graph;
  std::string parameter;  // inside a function: the attribute of the call that gives the value
};

// The newest form of every op, which the cards describe. A node of this opset needs no lifting.
inline constexpr int kNewestForm = 1'000'000;

struct NodeDef {
  std::string name;
  std::string op;
  std::string domain;  // "" for "ai.onnx"
  int opset = kNewestForm;
  std::vector<std::string> inputs;  // "" = absent
  std::vector<std::string> outputs;
  std::vector<AttrDef> attributes;

  const AttrDef* find(std::string_view attribute) const;
  // Takes an attribute out of the node; nothing where it is not there.
  std::optional<AttrDef> take(std::string_view attribute);
  void set(AttrDef attribute);  // replaces one of that name
  void set_integer(std::string attribute, std::int64_t value);
  void set_text(std::string attribute, std::string value);
  bool has_input(std::size_t index) const { return index < inputs.size() && !inputs[index].empty(); }
  const std::string& operand(std::size_t index) const;  // throws missing_input
  void set_input(std::size_t index, std::string value);
  std::string label() const;  // "ONNX node 'conv_1' (Conv)"
};

struct GraphDef {
  std::string name;
  std::vector<ValueDef> inputs;
  std::vector<ValueDef> outputs;
  std::vector<TensorDef> initializers;
  std::vector<NodeDef> nodes;
};

struct FunctionDef {
  std::string name;
  std::string domain;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<NodeDef> nodes;
};

struct ModelDef {
  GraphDef graph;
  std::vector<FunctionDef> functions;
};

// Reads the bytes of a model. Throws bad_onnx, limit_exceeded.
ModelDef parse_model(std::string_view bytes, const OnnxOptions& options);

// The dtype of a number that the format uses for it; nothing for strings, complex numbers and numbers unknown here.
std::optional<DType> dtype_of_onnx(std::int64_t number);
std::optional<DType> dtype_of_onnx(std::string_view name);  // "FLOAT", as files before opset 6 say
std::int64_t onnx_of_dtype(DType dtype);
std::string words_of_onnx_dtype(std::int64_t number);  // "strings", "complex numbers", "dtype 42"

[[noreturn]] void fail_onnx(std::string given, std::string needed, std::string mend = "");

}  // namespace asg::io
