#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "asg/graph/graph.h"
#include "asg/optim/optimizer.h"
#include "asg/optim/schedule.h"
#include "asg/optim/settings.h"

namespace asg::optim {

// One parameter while its update is built: what an optimiser sees.
class ParameterUpdate {
 public:
  ParameterUpdate(Graph& graph, VarId parameter, const Tensor& gradient, const Tensor& rate, Settings settings,
                  Updates& updates);

  const Tensor& value() const { return value_; }        // before the step
  const Tensor& gradient() const { return gradient_; }  // clipped
  const Tensor& rate() const { return rate_; }          // the learning rate of its group, in its dtype
  double real(std::string_view setting) const { return settings_.real(setting); }
  bool flag(std::string_view setting) const { return settings_.flag(setting); }
  std::int64_t integer(std::string_view setting) const { return settings_.integer(setting); }

  // State of the type of the parameter; or a count in i64, which does not stop at 2^24 as one in f32 does, or at 256 as
  // one in bf16. Each slot is asked for once, and kept once.
  Tensor state(std::string_view slot, const Initializer& first = Initializer::zeros());
  Tensor count_state(std::string_view slot);
  void keep(std::string_view slot, const Tensor& value);  // what the slot holds after the step
  Tensor number(double value) { return graph_.scalar(value_.dtype(), value); }

 private:
  Tensor add_state(std::string_view slot, TensorType type, const Initializer& first);

  Graph& graph_;
  VarId parameter_;
  Tensor value_;
  Tensor gradient_;
  Tensor rate_;
  Settings settings_;
  Updates& updates_;
};

// Everything that is known of an optimiser, in one place: src/optim/<name>.cpp. The table in src/optim/table.cpp lists
// them.
struct OptimizerCard {
  std::string_view name;
  Words what;
  std::string_view formula;          // w is the parameter, g its gradient, \eta the learning rate; docs/formulas.md
  std::string_view torch;            // its peer in PyTorch; "" where there is none
  std::vector<Setting> settings;     // "learning_rate" and "weight_decay" first
  void (*check)(const Settings&);    // what the settings must hold together; may be null
  Tensor (*next)(ParameterUpdate&);  // builds the update: the parameter after the step
};

std::span<const OptimizerCard> optimizers();                 // by name
const OptimizerCard& optimizer_card(std::string_view kind);  // throws bad_attribute

// The same of a schedule. n are its steps, t counts from the end of the warm-up.
struct ScheduleCard {
  std::string_view name;
  std::string_view what;
  std::string_view formula;
  std::string_view torch;
  std::vector<Setting> settings;
  double (*factor)(const Settings& settings, std::int64_t step, const ScheduleState& state);
};

std::span<const ScheduleCard> schedules();                 // by name
const ScheduleCard& schedule_card(std::string_view kind);  // throws bad_attribute

}  // namespace asg::optim
