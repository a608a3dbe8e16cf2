#include "asg/backend/backend.h"

#include "asg/backend/primitives.h"
#include "asg/backend/single_op.h"
#include "asg/backend/walk.h"
#include "backend/default_executable.h"
#include "backend/guard.h"

namespace asg {
namespace {

// The backend as the compiler sees it.
class BackendTarget : public Target {
 public:
  explicit BackendTarget(Backend& backend) : backend_(backend) {}
  std::string name() const override { return backend_.name(); }
  Capabilities capabilities() const override { return backend_.capabilities(); }
  std::unique_ptr<Executable> make_executable(Graph graph) const override {
    return std::make_unique<DefaultExecutable>(backend_, std::move(graph));
  }

 private:
  Backend& backend_;
};

void check_dtype(const Backend& backend, DType dtype) {
  const DTypeSet dtypes = backend.capabilities().dtypes;
  if (dtypes.contains(dtype)) return;
  fail(ErrorCode::bad_dtype, "a value of " + std::string(name_of(dtype)) + " for backend '" + backend.name() + "'",
       "one of " + dtypes.to_string(), "convert it with cast, or use another backend");
}

DeviceArrays run_guarded(Backend& backend, const SingleOp& single, const OpCard& op) {
  const DefaultGuard guard(backend, single.graph, op);
  return run_single(backend, single);
}

}  // namespace

DeviceArrays Backend::run_primitive(const PrimitiveCall& call) { return run_guarded(*this, single_op(call), *call.op); }

DeviceArrays Backend::run_op(const Node& node, std::span<const DeviceArray> inputs) {
  if (is_primitive(*node.op)) return run_node(*this, node, inputs);
  return run_guarded(*this, single_op(*this, node, inputs), *node.op);
}

NamedDeviceArrays Backend::execute(const Graph& graph, const NamedDeviceArrays& inputs) {
  return walk_graph(*this, graph, inputs);
}

CachedRun Backend::run(const Graph& graph, Cache cache) { return walk_with_cache(*this, graph, std::move(cache)); }

std::unique_ptr<Executable> Backend::compile(const Graph& graph, const CompileOptions& options) {
  return asg::compile(graph, BackendTarget(*this), options);
}

std::future<NamedDeviceArrays> Backend::submit(const Graph& graph, NamedDeviceArrays inputs,
                                               const SubmitOptions& options) {
  for (const Event& event : options.after) event.wait();
  std::promise<NamedDeviceArrays> promise;
  try {
    for (const std::string& name : options.donated) {
      if (inputs.find(name) == inputs.end()) {
        fail(ErrorCode::missing_value, "no value for input '" + name + "', which is to be donated",
             "donated inputs that are given", "give the input a value, or do not donate it");
      }
    }
    promise.set_value(execute(graph, inputs));
  } catch (...) {
    promise.set_exception(std::current_exception());
  }
  inputs.clear();
  for (Event event : options.then) event.signal();
  return promise.get_future();
}

DeviceArray Backend::upload(const Array& array) {
  check_dtype(*this, array.dtype());
  return host_array(name(), array.copy());
}

Array Backend::download(const DeviceArray& array) { return array_of(array).copy(); }

DeviceArray Backend::wrap(ForeignMemory memory) {
  if (memory.device != "host") {
    fail(ErrorCode::no_such_device, "memory on device '" + memory.device + "' for backend '" + name() + "'",
         "memory that the backend can reach: host", "copy it to the host first");
  }
  check_dtype(*this, memory.dtype);
  return host_array(name(), Array::wrap(memory.dtype, std::move(memory.sizes), memory.data, std::move(memory.release),
                                        std::move(memory.strides)));
}

NamedDeviceArrays Backend::upload_all(const NamedArrays& arrays) {
  NamedDeviceArrays uploaded;
  for (const auto& [array_name, array] : arrays) uploaded[array_name] = upload(array);
  return uploaded;
}

NamedArrays Backend::download_all(const NamedDeviceArrays& arrays) {
  NamedArrays downloaded;
  for (const auto& [array_name, array] : arrays) downloaded[array_name] = download(array);
  return downloaded;
}

std::string update_name(const Variable& variable) { return "update:" + variable.name; }

}  // namespace asg
