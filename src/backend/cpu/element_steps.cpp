#include "backend/cpu/element_steps.h"

#include <algorithm>
#include <map>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "backend/at_node.h"
#include "backend/cpu/library/scatter.h"

namespace asg::cpu {
namespace {

using PrepareElements = std::unique_ptr<PreparedStep> (*)(const Step& step, const Program& program);

// Indices are input 1 of all these ops; what they point into has the shape `x`.
ElementsSpec spec_of(const Step& step, const Sizes& x, const Program& program) {
  const AttrReader attributes(*step.node->op, step.node->attrs);
  return {.dtype = element_type_of(step.outputs[0], program),
          .index = element_type_of(step.inputs[1], program),
          .x = x,
          .indices = step.inputs[1].sizes,
          .axis = normalize_axis(attributes.integer("axis"), static_cast<int>(x.size()))};
}

class GatherElementsStep : public PreparedStep {
 public:
  GatherElementsStep(const Step& step, const Program& program)
      : step_(step), spec_(spec_of(step, step.inputs[0].sizes, program)), gather_(spec_) {}

  void run(const Bases& bases, std::byte*, ThreadPool& pool) const override {
    at_node(*step_.node, [&] {
      gather_.run(start_of(step_.inputs[0], spec_.dtype, bases), start_of(step_.inputs[1], spec_.index, bases),
                  start_of(step_.outputs[0], spec_.dtype, bases), pool);
    });
  }

 private:
  Step step_;
  ElementsSpec spec_;
  ElementGather gather_;
};

ScatterReduction reduction_of(const Step& step) {
  static const std::map<std::string, ScatterReduction, std::less<>> reductions = {{"none", ScatterReduction::none},
                                                                                  {"add", ScatterReduction::add},
                                                                                  {"mul", ScatterReduction::mul},
                                                                                  {"max", ScatterReduction::max},
                                                                                  {"min", ScatterReduction::min}};
  return reductions.at(AttrReader(*step.node->op, step.node->attrs).text("reduction"));
}

class ScatterElementsStep : public PreparedStep {
 public:
  ScatterElementsStep(const Step& step, const Program& program)
      : step_(step),
        repeated_(!step.inputs[0].is_dense()),
        spec_(spec_of(step, step.outputs[0].sizes, program)),
        scatter_(spec_, reduction_of(step)) {}

  std::int64_t scratch_bytes(int threads) const override { return scatter_.scratch_bytes(threads); }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    at_node(*step_.node, [&] {
      scatter_.run(start_of(step_.inputs[0], spec_.dtype, bases), repeated_,
                   start_of(step_.inputs[1], spec_.index, bases), start_of(step_.inputs[2], spec_.dtype, bases),
                   start_of(step_.outputs[0], spec_.dtype, bases), scratch, pool);
    });
  }

 private:
  Step step_;
  bool repeated_;
  ElementsSpec spec_;
  ElementScatter scatter_;
};

class GatherGradStep : public PreparedStep {
 public:
  GatherGradStep(const Step& step, const Program& program)
      : step_(step), spec_(spec_of(step, step.outputs[0].sizes, program)), scatter_(spec_) {}

  std::int64_t scratch_bytes(int threads) const override { return scatter_.scratch_bytes(threads); }

  void run(const Bases& bases, std::byte* scratch, ThreadPool& pool) const override {
    at_node(*step_.node, [&] {
      scatter_.run(start_of(step_.inputs[0], spec_.dtype, bases), start_of(step_.inputs[1], spec_.index, bases),
                   start_of(step_.outputs[0], spec_.dtype, bases), scratch, pool);
    });
  }

 private:
  Step step_;
  ElementsSpec spec_;
  RowScatter scatter_;
};

template <class Prepared>
std::unique_ptr<PreparedStep> prepare(const Step& step, const Program& program) {
  return std::make_unique<Prepared>(step, program);
}

const std::map<std::string_view, PrepareElements>& element_steps() {
  static const std::map<std::string_view, PrepareElements> ops = {
      {"GatherElements", prepare<GatherElementsStep>},
      {"ScatterElements", prepare<ScatterElementsStep>},
      {"GatherGrad", prepare<GatherGradStep>},
  };
  return ops;
}

bool knows_type(const Step& step, DType dtype) {
  if (step.node->op->name == "ScatterElements") return ElementScatter::supports(dtype, reduction_of(step));
  return step.node->op->name == "GatherElements" || dtype == DType::f32 || dtype == DType::f64;
}

}  // namespace

bool is_element_op(const OpCard& op) { return element_steps().contains(op.name); }

bool element_op_takes(const Node& node, std::size_t input, const Sizes& strides) {
  return node.op->name == "ScatterElements" && input == 0 &&
         std::all_of(strides.begin(), strides.end(), [](std::int64_t stride) { return stride == 0; });
}

std::unique_ptr<PreparedStep> prepare_elements(const Step& step, const Program& program) {
  const auto found = element_steps().find(step.node->op->name);
  if (found == element_steps().end() || !knows_type(step, element_type_of(step.outputs[0], program))) return nullptr;
  if (element_count(step.outputs[0].sizes) == 0 || element_count(step.inputs[1].sizes) == 0) return nullptr;
  return found->second(step, program);
}

}  // namespace asg::cpu
