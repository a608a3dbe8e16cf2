#include <nlohmann/json.hpp>

#include "asg/graph/json.h"
#include "samples.h"

namespace asg::samples {
namespace {

using Json = nlohmann::ordered_json;

// Attributes and arrays have the form of docs/json-format.md.
Json json_of(const Attrs& values) { return Json::parse(to_json(values)); }

Json json_of(const Case& computed) {
  return {{"sample", computed.sample},
          {"dtype", name_of(computed.dtype)},
          {"mode", computed.mode == Mode::train ? "train" : "eval"},
          {"stream", computed.stream},
          {"attrs", json_of(computed.attrs)},
          {"inputs", json_of(computed.inputs)},
          {"variables", json_of(computed.variables)},
          {"outputs", json_of(computed.outputs)},
          {"updates", json_of(computed.updates)},
          {"randoms", json_of(computed.randoms)},
          {"weights", json_of(computed.weights)},
          {"gradients", json_of(computed.gradients)}};
}

Json cases_of(const OpCard& op) {
  Json cases = Json::array();
  for (const Sample& sample : op.samples) {
    for (DType dtype : {DType::f32, DType::f64}) {
      for (Mode mode : {Mode::train, Mode::eval}) {
        if (mode == Mode::eval && !op.composite) continue;  // only layers know the difference
        try {
          const std::optional<Case> computed = compute(op, sample, dtype, mode);
          if (computed) cases.push_back(json_of(*computed));
        } catch (const std::exception& error) {
          cases.push_back({{"sample", sample.name}, {"dtype", asg::name_of(dtype)}, {"error", error.what()}});
        }
      }
    }
  }
  return cases;
}

std::string_view name_of(GradientKind kind) {
  constexpr std::string_view kNames[] = {"rule", "body", "zero", "none"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string line_of(const OpCard& op) {
  Attrs defaults;
  for (const AttrSpec& spec : op.attributes) {
    if (spec.fallback) defaults.set(spec.name, *spec.fallback);
  }
  Json differences = Json::array();
  for (const PeerDifference& difference : op.peer_differences) {
    differences.push_back({{"samples", difference.samples}, {"reason", difference.reason}});
  }
  const Json line = {{"op", op.name},
                     {"category", asg::name_of(op.category)},
                     {"torch", op.torch},
                     {"gradient", name_of(op.gradient_kind)},
                     {"leaf", op.traits.leaf},
                     {"inputs", op.inputs.size()},
                     {"defaults", json_of(defaults)},
                     {"differences", std::move(differences)},
                     {"cases", cases_of(op)}};
  return line.dump();
}

}  // namespace asg::samples
