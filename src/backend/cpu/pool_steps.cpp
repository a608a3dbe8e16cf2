#include "backend/cpu/pool_steps.h"

#include <algorithm>
#include <map>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "backend/at_node.h"
#include "backend/cpu/library/max_pool_gradient.h"
#include "backend/cpu/library/pooling.h"
#include "ops/pooling/pool_parts.h"

namespace asg::cpu {
namespace {

using PreparePool = std::unique_ptr<PreparedStep> (*)(const Step& step, const Program& program);

// The windows of a pool over inputs of shape x.
PoolingSpec pooling_of(const Step& step, const Sizes& x, DType dtype) {
  const AttrReader attributes(*step.node->op, step.node->attrs);
  PoolingSpec spec{
      .dtype = dtype, .planes = x[0] * x[1], .windows = ops::three_axes(ops::pool_windows(attributes, Shape::of(x)))};
  if (step.node->op->name == "MaxPool") {
    spec.by_columns = attributes.integer("storage_order") != 0;
  } else {
    spec.count_padding = attributes.boolean("count_include_pad");
  }
  return spec;
}

bool is_read(const View& view, const Program& program) {
  const auto uses = [&](const View& each) { return each.buffer == view.buffer; };
  return std::any_of(program.results.begin(), program.results.end(), uses) ||
         std::any_of(program.steps.begin(), program.steps.end(),
                     [&](const Step& step) { return std::any_of(step.inputs.begin(), step.inputs.end(), uses); });
}

class MaxPoolStep : public PreparedStep {
 public:
  MaxPoolStep(const Step& step, const Program& program)
      : x_(step.inputs[0]), y_(step.outputs[0]), pooling_(pooling_of(step, x_.sizes, element_type_of(y_, program))) {
    if (is_read(step.outputs[1], program)) places_ = step.outputs[1];
  }

  void run(const Bases& bases, std::byte*, ThreadPool& pool) const override {
    const DType dtype = pooling_.spec().dtype;
    std::int64_t* places = nullptr;
    if (places_) places = reinterpret_cast<std::int64_t*>(start_of(places_, DType::i64, bases));
    pooling_.max(start_of(x_, dtype, bases), start_of(y_, dtype, bases), places, pool);
  }

 private:
  View x_;
  View y_;
  View places_;  // none where nobody reads them
  Pooling pooling_;
};

class MaxPoolGradStep : public PreparedStep {
 public:
  MaxPoolGradStep(const Step& step, const Program& program)
      : node_(step.node),
        grad_(step.inputs[0]),
        places_(step.inputs[1]),
        x_(step.outputs[0]),
        spec_(spec_of(step, program)) {}

  void run(const Bases& bases, std::byte*, ThreadPool& pool) const override {
    const auto* places = reinterpret_cast<const std::int64_t*>(start_of(places_, DType::i64, bases));
    at_node(*node_, [&] {
      max_pool_gradient(spec_, start_of(grad_, spec_.dtype, bases), places, start_of(x_, spec_.dtype, bases), pool);
    });
  }

 private:
  // What is no pair of planes is one plane.
  static MaxPoolGradientSpec spec_of(const Step& step, const Program& program) {
    const Sizes& x = step.outputs[0].sizes;
    const Sizes& grad = step.inputs[0].sizes;
    const bool has_planes = x.size() > 2 && grad.size() > 2 && x[0] == grad[0] && x[1] == grad[1];
    const std::int64_t planes = has_planes ? x[0] * x[1] : 1;
    return {.dtype = element_type_of(step.outputs[0], program),
            .planes = planes,
            .positions = element_count(grad) / planes,
            .pixels = element_count(x) / planes};
  }

  NodePtr node_;
  View grad_;
  View places_;
  View x_;
  MaxPoolGradientSpec spec_;
};

// AveragePool, or its gradient.
class AveragePoolStep : public PreparedStep {
 public:
  AveragePoolStep(const Step& step, const Program& program)
      : from_(step.inputs[0]),
        to_(step.outputs[0]),
        back_(step.node->op->name == "AveragePoolGrad"),
        pooling_(pooling_of(step, back_ ? to_.sizes : from_.sizes, element_type_of(to_, program))) {}

  void run(const Bases& bases, std::byte*, ThreadPool& pool) const override {
    const DType dtype = pooling_.spec().dtype;
    if (back_) return pooling_.average_gradient(start_of(from_, dtype, bases), start_of(to_, dtype, bases), pool);
    pooling_.average(start_of(from_, dtype, bases), start_of(to_, dtype, bases), pool);
  }

 private:
  View from_;
  View to_;
  bool back_;
  Pooling pooling_;
};

template <class Prepared>
std::unique_ptr<PreparedStep> made_step(const Step& step, const Program& program) {
  return std::make_unique<Prepared>(step, program);
}

const std::map<std::string_view, PreparePool>& pool_steps() {
  static const std::map<std::string_view, PreparePool> ops = {
      {"MaxPool", made_step<MaxPoolStep>},
      {"MaxPoolGrad", made_step<MaxPoolGradStep>},
      {"AveragePool", made_step<AveragePoolStep>},
      {"AveragePoolGrad", made_step<AveragePoolStep>},
  };
  return ops;
}

}  // namespace

bool is_pool_op(const OpCard& op) { return pool_steps().contains(op.name); }

std::unique_ptr<PreparedStep> prepare_pool(const Step& step, const Program& program) {
  const auto found = pool_steps().find(step.node->op->name);
  if (found == pool_steps().end()) return nullptr;
  const DType dtype = element_type_of(step.outputs[0], program);
  if (dtype != DType::f32 && dtype != DType::f64) return nullptr;
  if (element_count(step.outputs[0].sizes) == 0 || element_count(step.inputs[0].sizes) == 0) return nullptr;
  return found->second(step, program);
}

}  // namespace asg::cpu
