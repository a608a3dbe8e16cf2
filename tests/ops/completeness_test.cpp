// Every built-in card is complete: words, mappings, gradient, and samples that reach everything it can be asked.
// A row is one thing that a card must have; what is missing is told in words.
#include <algorithm>
#include <cmath>

#include "asg/graph/formula.h"
#include "ops/cards.h"
#include "ops/coverage.h"
#include "support/run_op.h"

namespace asg::test {
namespace {

using Missing = std::vector<std::string>;

void need(Missing& missing, bool holds, std::string what) {
  if (!holds) missing.push_back(std::move(what));
}

void need_words(Missing& missing, const Words& words, const std::string& of) {
  need(missing, !words.en.empty(), "English words of " + of);
  need(missing, !words.ru.empty(), "Russian words of " + of);
}

Missing words(const OpCard& op) {
  Missing missing;
  need_words(missing, op.words.what, "what");
  need_words(missing, op.words.why, "why");
  for (const Port& port : op.inputs) need_words(missing, port.words, "input " + std::string(port.name));
  for (const Port& port : op.outputs) need_words(missing, port.words, "output " + std::string(port.name));
  for (const AttrSpec& spec : op.attributes) need_words(missing, spec.words, "attribute " + std::string(spec.name));
  return missing;
}

Missing formula(const OpCard& op) {
  if (op.words.formula.empty()) return {"a formula"};
  Missing missing;
  try {
    need(missing, !formula_to_text(op.words.formula).empty(), "a formula with text");
    need(missing, formula_to_mathml(op.words.formula).find("<math") != std::string::npos, "a formula with MathML");
  } catch (const UserError& error) {
    missing.push_back(error.what());
  }
  return missing;
}

// An op without a peer in ONNX can still be exported if it has a body; without one in PyTorch `make peers` asks for a
// formula.
Missing peers(const OpCard& op) {
  Missing missing;
  if (op.traits.leaf || op.category == Category::container) return missing;
  need(missing, !op.onnx.empty() || op.body, "an ONNX mapping, or a body to export instead");
  for (const OnnxMapping& mapping : op.onnx) {
    need(missing, !mapping.op.empty() && mapping.since >= 1, "name and opset of the ONNX mapping");
  }
  for (const PeerDifference& difference : op.peer_differences) {
    need(missing, !difference.reason.empty(), "the reason of a difference from PyTorch");
    for (std::string_view name : difference.samples) {
      const bool known =
          std::any_of(op.samples.begin(), op.samples.end(), [&](const Sample& sample) { return sample.name == name; });
      need(missing, known, "the sample " + std::string(name) + ", which is said to differ from PyTorch");
    }
  }
  return missing;
}

Missing gradient(const OpCard& op) {
  Missing missing;
  if (op.traits.leaf) return missing;
  switch (op.gradient_kind) {
    case GradientKind::rule:
      // Subgraphs are differentiated by autograd, which stands above the ops.
      need(missing, op.gradient || op.category == Category::control_flow, "the gradient rule that the card announces");
      break;
    case GradientKind::body:
      need(missing, op.body || op.composite, "the body through which the card wants to be differentiated");
      break;
    case GradientKind::zero:
    case GradientKind::none:
      need(missing, !op.gradient_reason.empty(), "the reason why there is no gradient");
      need(missing, !op.gradient, "no gradient rule beside a gradient that is zero or none");
      break;
  }
  const bool differentiable = op.gradient_kind == GradientKind::rule || op.gradient_kind == GradientKind::body;
  const bool checked = std::any_of(op.samples.begin(), op.samples.end(), [](const Sample& s) { return s.gradient; });
  need(missing, !differentiable || checked || op.category == Category::container, "a sample with a gradient check");
  return missing;
}

// Ops whose gradients every model and every second derivative is built from.
bool must_have_second_order(const OpCard& op) {
  switch (op.category) {
    case Category::arithmetic:
    case Category::maths:
    case Category::activation:
    case Category::reduction:
    case Category::linear_algebra:
    case Category::convolution:
    case Category::normalization:
    case Category::shape:
    case Category::indexing:
      return true;
    default:
      return op.traits.elementwise || op.traits.reduction || op.traits.view;
  }
}

Missing gradient_bounds(const OpCard& op) {
  Missing missing;
  const GradientBounds usual;
  const GradientBounds& bounds = op.gradient_bounds;
  const bool wider = bounds.first > usual.first || bounds.second > usual.second || !bounds.twice;
  need(missing, !wider || !bounds.reason.empty(), "the reason for wider bounds of the gradient check");
  need(missing, bounds.twice || !must_have_second_order(op), "a gradient that can be differentiated again");
  return missing;
}

Missing parts(const OpCard& op) {
  Missing missing;
  if (op.traits.leaf) return missing;
  const bool block = op.category == Category::container;  // its body comes with each node
  need(missing, !op.composite || op.body || block, "the body of a layer");
  need(missing, op.composite || op.kernel || op.body, "a kernel or a body");
  need(missing, op.name.find('.') == std::string::npos || op.composite, "`composite`, since the name has a prefix");
  return missing;
}

Missing cost(const OpCard& op) {
  Missing missing;
  if (!op.cost) return missing;
  for (const Sample& sample : op.samples) {
    std::vector<TensorType> inputs;
    const Inputs values = sample_inputs(op, sample.name, sample.inputs);
    for (const auto& value : values) {
      inputs.push_back(value ? TensorType{value->dtype(), Shape::of(value->sizes())} : TensorType{});
    }
    const Cost cost = op.cost({op, sample.attrs, inputs, output_types(op, sample.attrs, values)});
    const bool sane = std::isfinite(cost.flops) && cost.flops >= 0 && std::isfinite(cost.bytes) && cost.bytes >= 0;
    need(missing, sane, "a finite cost that is not negative, on sample " + sample.name);
  }
  return missing;
}

Missing samples(const OpCard& op) {
  Missing missing;
  if (op.traits.leaf || op.category == Category::container) return missing;
  need(missing, !op.samples.empty(), "samples");
  need(missing, !op.bad_samples.empty(), "a bad sample");
  const bool has_numbers =
      std::any_of(op.samples.begin(), op.samples.end(), [](const Sample& s) { return !s.expected.empty(); });
  need(missing, has_numbers || op.traits.random || op.composite, "a sample with expected values");
  for (const std::string& what : uncovered(op)) missing.push_back(what);
  return missing;
}

struct Row {
  const char* name;
  Missing (*missing)(const OpCard&);
};

constexpr Row kRows[] = {
    {"words", words},
    {"formula", formula},
    {"peers", peers},
    {"gradient", gradient},
    {"gradient bounds", gradient_bounds},
    {"parts", parts},
    {"cost", cost},
    {"samples", samples},
};

using OpCompleteness = OpTest;

TEST_P(OpCompleteness, NothingIsMissing) {
  for (const Row& row : kRows) {
    for (const std::string& what : row.missing(op()))
      ADD_FAILURE() << op().name << " lacks (" << row.name << "): " << what;
  }
}

ASG_FOR_ALL_OPS(OpCompleteness);

}  // namespace
}  // namespace asg::test
