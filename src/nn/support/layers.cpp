#include "nn/support/layers.h"

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
         "give the input's type a number on axis " + std::to_string(axis));
  }
  return dim.value();
}

std::vector<Port> x_port(Words words) { return {{.name = "x", .words = words}}; }
std::vector<Port> y_port(Words words) { return {{.name = "y", .words = words}}; }

AttrSpec activation_attribute() {
  return {.name = "activation",
          .kind = AttrKind::text,
          .fallback = "Gelu",
          .choices = {"Relu", "Gelu", "Silu", "Sigmoid", "Tanh", "LeakyRelu", "Elu", "Softplus"},
          .words = {"the op between the two projections", "операция между двумя проекциями"}};
}

bool is_smooth(std::string_view activation) {
  return activation != "Relu" && activation != "LeakyRelu" && activation != "Elu";
}

AttrSpec dropout_attribute() {
  return {.name = "dropout",
          .kind = AttrKind::real,
          .fallback = 0.0,
          .least = 0.0,
          .most = 0.95,
          .words = {"share of elements that training sets to zero", "доля элементов, обнуляемых при обучении"}};
}

Tensor dropout(BodyContext& ctx, std::string name, const Tensor& x, double ratio) {
  return ctx.layer(std::move(name), "nn.Dropout", {x}, {{"ratio", ratio}});
}

}  // namespace asg::nn
