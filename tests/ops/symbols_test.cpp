// Inference on symbols agrees with inference on numbers.
#include <set>

#include "asg/graph/infer.h"
#include "ops/cards.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

std::string symbol_for(std::int64_t size) { return "d" + std::to_string(size); }

bool is_operand(const Array& array) { return is_integer(array.dtype()) && array.rank() <= 1; }

// Types of the inputs with the given sizes written as symbols. Integer operands such as shapes and axes stay known.
std::vector<OutputInfo> symbolic(const Inputs& inputs, const std::set<std::int64_t>& replaced) {
  std::vector<OutputInfo> infos(inputs.size());
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (!inputs[index]) continue;
    const Array& array = *inputs[index];
    std::vector<Dim> dims;
    for (std::int64_t size : array.sizes()) {
      dims.push_back(replaced.contains(size) && !is_operand(array) ? Dim::symbol(symbol_for(size)) : Dim(size));
    }
    infos[index].type = {array.dtype(), Shape(dims)};
    if (!is_operand(array)) continue;
    std::vector<Dim> contents;
    for (std::int64_t position = 0; position < array.count(); ++position) {
      contents.emplace_back(array.get_i64(position));
    }
    infos[index].known = std::make_shared<const std::vector<Dim>>(std::move(contents));
  }
  return infos;
}

std::optional<Dim> size_of_symbol(std::string_view symbol, const std::set<std::int64_t>& replaced) {
  for (std::int64_t size : replaced) {
    if (symbol_for(size) == symbol) return Dim(size);
  }
  return std::nullopt;
}

// Infers with symbols and compares. False where the type rule needs numbers.
bool agrees_or_refuses(const OpCard& op, const Sample& sample, const Inputs& inputs,
                       const std::set<std::int64_t>& replaced) {
  const std::vector<OutputInfo> infos = symbolic(inputs, replaced);
  std::vector<const OutputInfo*> pointers;
  for (std::size_t index = 0; index < infos.size(); ++index)
    pointers.push_back(inputs[index] ? &infos[index] : nullptr);
  Inferred inferred;
  int fresh = 0;
  try {
    inferred = infer(op, checked_attributes(op, sample.attrs), nullptr, pointers,
                     [&] { return Dim::symbol("fresh_" + std::to_string(++fresh)); });
  } catch (const UserError&) {
    return false;
  }
  const std::vector<TensorType> concrete = output_types(op, sample.attrs, inputs);
  EXPECT_EQ(inferred.outputs.size(), concrete.size());
  for (std::size_t port = 0; port < std::min(concrete.size(), inferred.outputs.size()); ++port) {
    const TensorType& type = inferred.outputs[port].type;
    EXPECT_EQ(type.dtype, concrete[port].dtype);
    EXPECT_EQ(type.shape.rank(), concrete[port].shape.rank());
    for (int axis = 0; axis < std::min(type.shape.rank(), concrete[port].shape.rank()); ++axis) {
      const Dim known = type.shape[axis].substitute([&](auto symbol) { return size_of_symbol(symbol, replaced); });
      if (!known.is_known()) continue;  // a length that only the data decides
      EXPECT_EQ(known.to_string(), concrete[port].shape[axis].to_string())
          << "output " << port << ", axis " << axis << " of " << type.to_string();
    }
  }
  return true;
}

using OpSymbols = OpTest;

TEST_P(OpSymbols, GiveTheShapesOfNumbers) {
  bool has_axes = false;
  bool accepted = false;
  for (const Sample& sample : op().samples) {
    SCOPED_TRACE("sample " + sample.name);
    const Inputs inputs = sample_inputs(op(), sample.name, sample.inputs);
    std::set<std::int64_t> sizes;
    for (const auto& input : inputs) {
      if (!input || is_operand(*input)) continue;
      for (std::int64_t size : input->sizes()) {
        if (size > 1) sizes.insert(size);
      }
    }
    has_axes = has_axes || !sizes.empty();
    if (!sizes.empty()) accepted = agrees_or_refuses(op(), sample, inputs, sizes) || accepted;
    for (std::int64_t size : sizes) accepted = agrees_or_refuses(op(), sample, inputs, {size}) || accepted;
  }
  EXPECT_TRUE(accepted || !has_axes) << "the type rule accepts no sample with a symbol for a size";
}

ASG_FOR_ALL_OPS(OpSymbols);

}  // namespace
}  // namespace asg::test
