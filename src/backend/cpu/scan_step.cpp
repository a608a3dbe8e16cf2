#include "backend/cpu/scan_step.h"

#include <algorithm>
#include <array>

#include "asg/graph/body.h"
#include "asg/graph/contexts.h"
#include "asg/graph/expand.h"
#include "ops/control_flow/scan_form.h"

namespace asg::cpu {
namespace {

// One element after the other of a tensor that is walked along an axis.
class Walk {
 public:
  Walk(TypedView whole, ops::Stacking way) : element_(std::move(whole)), first_(element_.view.offset) {
    const int axis = normalize_axis(way.axis, static_cast<int>(element_.view.sizes.size()));
    length_ = element_.view.sizes[static_cast<std::size_t>(axis)];
    step_ = element_.view.strides[static_cast<std::size_t>(axis)];
    element_.view.sizes.erase(element_.view.sizes.begin() + axis);
    element_.view.strides.erase(element_.view.strides.begin() + axis);
    if (!way.reversed) return;
    first_ += (length_ - 1) * step_;
    step_ = -step_;
  }

  std::int64_t length() const { return length_; }
  const Sizes& sizes() const { return element_.view.sizes; }
  DType dtype() const { return element_.dtype; }
  Array at(std::int64_t iteration, const Bases& bases) {
    element_.view.offset = first_ + iteration * step_;
    return element_.array(bases);
  }

 private:
  TypedView element_;
  std::int64_t first_;
  std::int64_t length_ = 0;
  std::int64_t step_ = 0;  // from one iteration to the next, in elements
};

// The operands of a Scan by what they are to it.
struct ScanOperands {
  ScanOperands(const Step& step, const Program& program, const ops::ScanForm& form) {
    const auto states = static_cast<std::size_t>(form.states);
    const auto scanned = static_cast<std::size_t>(form.inputs);
    for (std::size_t k = 0; k < step.inputs.size(); ++k) {
      TypedView operand(step.inputs[k], program);
      if (k < states) {
        first_states.push_back(std::move(operand));
      } else if (k < states + scanned) {
        elements.emplace_back(std::move(operand), form.in[k - states]);
      } else {
        captures.push_back(std::move(operand));
      }
    }
    for (std::size_t k = 0; k < step.outputs.size(); ++k) {
      TypedView operand(step.outputs[k], program);
      if (k < states) {
        last_states.push_back(std::move(operand));
      } else {
        results.emplace_back(std::move(operand), form.out[k - states]);
      }
    }
  }

  // Of the inputs of the body, in their order.
  std::vector<OutputInfo> body_inputs() const {
    std::vector<OutputInfo> infos;
    const auto add = [&](DType dtype, const Sizes& sizes) { infos.push_back({{dtype, Shape::of(sizes)}, nullptr}); };
    for (const TypedView& state : first_states) add(state.dtype, state.view.sizes);
    for (const Walk& walk : elements) add(walk.dtype(), walk.sizes());
    for (const TypedView& capture : captures) add(capture.dtype, capture.view.sizes);
    return infos;
  }

  std::vector<TypedView> first_states;
  std::vector<Walk> elements;
  std::vector<TypedView> captures;
  std::vector<TypedView> last_states;
  std::vector<Walk> results;
};

class ScanStep : public PreparedStep {
 public:
  ScanStep(NodePtr node, ScanOperands operands, std::unique_ptr<Executable> body)
      : node_(std::move(node)), operands_(std::move(operands)), body_(std::move(body)) {
    for (auto& states : between_) {
      for (const TypedView& state : operands_.last_states) {
        states.push_back(Array::uninitialised(state.dtype, state.view.sizes));
      }
    }
    inputs_.resize(operands_.first_states.size() + operands_.elements.size() + operands_.captures.size());
    outputs_.resize(operands_.last_states.size() + operands_.results.size());
  }

  const char* way() const override { return "compiled body"; }

  void run(const Bases& bases, std::byte*, ThreadPool&) const override {
    try {
      walk(bases);
    } catch (const UserError& error) {
      throw error.with_node(node_->path()).with_where(node_->where.to_string());
    }
  }

 private:
  void walk(const Bases& bases) const {
    const std::size_t states = operands_.first_states.size();
    const std::size_t elements = operands_.elements.size();
    for (std::size_t k = 0; k < states; ++k) inputs_[k] = operands_.first_states[k].array(bases);
    for (std::size_t k = 0; k < operands_.captures.size(); ++k) {
      inputs_[states + elements + k] = operands_.captures[k].array(bases);
    }
    const std::int64_t length = operands_.elements.front().length();
    for (std::int64_t iteration = 0; iteration < length; ++iteration) {
      for (std::size_t k = 0; k < elements; ++k) inputs_[states + k] = operands_.elements[k].at(iteration, bases);
      const bool last = iteration + 1 == length;
      const std::vector<Array>& next = between_[static_cast<std::size_t>(iteration % 2)];
      for (std::size_t k = 0; k < states; ++k) outputs_[k] = last ? operands_.last_states[k].array(bases) : next[k];
      for (std::size_t k = 0; k < operands_.results.size(); ++k) {
        outputs_[states + k] = operands_.results[k].at(iteration, bases);
      }
      places_ = outputs_;
      body_->run_into(inputs_, outputs_);
      // What lies in gaps, or over what another reads, the body wrote elsewhere.
      for (std::size_t k = 0; k < outputs_.size(); ++k) {
        if (std::as_const(outputs_[k]).raw() != std::as_const(places_[k]).raw()) places_[k].assign(outputs_[k]);
      }
      for (std::size_t k = 0; k < states; ++k) inputs_[k] = outputs_[k];
    }
  }

  NodePtr node_;
  // One thread runs a program.
  mutable ScanOperands operands_;
  std::unique_ptr<Executable> body_;
  std::array<std::vector<Array>, 2> between_;  // the states, in turns: one read, one written
  mutable std::vector<Array> inputs_;
  mutable std::vector<Array> outputs_;
  mutable std::vector<Array> places_;  // where the outputs of an iteration belong
};

// Whether runs of the body differ only in what they are given, and their lengths are known before they run.
bool is_the_same_in_every_run(const Graph& body) {
  const auto ids = body.node_ids();
  return std::all_of(ids.begin(), ids.end(), [&](NodeId id) {
    const Node& node = body.node(id);
    const auto is_known = [](const OutputInfo& output) { return output.type.shape.is_known(); };
    return !node.op->composite && !carries_stream(*node.op) &&
           std::all_of(node.outputs.begin(), node.outputs.end(), is_known);
  });
}

}  // namespace

std::unique_ptr<PreparedStep> prepare_scan(const Step& step, const Program& program, const Means& means) {
  if (step.node->op->name != "Scan") return nullptr;
  const AttrReader attributes(*step.node->op, step.node->attrs);
  const Graph& stored = ops::closed_graph(attributes, "body");
  std::vector<int> ranks;
  for (const View& view : step.inputs) ranks.push_back(static_cast<int>(view.sizes.size()));
  const ops::ScanForm form = ops::scan_form(attributes, stored, ranks);
  ScanOperands operands(step, program, form);
  if (operands.elements.front().length() == 0) return nullptr;
  const Graph body = retype(stored, operands.body_inputs());
  if (!is_the_same_in_every_run(body)) return nullptr;
  return std::make_unique<ScanStep>(step.node, std::move(operands), means.compile_body(body));
}

}  // namespace asg::cpu
