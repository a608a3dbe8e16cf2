#pragma once

#include "axis_flow.h"

// The rules behind axis_rule, by family, and what they share.
namespace asg::axis_rules {

void block_any(const WideAxes& axes, const std::string& reason);
WideAxis without_zeros(WideAxis axis);
// Of an axis that goes on in other runs: it can no longer be placed.
WideAxis with_runs(const WideAxis& axis, AxisRuns runs);
// The same axis of two operands: the runs of both are the same, or one can be placed like the other.
WideAxis met(const WideAxis& a, const WideAxis& b);
// Asks for these runs, where the axis can still be placed; else blocks for this reason.
[[noreturn]] void place_or_block(const WideAxis& axis, const AxisRuns& runs, std::string reason);
// Contents of an integer operand; nothing where they are known only when the graph runs.
const std::vector<Dim>* known_operand(const Graph& graph, const Node& node, std::size_t input);

void elementwise(AxisFlow& flow);
void same_axes(AxisFlow& flow);
void expand_shape(AxisFlow& flow);

void mat_mul(AxisFlow& flow);
void gemm(AxisFlow& flow);
void conv(AxisFlow& flow);
void conv_transpose(AxisFlow& flow);

void transpose(AxisFlow& flow);
void reshape(AxisFlow& flow);
void concat(AxisFlow& flow);
void split(AxisFlow& flow);
void slice(AxisFlow& flow);
void pad(AxisFlow& flow);
void gather(AxisFlow& flow);
void shape_of(AxisFlow& flow);
void trilu(AxisFlow& flow);

void reduce(AxisFlow& flow);
void arg_max(AxisFlow& flow);
void softmax(AxisFlow& flow);
void layer_normalization(AxisFlow& flow);
void instance_normalization(AxisFlow& flow);
void group_normalization(AxisFlow& flow);
void batch_normalization(AxisFlow& flow);
void pool(AxisFlow& flow);

}  // namespace asg::axis_rules
