#include "ops/control_flow/scan_form.h"

#include <string>

namespace asg::ops {
namespace {

// A list of integers, one for each of `count` things; an empty one means 0 for all.
std::vector<std::int64_t> one_each(const AttrReader& ctx, const char* name, int count, const char* what) {
  const std::vector<std::int64_t>& given = ctx.integers(name);
  if (given.empty()) return std::vector<std::int64_t>(static_cast<std::size_t>(count), 0);
  if (static_cast<int>(given.size()) != count) {
    fail(ErrorCode::bad_attribute,
         std::to_string(given.size()) + " numbers in '" + name + "' for " + std::to_string(count) + " " + what,
         "one for each, or none at all");
  }
  return given;
}

void count_parts(ScanForm& form, const AttrReader& ctx, const Graph& body, int given) {
  form.inputs = static_cast<int>(ctx.integer("num_scan_inputs"));
  form.captures = static_cast<int>(ctx.integer("num_captures"));
  form.states = given - form.inputs - form.captures;
  if (form.states < 0) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(given) + " inputs for " + std::to_string(form.inputs) + " scanned tensors and " +
             std::to_string(form.captures) + " captures",
         "the initial states, the scanned tensors, then the captures");
  }
  if (static_cast<int>(body.inputs().size()) != given) {
    fail(ErrorCode::capture_mismatch,
         std::to_string(given) + " inputs for a body with " + std::to_string(body.inputs().size()),
         "a body that takes the states, one element of each scanned tensor, and the captures, in this order");
  }
  form.outputs = static_cast<int>(body.outputs().size()) - form.states;
  if (form.outputs < 0 || body.outputs().empty()) {
    fail(ErrorCode::wrong_input_count,
         std::to_string(body.outputs().size()) + " outputs of a body with " + std::to_string(form.states) + " states",
         "the next value of each state, then what is stacked; at least one output");
  }
}

}  // namespace

ScanForm scan_form(const AttrReader& ctx, const Graph& body, const std::vector<int>& ranks) {
  ScanForm form;
  count_parts(form, ctx, body, static_cast<int>(ranks.size()));
  form.backward = ctx.text("numbering") == "backward";
  const auto in_axes = one_each(ctx, "scan_input_axes", form.inputs, "scanned tensors");
  const auto in_ways = one_each(ctx, "scan_input_directions", form.inputs, "scanned tensors");
  for (std::size_t index = 0; index < in_axes.size(); ++index) {
    const int rank = ranks[static_cast<std::size_t>(form.states) + index];
    if (rank == 0) fail(ErrorCode::bad_shape, "a scalar to be scanned", "a tensor with an axis to walk along");
    form.in.push_back({normalize_axis(in_axes[index], rank), in_ways[index] == 1});
  }
  const auto out_axes = one_each(ctx, "scan_output_axes", form.outputs, "stacked outputs");
  const auto out_ways = one_each(ctx, "scan_output_directions", form.outputs, "stacked outputs");
  for (std::size_t index = 0; index < out_axes.size(); ++index) {
    form.out.push_back({static_cast<int>(out_axes[index]), out_ways[index] == 1});
  }
  return form;
}

Shape without_axis(const Shape& shape, int axis) {
  std::vector<Dim> dims = shape.dims();
  dims.erase(dims.begin() + axis);
  return Shape(std::move(dims));
}

Shape with_axis(const Shape& shape, int axis, const Dim& length) {
  std::vector<Dim> dims = shape.dims();
  dims.insert(dims.begin() + axis, length);
  return Shape(std::move(dims));
}

}  // namespace asg::ops
