// Axes of length 0 and 1, made from the samples: wherever the type rule takes them, the numbers must follow.
#include <set>

#include "ops/cards.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

// Shapes, axes and other lists of integers stay as they are.
bool is_operand(const SampleInput& input, const Array& array) {
  return input.given.has_value() && is_integer(array.dtype()) && array.rank() <= 1;
}

// The sample with all axes of one length shortened to another; none where an input cannot be shortened.
Sample shortened(const OpCard& op, const Sample& sample, std::int64_t from, std::int64_t to) {
  Sample result = sample;
  result.name += "_" + std::to_string(from) + "_as_" + std::to_string(to);
  result.expected.clear();
  for (std::size_t index = 0; index < result.inputs.size(); ++index) {
    SampleInput& input = result.inputs[index];
    if (input.absent) continue;
    Array value = sample_value(input, op.name, sample.name, index);
    if (is_operand(input, value)) continue;
    for (int axis = 0; axis < value.rank(); ++axis) {
      if (value.sizes()[static_cast<std::size_t>(axis)] == from) value = value.sliced(axis, 0, to, 1);
    }
    input.sizes = value.sizes();
    input.given = value.copy();
  }
  return result;
}

std::set<std::int64_t> lengths_of(const OpCard& op, const Sample& sample) {
  std::set<std::int64_t> lengths;
  for (std::size_t index = 0; index < sample.inputs.size(); ++index) {
    if (sample.inputs[index].absent) continue;
    const Array value = sample_value(sample.inputs[index], op.name, sample.name, index);
    if (!is_operand(sample.inputs[index], value)) lengths.insert(value.sizes().begin(), value.sizes().end());
  }
  return lengths;
}

// Outputs, or the code with which the values were refused (an index out of range, a maximum of nothing).
struct Outcome {
  std::vector<Array> outputs;
  std::optional<ErrorCode> refused;
};

template <class Run>
Outcome outcome_of(const Run& run) {
  try {
    return {run(), std::nullopt};
  } catch (const UserError& error) {
    return {{}, error.code()};
  }
}

void check_sample(const OpCard& op, const Sample& sample) {
  SCOPED_TRACE("sample " + sample.name);
  const Inputs inputs = sample_inputs(op, sample.name, sample.inputs);
  std::vector<TensorType> types;
  try {
    types = output_types(op, sample.attrs, inputs);
  } catch (const UserError&) {
    return;  // such a shape makes no sense here
  }
  const Outcome made = outcome_of([&] { return run_op(op, sample.attrs, inputs); });
  if (made.refused) return;
  ASSERT_EQ(made.outputs.size(), types.size());
  for (std::size_t port = 0; port < types.size(); ++port) {
    EXPECT_TRUE(is_of(types[port], made.outputs[port]))
        << "output " << port << " is " << made.outputs[port].type_string() << ", not " << types[port].to_string();
  }
  // What has no elements has no numbers to compare.
  const bool numbers =
      std::any_of(made.outputs.begin(), made.outputs.end(), [](const Array& y) { return y.count() > 0; });
  if (!op.kernel || !op.body || op.traits.random || !numbers) return;
  const Outcome body = outcome_of([&] { return run_body(op, sample.attrs, inputs); });
  ASSERT_FALSE(body.refused) << "by the body only: " << name_of(*body.refused);
  for (std::size_t port = 0; port < types.size(); ++port) {
    EXPECT_TRUE(near(body.outputs[port], made.outputs[port], 1e-10)) << "output " << port << " of the body";
  }
}

using OpEdges = OpTest;

TEST_P(OpEdges, EmptyAxes) {
  for (const Sample& sample : op().samples) {
    for (std::int64_t length : lengths_of(op(), sample)) check_sample(op(), shortened(op(), sample, length, 0));
  }
}

TEST_P(OpEdges, AxesOfLengthOne) {
  for (const Sample& sample : op().samples) {
    for (std::int64_t length : lengths_of(op(), sample)) {
      if (length > 1) check_sample(op(), shortened(op(), sample, length, 1));
    }
  }
}

ASG_FOR_ALL_OPS(OpEdges);

}  // namespace
}  // namespace asg::test
