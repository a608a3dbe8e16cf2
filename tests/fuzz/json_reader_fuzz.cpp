// Any bytes are read as a graph or refused with a UserError. What is accepted is sound, and writing and reading it
// again gives the same graph.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "asg/core/error.h"
#include "asg/graph/json.h"
#include "asg/graph/validate.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"

namespace {

constexpr asg::JsonLimits kSmall = {
    .max_bytes = 1 << 20, .max_nodes = 2000, .max_depth = 40, .max_tensor_elements = 1 << 16, .max_ids = 2000};

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<asg::Graph> graph;
  try {
    graph = asg::read_json(std::string_view(reinterpret_cast<const char*>(data), size), kSmall);
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty() && !error.detail().where.empty());
    return 0;
  }
  demand(asg::problems_of(*graph).empty());
  const std::string written = asg::to_json(*graph);
  asg::JsonLimits limits = kSmall;
  limits.max_bytes = written.size();  // may be more than was read: defaults were left out
  const asg::Graph again = asg::read_json(written, limits);
  demand(again == *graph);
  demand(asg::to_json(again) == written);
  return 0;
}
