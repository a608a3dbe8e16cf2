#pragma once

#include <future>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/device_array.h"
#include "asg/backend/event.h"
#include "asg/backend/primitive_call.h"
#include "asg/compile/capabilities.h"
#include "asg/compile/executable.h"
#include "asg/compile/target.h"
#include "asg/graph/graph.h"

namespace asg {

// Values of a run by (graph, node, port). Values present are not computed again.
struct CacheKey {
  GraphId graph;
  Value value;
  friend auto operator<=>(const CacheKey&, const CacheKey&) = default;
};
using Cache = std::map<CacheKey, DeviceArray>;

struct CachedRun {
  DeviceArrays outputs;  // of the graph, in order
  Cache cache;           // everything given and everything computed
};

// Turns graphs into numbers on some device. There are two kinds of author: one has kernels and overrides the per-op
// side, one has an engine and overrides `execute`. Either side is built from the other by default; a guard turns a call
// that would go round in circles into "op not implemented by this backend".
//
// Errors are UserErrors: a backend throws them itself, and whatever else its methods throw becomes computation_error,
// or out_of_memory for std::bad_alloc. Errors of a graph name the node by its path.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;
  virtual Capabilities capabilities() const { return {}; }

  // ---- Per op: the primitives, with shapes, axes and starts resolved to integers. Default: a one-node graph for
  // `execute`.
  virtual DeviceArray add(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray sub(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray mul(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray div(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray neg(const DeviceArray& x);
  virtual DeviceArray abs(const DeviceArray& x);
  virtual DeviceArray sqrt(const DeviceArray& x);
  virtual DeviceArray exp(const DeviceArray& x);
  virtual DeviceArray log(const DeviceArray& x);
  virtual DeviceArray pow(const DeviceArray& base, const DeviceArray& exponent);
  virtual DeviceArray matmul(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray reduce_sum(const DeviceArray& x, std::span<const std::int64_t> axes, bool keepdims);
  virtual DeviceArray reduce_mean(const DeviceArray& x, std::span<const std::int64_t> axes, bool keepdims);
  virtual DeviceArray reduce_max(const DeviceArray& x, std::span<const std::int64_t> axes, bool keepdims);
  virtual DeviceArray reduce_min(const DeviceArray& x, std::span<const std::int64_t> axes, bool keepdims);
  virtual DeviceArray reshape(const DeviceArray& x, std::span<const std::int64_t> shape);
  virtual DeviceArray transpose(const DeviceArray& x, std::span<const std::int64_t> perm);
  virtual DeviceArray concat(std::span<const DeviceArray> inputs, std::int64_t axis);
  virtual DeviceArray slice(const DeviceArray& x, std::span<const std::int64_t> starts,
                            std::span<const std::int64_t> ends, std::span<const std::int64_t> axes,
                            std::span<const std::int64_t> steps);
  // `sizes` empty: `parts` equal parts.
  virtual DeviceArrays split(const DeviceArray& x, std::int64_t axis, std::span<const std::int64_t> sizes,
                             std::int64_t parts);
  virtual DeviceArray squeeze(const DeviceArray& x, std::span<const std::int64_t> axes);
  virtual DeviceArray unsqueeze(const DeviceArray& x, std::span<const std::int64_t> axes);
  virtual DeviceArray identity(const DeviceArray& x);
  virtual DeviceArray cast(const DeviceArray& x, DType to);
  virtual DeviceArray equal(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray greater(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray less(const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray where(const DeviceArray& condition, const DeviceArray& a, const DeviceArray& b);
  virtual DeviceArray constant(const Array& value);
  virtual DeviceArray gather(const DeviceArray& x, const DeviceArray& indices, std::int64_t axis);

  // All primitives at once: each typed method above ends here unless it is overridden. An author who has one table of
  // kernels overrides this alone. Default: a one-node graph for `execute`. (A constant ends in `upload`.)
  virtual DeviceArrays run_primitive(const PrimitiveCall& call);

  // Every other op. Default: a one-node graph for `execute`.
  virtual DeviceArrays run_op(const Node& node, std::span<const DeviceArray> inputs);

  // ---- Whole graph of plain ops: values of inputs and variables by name in; outputs by name, and updates as
  // "update:<variable>", out. Default: walk the nodes in order through the per-op side, ops beyond the capabilities by
  // their body or on the host.
  virtual NamedDeviceArrays execute(const Graph& graph, const NamedDeviceArrays& inputs);

  // ---- With a cache: values present, those of inputs and variables included, are not computed again; External nodes
  // are resolved from it. Default: walk the nodes through the per-op side.
  virtual CachedRun run(const Graph& graph, Cache cache);

  // ---- Compiled: the engine's `compile` for this backend as a target. Default: an executable that calls `execute`.
  // The backend must outlive the executable.
  virtual std::unique_ptr<Executable> compile(const Graph& graph, const CompileOptions& options = {});

  // ---- Asynchronous, in the order of the calls. Errors (out_of_memory among them) come out of the future. Default:
  // run now, in the calling thread; donated memory is only let go of.
  virtual std::future<NamedDeviceArrays> submit(const Graph& graph, NamedDeviceArrays inputs,
                                                const SubmitOptions& options = {});

  // ---- Data. Default: host memory. Throws bad_dtype for a dtype beyond the capabilities.
  virtual DeviceArray upload(const Array& array);    // a copy
  virtual Array download(const DeviceArray& array);  // a copy
  virtual DeviceArray wrap(ForeignMemory memory);    // no copy; throws no_such_device for memory out of reach
  NamedDeviceArrays upload_all(const NamedArrays& arrays);
  NamedArrays download_all(const NamedDeviceArrays& arrays);
};

// The name under which `execute` gives the new value of a variable.
std::string update_name(const Variable& variable);

}  // namespace asg
