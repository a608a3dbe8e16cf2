#pragma once

#include "asg/optim/card.h"

// What several optimisers are made of.
namespace asg::optim {

Setting learning_rate_setting(double fallback);
Setting weight_decay_setting(double fallback, Words words);
Setting l2_setting(double fallback = 0);           // decay through the gradient
Setting decoupled_decay_setting(double fallback);  // decay beside it
Setting momentum_setting(double fallback);
Setting nesterov_setting(bool fallback);
Setting beta_setting(std::string_view name, double fallback, Words words);
Setting epsilon_setting(double fallback);
std::vector<Setting> adam_settings(double learning_rate, const Setting& weight_decay);

// g + λ w
Tensor with_l2(const ParameterUpdate& update);
// w − η (direction + λ w)
Tensor decayed_step(const ParameterUpdate& update, const Tensor& direction);
// w − η direction
Tensor step(const ParameterUpdate& update, const Tensor& direction);

// m ← m + (1 − β)(x − m), which is β m + (1 − β) x. β and 1 − β that are rounded to f32 each do not add up to 1: means
// of many steps would be off by 1e-5.
Tensor running_mean(ParameterUpdate& update, const char* slot, const Tensor& value, double beta);
// Counts the updates of the parameter, from 1, as a number in f64 or f32. One that an edit made anew begins anew.
Tensor count(ParameterUpdate& update);
Tensor as(DType dtype, const Tensor& tensor);
// The direction of Adam; by the settings beta1, beta2, epsilon and, where the card has it, amsgrad.
Tensor adam_direction(ParameterUpdate& update, const Tensor& gradient, bool amsgrad);

}  // namespace asg::optim
