#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/core/random.h"
#include "asg/core/type.h"
#include "asg/graph/attributes.h"
#include "asg/graph/node.h"
#include "asg/graph/tensor.h"
#include "asg/graph/variable.h"

namespace asg {

enum class Mode : std::uint8_t { train, eval };

// Attribute access shared by all contexts. Reads the node's value or the card's default; both were
// checked when the node was added, so a missing one is an error of the card.
class AttrReader {
 public:
  AttrReader(const OpCard& op, const Attrs& attrs) : op_(&op), attrs_(&attrs) {}

  const OpCard& op() const { return *op_; }
  const Attrs& attrs() const { return *attrs_; }
  const Attr* find(std::string_view name) const;  // value or default; null when neither exists
  const Attr& attr(std::string_view name) const;
  std::int64_t integer(std::string_view name) const { return attr(name).as_integer(); }
  double real(std::string_view name) const { return attr(name).as_real(); }
  bool boolean(std::string_view name) const { return attr(name).as_boolean(); }
  const std::string& text(std::string_view name) const { return attr(name).as_text(); }
  const std::vector<std::int64_t>& integers(std::string_view name) const { return attr(name).as_integers(); }
  DType dtype_attr(std::string_view name) const { return attr(name).as_dtype(); }

 private:
  const OpCard* op_;
  const Attrs* attrs_;
};

// What a type rule sees: the types of the inputs (dtypes and counts already checked against the ports) and the
// contents of small integer inputs where they are known. It sets every output's type.
class InferContext : public AttrReader {
 public:
  InferContext(const OpCard& op, const Attrs& attrs, std::span<const OutputInfo* const> inputs,
               std::function<Dim()> fresh_symbol);

  int input_count() const { return static_cast<int>(inputs_.size()); }
  bool has(int index) const;  // given, and not an absent optional one
  const TensorType& type(int index) const;
  const Shape& shape(int index) const { return type(index).shape; }
  DType dtype(int index) const { return type(index).dtype; }
  // Contents of an integer input of rank 0 or 1; nullopt when they are not known while building.
  std::optional<std::vector<Dim>> known(int index) const;
  // The same where the op cannot be typed without them. Throws missing_value with words.
  std::vector<Dim> need_known(int index) const;

  void output(TensorType type) { output(static_cast<int>(outputs_.size()), std::move(type)); }
  void output(int index, TensorType type);
  void output_known(int index, std::vector<Dim> contents);
  // A length that only the data decides (NonZero). In a run, where contents are known, it never appears.
  Dim fresh_symbol() { return fresh_symbol_(); }

  std::vector<OutputInfo> take_outputs() { return std::move(outputs_); }

 private:
  std::span<const OutputInfo* const> inputs_;
  std::vector<OutputInfo> outputs_;
  std::function<Dim()> fresh_symbol_;
};

// What a reference kernel sees: dense inputs in their compute type (f64, i64, u64 or bool), and zero-filled dense
// outputs of the inferred sizes in theirs. The caller rounds outputs to their storage type, once.
class KernelContext : public AttrReader {
 public:
  KernelContext(const OpCard& op, const Attrs& attrs) : AttrReader(op, attrs) {}

  int input_count() const { return static_cast<int>(inputs.size()); }
  bool has(int index) const { return index < input_count() && present[static_cast<std::size_t>(index)]; }
  const Array& in(int index) const { return inputs[static_cast<std::size_t>(index)]; }
  Array& out(int index = 0) { return outputs[static_cast<std::size_t>(index)]; }

  std::vector<Array> inputs;
  std::vector<bool> present;
  std::vector<Array> outputs;
  std::vector<DType> input_dtypes;   // storage types of the inputs
  std::vector<DType> output_dtypes;  // storage types, for ops that must know (Cast)
  StreamKey stream = 0;
  // Runs a subgraph on the calling backend; values in their storage types.
  std::function<std::vector<Array>(const Graph&, std::span<const Array>)> run_graph;
};

// What a gradient rule sees, as tensors of the joint graph: the op's inputs and outputs, and the gradients of its
// outputs. It sets the gradients of those inputs that have one; the types must be those of the inputs.
class GradientContext : public AttrReader {
 public:
  GradientContext(const OpCard& op, const Attrs& attrs, Graph& graph) : AttrReader(op, attrs), graph_(&graph) {}

  Graph& graph() { return *graph_; }
  int input_count() const { return static_cast<int>(inputs.size()); }
  bool has(int index) const { return index < input_count() && inputs[static_cast<std::size_t>(index)].valid(); }
  const Tensor& in(int index) const { return inputs[static_cast<std::size_t>(index)]; }
  const Tensor& out(int index = 0) const { return outputs[static_cast<std::size_t>(index)]; }
  // Gradient of output `index`; zeros are made where nothing reached it.
  Tensor grad(int index = 0);
  bool has_grad(int index) const { return output_grads[static_cast<std::size_t>(index)].valid(); }
  // Whether anybody asks for the gradient of this input; a rule may skip work for others.
  bool needs(int index) const { return wanted[static_cast<std::size_t>(index)]; }
  void set(int index, Tensor gradient);
  // As `set`, after summing over the axes along which the input was broadcast.
  void set_summed(int index, Tensor gradient);

  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::vector<Tensor> output_grads;  // invalid where nothing reached the output
  std::vector<bool> wanted;
  std::vector<Tensor> results;  // invalid where the input gets none
  GraphPtr body;                // of the node, where it has one of its own
  StreamKey stream = 0;

 private:
  Graph* graph_;
};

// What the body of an op or layer sees while it builds itself out of smaller ops. Everything it adds stands in
// `graph()`; its parameters are that graph's variables, named by slot.
class BodyContext : public AttrReader {
 public:
  BodyContext(const OpCard& op, const Attrs& attrs, Graph& graph, Mode mode)
      : AttrReader(op, attrs), graph_(&graph), mode_(mode) {}

  Graph& graph() { return *graph_; }
  Mode mode() const { return mode_; }
  bool training() const { return mode_ == Mode::train; }
  int input_count() const { return static_cast<int>(inputs.size()); }
  bool has(int index) const { return index < input_count() && inputs[static_cast<std::size_t>(index)].valid(); }
  const Tensor& in(int index) const { return inputs[static_cast<std::size_t>(index)]; }

  // A slot that training changes, or state that the layer updates itself. Returns its value at the start of the step.
  Tensor parameter(std::string slot, Shape shape, Initializer init);
  Tensor buffer(std::string slot, TensorType type, Initializer init);
  // The new value of a buffer, committed at the end of the step. In eval mode nothing is updated.
  void update(std::string_view slot, const Tensor& value);
  // The variables shared by all random ops of a graph.
  Tensor seed();
  Tensor step();

  // A layer inside this one, by registered name; its slots become "<name>.<slot>" of this one.
  Tensor layer(std::string name, std::string_view op, std::vector<Tensor> inputs, Attrs attrs = {});
  // A plain op inside, with a name that edits can address.
  Tensor op_named(std::string name, std::string_view op, std::vector<Tensor> inputs, Attrs attrs = {});
  // Says that an attribute of this op decides what stands there, so that an edit inside becomes a change of
  // configuration: the op of node `label` is the value of `attribute` (inner = ""), or its attribute `inner` is.
  void governed(std::string label, std::string inner, std::string attribute);

  void output(const Tensor& value) { outputs.push_back(value); }

  struct Governed {
    std::string label;      // of the node inside the body
    std::string inner;      // "" = its op; else the name of its attribute
    std::string attribute;  // of the layer
    friend bool operator==(const Governed&, const Governed&) = default;
  };

  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::vector<Governed> governed_by;

 private:
  Graph* graph_;
  Mode mode_;
};

// What a cost rule sees: concrete or symbolic types. Unknown lengths count as 1.
class CostContext : public AttrReader {
 public:
  CostContext(const OpCard& op, const Attrs& attrs, std::vector<TensorType> inputs, std::vector<TensorType> outputs)
      : AttrReader(op, attrs), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  const std::vector<TensorType>& inputs() const { return inputs_; }
  const std::vector<TensorType>& outputs() const { return outputs_; }
  double elements(const TensorType& type) const;

 private:
  std::vector<TensorType> inputs_;
  std::vector<TensorType> outputs_;
};

}  // namespace asg
