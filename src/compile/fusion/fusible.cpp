#include "compile/fusion/fusible.h"

#include <algorithm>
#include <map>

#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "compile/fusion/layouts.h"

namespace asg::fusion {
namespace {

bool is_supported(DType dtype) { return dtype != DType::u64; }

// Sums and products of u64 have the bits of those of i64, which kernels compute.
bool wraps(const Node& node) {
  return node.op->scalar == ScalarOp::add || node.op->scalar == ScalarOp::sub || node.op->scalar == ScalarOp::mul;
}

bool has_supported_types(const Graph& graph, const Node& node) {
  if (wraps(node)) return true;
  for (const OutputInfo& output : node.outputs) {
    if (!is_supported(output.type.dtype)) return false;
  }
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](Value input) { return input && is_supported(graph.type(input).dtype); });
}

}  // namespace

bool is_gather(const Node& node) { return node.op->name == "Gather" || node.op->name == "GatherElements"; }

bool is_dropout(const Node& node) { return node.op->name == "Dropout"; }

bool is_fusible(const Graph& graph, const Node& node) {
  if (node.outputs.empty()) return false;
  if (!is_supported(node.outputs.front().type.dtype) && !wraps(node)) return false;
  if (element_count(node.outputs.front().type.shape.sizes()) == 0) return false;
  if (is_gather(node)) return true;
  if (is_dropout(node)) return is_float(node.outputs.front().type.dtype);
  if (node.op->scalar != ScalarOp::none) return has_supported_types(graph, node);
  const auto reduced = reduced_by(graph, node);
  return reduced && element_count(graph.type(node.inputs[0]).shape.sizes()) > 0;
}

std::size_t data_inputs(const Node& node) {
  if (is_gather(node)) return 0;  // what it looks up, and where, lies in memory
  return node.op->scalar != ScalarOp::none ? node.inputs.size() : 1;
}

std::optional<Reduced> reduced_by(const Graph& graph, const Node& node) {
  static const std::map<std::string_view, Reduction> kinds = {{"ReduceSum", Reduction::sum},
                                                              {"ReduceMean", Reduction::sum},
                                                              {"ReduceProd", Reduction::prod},
                                                              {"ReduceMax", Reduction::max},
                                                              {"ReduceMin", Reduction::min}};
  const auto kind = kinds.find(node.op->name);
  if (kind == kinds.end()) return std::nullopt;
  const TensorType& type = graph.type(node.inputs[0]);
  if (type.dtype == DType::boolean || !is_supported(type.dtype)) return std::nullopt;
  Reduced result{kind->second, node.op->name == "ReduceMean", {}};
  std::optional<Sizes> given = Sizes{};
  if (node.inputs.size() > 1 && node.inputs[1]) given = integers_of(graph, node.inputs[1]);
  if (!given) return std::nullopt;
  const int rank = type.shape.rank();
  if (given->empty() && !AttrReader(*node.op, node.attrs).boolean("noop_with_empty_axes")) {
    for (int axis = 0; axis < rank; ++axis) result.axes.push_back(axis);
  }
  for (const std::int64_t axis : *given) result.axes.push_back(normalize_axis(axis, rank));
  return result;
}

}  // namespace asg::fusion
