#pragma once

#include "asg/backend/backend.h"

namespace asg {

// Runs every op by the reference kernel of its card, in host memory and one node after the other. Slow and simple: it
// is what all other backends are compared with. Ops without a kernel run through their body.
class Interpreter : public Backend {
 public:
  std::string name() const override { return "interp"; }
  Capabilities capabilities() const override;

  DeviceArray constant(const Array& value) override;
  DeviceArrays run_primitive(const PrimitiveCall& call) override;
  DeviceArrays run_op(const Node& node, std::span<const DeviceArray> inputs) override;

 private:
  DeviceArrays compute(const OpCard& op, const Attrs& attrs, StreamKey stream, std::span<const Array* const> inputs);
};

}  // namespace asg
