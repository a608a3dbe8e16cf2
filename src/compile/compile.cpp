#include "asg/compile/carrier.h"
#include "asg/compile/lower.h"
#include "asg/compile/target.h"

namespace asg {

std::unique_ptr<Executable> compile(const Graph& graph, const Target& target, const CompileOptions& options) {
  const Capabilities device = target.capabilities();
  Graph lowered = lower(graph, device, options.mode).graph;
  if (device.wants_passes) lowered = run_passes(lowered, options.passes).graph;
  if (!device.claims) return target.make_executable(std::move(lowered));
  return target.make_executable(collapse(lowered, device.claims).graph);
}

}  // namespace asg
