#pragma once

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/backend/device_array.h"
#include "asg/compile/executable.h"
#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg {

using DeviceArrays = std::vector<DeviceArray>;
using NamedDeviceArrays = std::map<std::string, DeviceArray, std::less<>>;

// What a backend can do. What it lacks is lowered through the op's body, else run on the host interpreter with
// transfers (unless it forbids that).
struct Capabilities {
  std::function<bool(std::string_view op)> supports_op;  // empty: every op
  DTypeSet dtypes = kAnyType;
  bool allow_host_fallback = true;
  std::vector<std::string> features = {};  // beyond the primitives, in words
};

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

  // Every other op. Default: a one-node graph for `execute`.
  virtual DeviceArrays run_op(const Node& node, std::span<const DeviceArray> inputs);

  // ---- Whole graph: values of inputs and variables by name in; outputs by name, and updates as "update:<variable>",
  // out. Default: walk the nodes in order through the per-op side.
  virtual NamedDeviceArrays execute(const Graph& graph, const NamedDeviceArrays& inputs);

  // ---- With a cache: External nodes are resolved from it. Default: walk the nodes through the per-op side.
  virtual CachedRun run(const Graph& graph, Cache cache);

  // ---- Compiled. Default: an executable that calls `execute`.
  virtual std::unique_ptr<Executable> compile(const Graph& graph);

  // ---- Asynchronous, in the order of the calls. Default: run now.
  virtual std::future<NamedDeviceArrays> submit(const Graph& graph, NamedDeviceArrays inputs);

  // ---- Data. Default: host memory.
  virtual DeviceArray upload(const Array& array);
  virtual Array download(const DeviceArray& array);
  NamedDeviceArrays upload_all(const NamedArrays& arrays);
  NamedArrays download_all(const NamedDeviceArrays& arrays);
};

}  // namespace asg
