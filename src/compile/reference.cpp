#include "asg/compile/reference.h"

#include "asg/graph/infer.h"

namespace asg {
namespace {

// Dense and in its compute type; the array itself where it is both already.
Array widened(const Array& array) { return array.cast(compute_dtype(array.dtype())).dense(); }

void add_input(KernelContext& context, const Array* input) {
  context.present.push_back(input != nullptr);
  context.inputs.push_back(input != nullptr ? widened(*input) : Array());
  context.input_dtypes.push_back(input != nullptr ? input->dtype() : DType::f32);
}

// A length that only the data decide is 0 at first; the kernel makes such an output anew.
Sizes first_sizes(const Shape& shape) {
  Sizes sizes;
  for (const Dim& dim : shape) sizes.push_back(dim.is_known() ? dim.value() : 0);
  return sizes;
}

}  // namespace

std::vector<Array> run_reference(const OpCard& op, const Attrs& attrs, StreamKey stream,
                                 std::span<const Array* const> inputs, const RunGraph& run_graph) {
  if (!op.kernel) {
    fail(ErrorCode::not_implemented, "op '" + op.name + "', whose card has no kernel", "an op with a reference kernel",
         op.body ? "replace it by its body with expand" : "give its card a kernel or a body");
  }
  const Attrs checked = checked_attributes(op, attrs);
  const std::vector<TensorType> types = infer_concrete(op, checked, nullptr, inputs);
  KernelContext context(op, checked);
  context.stream = stream;
  context.run_graph = run_graph;
  for (const Array* input : inputs) add_input(context, input);
  for (const TensorType& type : types) {
    context.output_dtypes.push_back(type.dtype);
    context.outputs.emplace_back(compute_dtype(type.dtype), first_sizes(type.shape));
  }
  op.kernel(context);
  context.inputs.clear();
  std::vector<Array> outputs;
  outputs.reserve(types.size());
  for (std::size_t port = 0; port < types.size(); ++port) {
    outputs.push_back(context.outputs[port].cast(types[port].dtype));
    context.outputs[port] = Array();
  }
  return outputs;
}

}  // namespace asg
