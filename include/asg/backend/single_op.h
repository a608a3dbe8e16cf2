#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "asg/backend/backend.h"

namespace asg {

// A graph of one op, and the values of its inputs by name.
struct SingleOp {
  Graph graph;
  NodeId node;
  NamedDeviceArrays inputs;
};

// Makes it for concrete inputs. Integer operands (shapes, axes …) become constants, so that types can be inferred;
// `backend` downloads them. Outputs are named "output_0", "output_1" …; absent inputs are empty handles.
SingleOp single_op(Backend& backend, const Node& node, std::span<const DeviceArray> inputs);
SingleOp single_op(const PrimitiveCall& call);

// Runs it through `execute`. Throws missing_output where that breaks its naming contract.
DeviceArrays run_single(Backend& backend, const SingleOp& single);

// One op by name through `execute`, with all its outputs, or with its only one. Throws unknown_op.
DeviceArrays run_single(Backend& backend, std::string_view op, std::span<const DeviceArray> inputs, Attrs attrs = {});
DeviceArray run_single_output(Backend& backend, std::string_view op, std::span<const DeviceArray> inputs,
                              Attrs attrs = {});

}  // namespace asg
