// Defaults and meanings that changed, and ops that were replaced by others.
#include "asg/core/error.h"
#include "io/onnx/lift.h"

namespace asg::io {
namespace {

// Before opset 13 the axes from `axis` (1 by default) on were taken as one.
void flattened(LiftContext& context, NodeDef& node) {
  const auto given = node.take("axis");
  const std::string input = node.operand(0);
  const int rank = context.type_of(input).shape.rank();
  std::int64_t axis = given ? given->integer : 1;
  if (axis < 0) axis += rank;
  if (axis < 0 || axis > rank) {
    fail(ErrorCode::bad_index,
         "axis " + std::to_string(given->integer) + " of a tensor with " + std::to_string(rank) + " axes",
         "an axis that it has, or their number");
  }
  if (axis == rank - 1 || rank == 0) {
    node.set_integer("axis", -1);
    return;
  }
  const std::string shape = context.emit("Shape", {input});
  std::vector<std::int64_t> matrix(static_cast<std::size_t>(axis), 0);  // 0 keeps the length
  matrix.push_back(-1);
  AttrDef last;
  last.name = "axis";
  last.kind = AttrDef::Kind::integer;
  last.integer = -1;
  const std::string flat = context.emit("Reshape", {input, integers(context, matrix)});
  const std::string result = context.emit(node.op, {flat}, {last});
  node.op = "Reshape";
  node.inputs = {result, shape};
  node.attributes.clear();
}

void cast(LiftContext& /*context*/, NodeDef& node) {
  const auto to = node.take("to");
  if (!to || to->kind != AttrDef::Kind::text) {
    if (to) node.set(*to);
    return;
  }
  const auto dtype = dtype_of_onnx(to->text);
  if (!dtype) fail(ErrorCode::bad_dtype, "'" + to->text + "' for attribute 'to'", "the name of a dtype, as FLOAT");
  node.set_integer("to", onnx_of_dtype(*dtype));
}

void concat(LiftContext& /*context*/, NodeDef& node) {
  if (node.find("axis") == nullptr) node.set_integer("axis", 1);
}

void scatter(LiftContext& /*context*/, NodeDef& node) { node.op = newest_name(node.op); }

// `spatial` = 0 kept statistics per place as well as per channel; nobody wrote such models.
void batch_normalization(LiftContext& /*context*/, NodeDef& node) {
  const auto spatial = node.take("spatial");
  if (spatial && spatial->integer == 0) {
    fail(ErrorCode::bad_attribute, "spatial = 0 for BatchNormalization", "statistics per channel: spatial = 1");
  }
  node.take("is_test");
  if (node.outputs.size() > 1) {
    fail_onnx("BatchNormalization of opset " + std::to_string(node.opset) + " with " +
                  std::to_string(node.outputs.size()) + " outputs",
              "one output, as in inference", "export the model with opset 14 or later");
  }
}

// Takes the lengths as they were, times the scales, rounded down; the nearest place is the one before.
void as_resize(NodeDef& node, const std::string& scales) {
  node.op = newest_name(node.op);
  node.inputs = {node.operand(0), "", scales};
  node.set_text("coordinate_transformation_mode", "asymmetric");
  node.set_text("nearest_mode", "floor");
}

void upsample(LiftContext& context, NodeDef& node) {
  if (const auto scales = node.take("scales")) {
    const std::vector<float> values(scales->reals.begin(), scales->reals.end());
    node.set_input(1, context.constant(Array::of<float>({static_cast<std::int64_t>(values.size())}, values)));
  }
  if (!node.has_input(1)) fail(ErrorCode::missing_input, "no scales for Upsample", "a scale for each axis");
  as_resize(node, node.inputs[1]);
}

void resize(LiftContext& /*context*/, NodeDef& node) {
  if (node.has_input(1)) as_resize(node, node.inputs[1]);
}

// The first Scan also went over a batch, the first axis of everything: a Scan over the batch whose body is the Scan
// that is left.
void scan(LiftContext& /*context*/, NodeDef& node) {
  if (node.has_input(0)) {
    fail_onnx("a Scan with lengths of sequences", "one without, as from opset 9 on",
              "export the model with opset 9 or later");
  }
  node.operand(1);
  node.inputs.erase(node.inputs.begin());
  NodeDef inner = node;
  inner.opset = kNewestForm;
  if (auto directions = inner.take("directions")) {
    directions->name = "scan_input_directions";
    inner.set(*std::move(directions));
  }
  GraphDef batch;
  for (std::size_t index = 0; index < inner.inputs.size(); ++index) {
    inner.inputs[index] = "batch_in_" + std::to_string(index);
    batch.inputs.push_back({inner.inputs[index], {}});
  }
  for (std::size_t index = 0; index < inner.outputs.size(); ++index) {
    inner.outputs[index] = "batch_out_" + std::to_string(index);
    batch.outputs.push_back({inner.outputs[index], {}});
  }
  inner.name.clear();
  batch.nodes.push_back(std::move(inner));
  AttrDef body;
  body.name = "body";
  body.kind = AttrDef::Kind::graph;
  body.graph = std::make_shared<const GraphDef>(std::move(batch));
  node.attributes = {std::move(body)};
  node.set_integer("num_scan_inputs", static_cast<std::int64_t>(node.inputs.size()));
}

constexpr Lift kMeaningRows[] = {
    {"Softmax", 13, flattened},
    {"LogSoftmax", 13, flattened},
    {"Hardmax", 13, flattened},
    {"Cast", 6, cast},
    {"Concat", 4, concat},
    {"Scatter", kAlways, scatter},
    {"BatchNormalization", 14, batch_normalization},
    {"Upsample", kAlways, upsample},
    {"Resize", 11, resize},
    {"Scan", 9, scan},
};

}  // namespace

std::span<const Lift> meaning_lifts() { return kMeaningRows; }

}  // namespace asg::io
