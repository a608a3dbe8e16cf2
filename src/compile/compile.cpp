#include "asg/compile/carrier.h"
#include "asg/compile/lower.h"
#include "asg/compile/target.h"

namespace asg {

std::unique_ptr<Executable> compile(const Graph& graph, const Target& target, const CompileOptions& options) {
  const Capabilities device = target.capabilities();
  Lowered lowered = lower(graph, device, options.mode);
  if (!device.claims) return target.make_executable(std::move(lowered.graph));
  return target.make_executable(collapse(lowered.graph, device.claims).graph);
}

}  // namespace asg
