#include "ops/coverage.h"

#include <algorithm>
#include <functional>
#include <set>

#include "support/run_op.h"

namespace asg::test {
namespace {

// A value of an attribute, or a class of values, that some sample must use.
struct ValueClass {
  std::string name;  // "axis = default", "mode = \"same\""
  std::function<bool(const Attrs&)> used_by;
};

const Attr* value_in(const AttrSpec& spec, const Attrs& attrs) {
  const Attr* given = attrs.find(spec.name);
  return given != nullptr ? given : spec.fallback ? &*spec.fallback : nullptr;
}

ValueClass one_value(const AttrSpec& spec, const Attr& value) {
  return {std::string(spec.name) + " = " + value.to_string(), [&spec, value](const Attrs& attrs) {
            const Attr* found = value_in(spec, attrs);
            return found != nullptr && *found == value;
          }};
}

// Enumerated attributes, bools and dtypes: each value. Others with a default: the default and anything else.
std::vector<ValueClass> classes_of(const OpCard& op, const AttrSpec& spec) {
  std::vector<ValueClass> classes;
  for (const Attr& choice : spec.choices) classes.push_back(one_value(spec, choice));
  if (!classes.empty()) return classes;
  if (spec.kind == AttrKind::boolean) return {one_value(spec, false), one_value(spec, true)};
  if (spec.kind == AttrKind::dtype) {
    for (DType dtype : all_dtypes()) {
      if (op.outputs[0].dtypes.contains(dtype)) classes.push_back(one_value(spec, dtype));
    }
    return classes;
  }
  if (!spec.fallback) {
    return {
        {std::string(spec.name) + " given", [&spec](const Attrs& attrs) { return attrs.find(spec.name) != nullptr; }}};
  }
  auto is_default = [&spec](const Attrs& attrs) { return *value_in(spec, attrs) == *spec.fallback; };
  return {{std::string(spec.name) + " = its default", is_default},
          {std::string(spec.name) + " = not its default", [is_default](const Attrs& a) { return !is_default(a); }}};
}

bool any_sample(const OpCard& op, const std::function<bool(const Attrs&)>& holds) {
  return std::any_of(op.samples.begin(), op.samples.end(), [&](const Sample& s) { return holds(s.attrs); });
}

bool any_refusal(const OpCard& op, const std::function<bool(const Attrs&)>& holds) {
  return std::any_of(op.bad_samples.begin(), op.bad_samples.end(), [&](const BadSample& s) { return holds(s.attrs); });
}

void attribute_values(const OpCard& op, std::vector<std::string>& missing) {
  for (const AttrSpec& spec : op.attributes) {
    for (const ValueClass& value : classes_of(op, spec)) {
      if (!any_sample(op, value.used_by)) missing.push_back("a sample with " + value.name);
    }
  }
}

void attribute_pairs(const OpCard& op, std::vector<std::string>& missing) {
  for (std::size_t first = 0; first < op.attributes.size(); ++first) {
    for (std::size_t second = first + 1; second < op.attributes.size(); ++second) {
      for (const ValueClass& a : classes_of(op, op.attributes[first])) {
        for (const ValueClass& b : classes_of(op, op.attributes[second])) {
          auto both = [&](const Attrs& attrs) { return a.used_by(attrs) && b.used_by(attrs); };
          if (any_sample(op, both) || any_refusal(op, both)) continue;
          missing.push_back("a sample, or a refusal, with " + a.name + " and " + b.name);
        }
      }
    }
  }
}

// ---- Shapes

// Lists of integers, and the two numbers that random ops draw from.
bool is_operand(const OpCard& op, std::size_t index) {
  const Port& port = op.inputs[std::min(index, op.inputs.size() - 1)];
  return port.dtypes.bits == kInt64.bits || port.dtypes.bits == DTypeSet{DType::u64}.bits;
}

// The sizes of all other tensors of a sample.
template <class AnySample>
std::vector<Sizes> shapes_of(const OpCard& op, const AnySample& sample) {
  std::vector<Sizes> shapes;
  for (std::size_t index = 0; index < sample.inputs.size(); ++index) {
    if (!sample.inputs[index].absent && !is_operand(op, index)) shapes.push_back(sample.inputs[index].sizes);
  }
  return shapes;
}

bool all_different(const Sizes& sizes) {
  const std::set<std::int64_t> distinct(sizes.begin(), sizes.end());
  return distinct.size() == sizes.size() && !distinct.contains(0) && !distinct.contains(1);
}

constexpr std::size_t kRank = 3;

// Every op that takes rank 3 is tried there, with axes of different lengths; one that does not shows its refusal.
void ranks(const OpCard& op, std::vector<std::string>& missing) {
  bool has_tensor = false;
  bool reached = false;
  std::size_t largest = 0;
  bool different = false;
  for (const Sample& sample : op.samples) {
    for (const Sizes& sizes : shapes_of(op, sample)) {
      has_tensor = true;
      reached = reached || sizes.size() >= kRank;
      largest = std::max(largest, sizes.size());
    }
  }
  if (!has_tensor) return;
  bool refused = false;
  for (const BadSample& sample : op.bad_samples) {
    for (const Sizes& sizes : shapes_of(op, sample)) refused = refused || sizes.size() >= kRank;
  }
  if (!reached && !refused) missing.push_back("a sample of rank 3 or more, or its refusal");
  const std::size_t enough = std::min(largest, kRank);
  for (const Sample& sample : op.samples) {
    for (const Sizes& sizes : shapes_of(op, sample)) {
      different = different || (sizes.size() >= enough && all_different(sizes));
    }
  }
  if (!different) missing.push_back("a sample whose axes all have different lengths");
}

// Notes for each input whether it is smaller than another one of the sample.
template <class AnySample>
void note_smaller(const OpCard& op, const AnySample& sample, std::set<std::size_t>& smaller) {
  const std::vector<Sizes> shapes = shapes_of(op, sample);
  for (std::size_t index = 0; index < shapes.size(); ++index) {
    for (const Sizes& other : shapes) {
      bool stretched = other.size() > shapes[index].size();
      for (std::size_t axis = 0; !stretched && axis < other.size() && other.size() == shapes[index].size(); ++axis) {
        stretched = shapes[index][axis] == 1 && other[axis] > 1;
      }
      if (stretched) smaller.insert(index);
    }
  }
}

// Whether the sizes have to be stretched beside `other`.
bool is_smaller(const Sizes& sizes, const Sizes& other) {
  if (sizes.size() != other.size()) return sizes.size() < other.size();
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (sizes[axis] == 1 && other[axis] > 1) return true;
  }
  return false;
}

bool is_stretched(const OpCard& op, const Sample& sample, std::size_t index) {
  if (index >= sample.inputs.size() || sample.inputs[index].absent) return false;
  const std::vector<Sizes> shapes = shapes_of(op, sample);
  return std::any_of(shapes.begin(), shapes.end(),
                     [&](const Sizes& other) { return is_smaller(sample.inputs[index].sizes, other); });
}

// Whether a scalar in place of the input leaves the result's shape as it is.
bool may_be_stretched(const OpCard& op, const Sample& sample, std::size_t index) {
  if (index >= sample.inputs.size() || sample.inputs.size() < 2 || sample.inputs[index].absent) return false;
  Inputs inputs = sample_inputs(op, sample.name, sample.inputs);
  const std::vector<TensorType> before = output_types(op, sample.attrs, inputs);
  inputs[index] = Array(inputs[index]->dtype(), {});
  try {
    return output_types(op, sample.attrs, inputs) == before && before[0].shape.rank() > 0;
  } catch (const UserError&) {
    return false;
  }
}

// An input that is broadcast beside others is the smaller one in some sample.
void broadcasting(const OpCard& op, std::vector<std::string>& missing) {
  if (!op.traits.elementwise || op.composite) return;
  for (std::size_t index = 0; index < std::max<std::size_t>(op.inputs.size(), 2); ++index) {
    auto stretched = [&](const Sample& sample) { return is_stretched(op, sample, index); };
    auto possible = [&](const Sample& sample) { return may_be_stretched(op, sample, index); };
    if (std::any_of(op.samples.begin(), op.samples.end(), stretched)) continue;
    if (std::none_of(op.samples.begin(), op.samples.end(), possible)) continue;
    missing.push_back("a sample in which input " + std::to_string(index) + " is broadcast");
  }
}

}  // namespace

std::vector<std::string> uncovered(const OpCard& op) {
  std::vector<std::string> missing;
  attribute_values(op, missing);
  attribute_pairs(op, missing);
  ranks(op, missing);
  broadcasting(op, missing);
  return missing;
}

}  // namespace asg::test
