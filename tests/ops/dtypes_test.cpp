// Every dtype that the ports allow gives what f64 (or i64) gives on the same numbers, rounded.
#include <map>
#include <set>

#include "ops/cards.h"
#include "support/amount.h"
#include "support/compare.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

const Port& port_of(const OpCard& op, std::size_t index) { return op.inputs[std::min(index, op.inputs.size() - 1)]; }

// Ports with one letter change their dtype together; one without a letter changes alone.
std::string group_of(const OpCard& op, std::size_t index) {
  const Port& port = port_of(op, index);
  return port.type.empty() ? "#" + std::to_string(index) : std::string(port.type);
}

bool can_be(const Array& value, const Port& port, DType dtype) {
  if (!port.dtypes.contains(dtype)) return false;
  if (is_float(value.dtype())) return is_float(dtype);
  // Only integers that keep their value; a wrapped one would be another sample.
  const auto same_as = [&](DType wide) { return bit_equal(value.cast(dtype).cast(wide), value.cast(wide)); };
  return is_integer(value.dtype()) && is_integer(dtype) && same_as(DType::i64) && same_as(DType::f64);
}

// The inputs in another dtype where all of a group can have it; nothing where none can.
std::optional<Inputs> converted(const OpCard& op, const Inputs& inputs, DType dtype) {
  std::set<std::string> stays;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index] && !can_be(*inputs[index], port_of(op, index), dtype)) stays.insert(group_of(op, index));
  }
  Inputs result = inputs;
  bool changed = false;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (!inputs[index] || stays.contains(group_of(op, index))) continue;
    changed = changed || inputs[index]->dtype() != dtype;
    result[index] = inputs[index]->cast(dtype);
  }
  return changed ? std::optional(result) : std::nullopt;
}

// The same numbers in the dtypes of the sample.
Inputs widened(const Inputs& inputs, const Inputs& like) {
  Inputs result = inputs;
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    if (inputs[index]) result[index] = inputs[index]->cast(like[index]->dtype());
  }
  return result;
}

using OpDTypes = OpTest;

TEST_P(OpDTypes, AgreeWithTheWidest) {
  for (const Sample& sample : op().samples) {
    const Inputs inputs = sample_inputs(op(), sample.name, sample.inputs);
    for (DType dtype : all_dtypes()) {
      if (kFewCases && op().composite && dtype != DType::f32) continue;  // its ops are looked at in all
      const std::optional<Inputs> narrow = converted(op(), inputs, dtype);
      if (!narrow) continue;
      SCOPED_TRACE("sample " + sample.name + " in " + std::string(name_of(dtype)));
      const std::vector<Array> expected = run_op(op(), sample.attrs, widened(*narrow, inputs));
      const std::vector<Array> actual = run_op(op(), sample.attrs, *narrow);
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t port = 0; port < expected.size(); ++port) {
        EXPECT_TRUE(near(actual[port], expected[port].cast(actual[port].dtype()), tolerance_for(op().tolerance, dtype)))
            << "output " << port;
      }
    }
  }
}

// Output ports with the letter of an input port have its dtype, and the dtypes that the card says.
TEST_P(OpDTypes, FollowThePorts) {
  for (const Sample& sample : op().samples) {
    const Inputs inputs = sample_inputs(op(), sample.name, sample.inputs);
    for (DType dtype : all_dtypes()) {
      const std::optional<Inputs> changed = converted(op(), inputs, dtype);
      const Inputs& used = changed ? *changed : inputs;
      SCOPED_TRACE("sample " + sample.name + " in " + std::string(name_of(dtype)));
      std::map<std::string, DType> letters;
      for (std::size_t index = 0; index < used.size(); ++index) {
        if (used[index]) letters[group_of(op(), index)] = used[index]->dtype();
      }
      const std::vector<TensorType> types = output_types(op(), sample.attrs, used);
      for (std::size_t index = 0; index < types.size(); ++index) {
        const Port& port = op().outputs[std::min(index, op().outputs.size() - 1)];
        EXPECT_TRUE(port.dtypes.contains(types[index].dtype)) << port.name << " is " << types[index].to_string();
        const auto letter = letters.find(std::string(port.type));
        if (letter == letters.end()) continue;
        EXPECT_EQ(types[index].dtype, letter->second) << "output " << port.name << " of type letter " << port.type;
      }
    }
  }
}

ASG_FOR_ALL_OPS(OpDTypes);

}  // namespace
}  // namespace asg::test
