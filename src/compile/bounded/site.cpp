#include "compile/bounded/site.h"

#include <algorithm>

#include "asg/graph/registry.h"

namespace asg::bounded {

Value LengthInputs::of(const Dim& length) {
  const auto found = std::find(lengths_.begin(), lengths_.end(), length);
  if (found != lengths_.end()) return values_[static_cast<std::size_t>(found - lengths_.begin())];
  const std::string name = rewriter_.graph().free_name("", "length");
  lengths_.push_back(length);
  values_.push_back(rewriter_.add_input(name, {DType::i64, {}}));
  return values_.back();
}

Site::Site(const Graph& given, const Node& node, std::vector<StoredShape> shapes, passes::Rewriter& rewriter,
           LengthInputs& lengths)
    : given_(given),
      node_(node),
      shapes_(std::move(shapes)),
      rewriter_(rewriter),
      lengths_(lengths),
      inputs_(node.inputs),
      outputs_(node.outputs.size()) {
  for (std::size_t port = 0; port < outputs_.size(); ++port) {
    outputs_[port] = plain_shape(node.outputs[port].type.shape, node.outputs[port].type.shape);
  }
}

StoredAxis Site::plain(int axis, std::size_t output) const {
  return plain_axis(lengths(output)[axis], bounds(output)[axis].value());
}

std::vector<Dim> Site::contents(std::size_t input) const {
  const OutputInfo& info = given_.info(given_.node(node_.id).inputs[input]);
  if (info.known == nullptr) throw Refusal{"has sizes that only data decide"};
  return *info.known;
}

Value Site::number(DType dtype, double value) {
  Array scalar(dtype, {});
  scalar.set(0, value);
  return constant(std::move(scalar));
}

Value Site::make(std::string_view op, std::vector<Value> inputs, Attrs attrs) {
  return {rewriter_.add(node_, Registry::global().get(op), std::move(inputs), std::move(attrs)), 0};
}

Value Site::places(const StoredAxis& axis, int trailing) {
  Value all;
  for (std::size_t digit = 0; digit < axis.size(); ++digit) {
    if (!axis[digit].is_ragged()) continue;
    const Value below = make("Less", {constant(digits_along(axis, digit, trailing)), length(axis[digit].length)});
    all = all ? make("And", {all, below}) : below;
  }
  return all;
}

void Site::set(std::size_t input, Value value) {
  if (inputs_.size() <= input) inputs_.resize(input + 1);
  inputs_[input] = value;
}

void Site::mask(std::size_t input, std::span<const int> axes, Value fill) {
  for (const int axis : axes) {
    const StoredAxis& stored = shapes_[input][static_cast<std::size_t>(axis)];
    if (!is_ragged(stored)) continue;
    inputs_[input] = make("Where", {places(stored, rank(input) - axis - 1), inputs_[input], fill});
  }
}

void Site::mask(std::size_t input, std::span<const int> axes, double fill) {
  const bool any = std::any_of(axes.begin(), axes.end(),
                               [&](int axis) { return is_ragged(shapes_[input][static_cast<std::size_t>(axis)]); });
  if (any) mask(input, axes, number(type(input).dtype, fill));
}

void Site::mask_all(std::size_t input, double fill) {
  std::vector<int> axes;
  for (int axis = 0; axis < rank(input); ++axis) axes.push_back(axis);
  mask(input, axes, fill);
}

Value Site::from_lengths(const OutputInfo& info, const std::vector<Dim>& contents) {
  const auto as_typed = [&](const Dim& dim) {
    Value value;
    if (dim.is_known()) {
      Array scalar(DType::i64, {});
      scalar.mutable_data<std::int64_t>()[0] = dim.value();
      value = constant(std::move(scalar));
    } else {
      value = length(dim);
    }
    return info.type.dtype == DType::i64 ? value : make("Cast", {value}, {{"to", info.type.dtype}});
  };
  if (info.type.shape.rank() == 0) return as_typed(contents.front());
  const Value one = constant(Array::of<std::int64_t>({1}, {1}));
  std::vector<Value> parts;
  for (const Dim& dim : contents) parts.push_back(make("Reshape", {as_typed(dim), one}));
  return parts.size() == 1 ? parts.front() : make("Concat", std::move(parts), {{"axis", 0}});
}

void Site::replace(std::string_view op, std::vector<Value> inputs, Attrs attrs) {
  rewriter_.reset(node_.id, Registry::global().get(op), std::move(inputs), std::move(attrs));
  replaced_ = true;
}

std::vector<StoredShape> Site::finish() {
  if (!replaced_ && inputs_ != node_.inputs) rewriter_.reset(node_.id, *node_.op, inputs_, node_.attrs);
  return std::move(outputs_);
}

}  // namespace asg::bounded
