#include "optim/parts.h"

#include <cmath>

namespace asg::optim {

Setting learning_rate_setting(double fallback) {
  return {.name = "learning_rate",
          .fallback = fallback,
          .range = kNotNegative,
          .words = {"size of a step", "величина шага"}};
}

Setting weight_decay_setting(double fallback, Words words) {
  return {.name = "weight_decay", .fallback = fallback, .range = kNotNegative, .words = words};
}

Setting l2_setting(double fallback) {
  return weight_decay_setting(fallback, {"how much of the parameter is added to its gradient",
                                         "какая доля параметра прибавляется к градиенту"});
}

Setting decoupled_decay_setting(double fallback) {
  return weight_decay_setting(fallback, {"how much the parameter shrinks beside its step, times the learning rate",
                                         "насколько параметр уменьшается помимо шага, с множителем скорости обучения"});
}

Setting momentum_setting(double fallback) {
  return {.name = "momentum",
          .fallback = fallback,
          .range = kBelowOne,
          .words = {"how much of the last step's velocity is kept", "какая доля прежней скорости сохраняется"}};
}

Setting nesterov_setting(bool fallback) {
  return {.name = "nesterov",
          .kind = AttrKind::boolean,
          .fallback = fallback,
          .words = {"look ahead by the momentum", "смотреть вперёд на величину импульса"}};
}

Setting beta_setting(std::string_view name, double fallback, Words words) {
  return {.name = name, .fallback = fallback, .range = kBelowOne, .words = words};
}

Setting epsilon_setting(double fallback) {
  return {.name = "epsilon",
          .fallback = fallback,
          .range = kPositive,
          .words = {"keeps the divisor away from 0", "не даёт делителю стать нулём"}};
}

std::vector<Setting> adam_settings(double learning_rate, const Setting& weight_decay) {
  return {
      learning_rate_setting(learning_rate),
      weight_decay,
      beta_setting("beta1", 0.9,
                   {"how much of the mean gradient is kept", "какая доля среднего градиента сохраняется"}),
      beta_setting("beta2", 0.999, {"how much of the mean square is kept", "какая доля среднего квадрата сохраняется"}),
      epsilon_setting(1e-8),
      {.name = "amsgrad",
       .kind = AttrKind::boolean,
       .fallback = false,
       .words = {"divide by the greatest mean square so far", "делить на наибольший средний квадрат"}}};
}

Tensor with_l2(const ParameterUpdate& update) {
  const double decay = update.real("weight_decay");
  return decay == 0 ? update.gradient() : update.gradient() + update.value() * decay;
}

Tensor step(const ParameterUpdate& update, const Tensor& direction) {
  return update.value() - direction * update.rate();
}

Tensor decayed_step(const ParameterUpdate& update, const Tensor& direction) {
  const double decay = update.real("weight_decay");
  return step(update, decay == 0 ? direction : direction + update.value() * decay);
}

Tensor running_mean(ParameterUpdate& update, const char* slot, const Tensor& value, double beta) {
  const Tensor before = update.state(slot);
  const Tensor mean = before + (value - before) * (1 - beta);
  update.keep(slot, mean);
  return mean;
}

Tensor count(ParameterUpdate& update) {
  const Tensor before = update.count_state("count");
  const Tensor count = before + before.graph().constant(Array::scalar_i64(1));
  update.keep("count", count);
  return as(update.value().dtype() == DType::f64 ? DType::f64 : DType::f32, count);
}

Tensor as(DType dtype, const Tensor& tensor) {
  return tensor.dtype() == dtype ? tensor : add_op("Cast", {tensor}, {{"to", dtype}});
}

// 1 − βᵗ, what a running mean of ones is after t updates. Where β is close to 1 its power is too, and the difference of
// the two numbers loses most of the digits of f32; with u = tanh(−t ln β / 2) it is 2u / (1 + u), which keeps them.
Tensor bias_correction(double beta, const Tensor& updates) {
  Graph& graph = updates.graph();
  if (beta == 0) return graph.scalar(updates.dtype(), 1);
  const Tensor half = add_op("Tanh", {updates * (-std::log(beta) / 2)});
  return half * 2.0 / (half + 1.0);
}

// Means of g and g², corrected for their start at zero.
Tensor adam_direction(ParameterUpdate& update, const Tensor& gradient, bool amsgrad) {
  const double beta1 = update.real("beta1");
  const double beta2 = update.real("beta2");
  const Tensor number = count(update);
  const Tensor mean = running_mean(update, "mean", gradient, beta1);
  Tensor square = running_mean(update, "square", gradient * gradient, beta2);
  if (amsgrad) {
    square = add_op("Max", {update.state("greatest"), square});
    update.keep("greatest", square);
  }
  const auto corrected = [&](const Tensor& running, double beta) {
    return running / as(running.dtype(), bias_correction(beta, number));
  };
  const Tensor deviation = add_op("Sqrt", {corrected(square, beta2)}) + update.real("epsilon");
  return corrected(mean, beta1) / deviation;
}

}  // namespace asg::optim
