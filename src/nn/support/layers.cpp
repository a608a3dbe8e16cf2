#include "nn/support/layers.h"

#include "asg/graph/graph.h"
#include "asg/graph/infer.h"
#include "asg/graph/registry.h"

namespace asg::nn {

std::int64_t known_length(const BodyContext& ctx, const Tensor& tensor, int axis, std::string_view what) {
  if (tensor.rank() == 0 || axis >= tensor.rank()) {
    fail(ErrorCode::bad_shape, "an input of shape " + tensor.shape().to_string() + " for layer '" + ctx.op().name + "'",
         "an axis for its " + std::string(what));
  }
  const Dim& dim = tensor.shape()[axis];
  if (!dim.is_known()) {
    fail(ErrorCode::bad_shape, dim.to_string() + " " + std::string(what) + " for layer '" + ctx.op().name + "'",
         "a number, because parameters have that length",
         "give the input's type a number on axis " + std::to_string(axis) +
             ", or put a Reshape before the layer that gives that axis a constant length");
  }
  return dim.value();
}

Shape normalised_shape(const BodyContext& ctx, const Tensor& x, int first) {
  std::vector<Dim> features;
  for (int axis = first; axis < x.rank(); ++axis) features.emplace_back(known_length(ctx, x, axis, "features"));
  return Shape(features);
}

std::vector<Port> x_port(Words words) { return {{.name = "x", .words = words}}; }
std::vector<Port> y_port(Words words) { return {{.name = "y", .words = words}}; }

AttrSpec bias_attribute(Words words) {
  return {.name = "bias", .kind = AttrKind::boolean, .fallback = true, .words = words};
}

AttrSpec epsilon_attribute() {
  return {.name = "epsilon",
          .kind = AttrKind::real,
          .fallback = 1e-5,
          .least = 0,
          .words = {"added under the root, so that nothing is divided by zero",
                    "прибавляется под корнем, чтобы не пришлось делить на ноль"}};
}

namespace {

// Whether an op turns a tensor into another of the same type, with nothing else to be told, and passes gradients.
bool serves_as_activation(const OpCard& op) {
  if (op.category != Category::activation || op.composite || op.inputs.size() != 1) return false;
  if (op.gradient_kind != GradientKind::rule && op.gradient_kind != GradientKind::body) return false;
  for (const AttrSpec& spec : op.attributes) {
    if (!spec.fallback) return false;
  }
  const OutputInfo any{{DType::f32, {2, 4}}, nullptr};
  const std::vector<const OutputInfo*> inputs = {&any};
  const Inferred inferred = infer(op, {}, nullptr, inputs, [] { return Dim::symbol("unknown"); });
  return inferred.outputs.size() == 1 && inferred.outputs.front().type == any.type;
}

}  // namespace

AttrSpec activation_attribute() {
  std::vector<Attr> choices;
  for (const OpCard* op : Registry::global().all()) {
    if (serves_as_activation(*op)) choices.emplace_back(op->name);
  }
  return {.name = "activation",
          .kind = AttrKind::text,
          .fallback = "Gelu",
          .choices = std::move(choices),
          .words = {"the op between the two projections", "операция между двумя проекциями"}};
}

AttrSpec approximate_attribute() {
  return {.name = "approximate",
          .kind = AttrKind::text,
          .fallback = "none",
          .choices = {"none", "tanh"},
          .words = {"the form of Gelu: none is exact, tanh that of GPT-2; other activations have one form",
                    "форма Gelu: none — точная, tanh — как в GPT-2; у других активаций форма одна"}};
}

Attrs activation_attrs(const BodyContext& ctx) {
  if (ctx.text("activation") != "Gelu") return {};
  return {{"approximate", ctx.text("approximate")}};
}

AttrSpec dropout_attribute() {
  return {.name = "dropout",
          .kind = AttrKind::real,
          .fallback = 0.0,
          .least = 0.0,
          .most = 0.95,
          .words = {"share of elements that training sets to zero", "доля элементов, обнуляемых при обучении"}};
}

Tensor along_axis(const Tensor& vector, int rank, int axis) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank), 1);
  shape[static_cast<std::size_t>(axis)] = -1;
  return add_op("Reshape", {vector, vector.graph().constant(Array::ints(shape))});
}

Tensor dropout(BodyContext& ctx, std::string name, const Tensor& x, double ratio) {
  return ctx.layer(std::move(name), "nn.Dropout", {x}, {{"ratio", ratio}});
}

}  // namespace asg::nn
