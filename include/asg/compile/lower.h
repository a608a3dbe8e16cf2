#pragma once

#include <string>
#include <vector>

#include "asg/compile/capabilities.h"
#include "asg/graph/expand.h"

namespace asg {

// What became of the ops that a device lacks.
struct LoweringReport {
  enum class Way : std::uint8_t {
    body,  // replaced by its body in smaller ops
    host   // computed on the host, with transfers there and back
  };
  struct Entry {
    NodeId node;       // of the given graph; of the lowered one where it came out of a body
    std::string path;  // "encoder/Gelu#12"
    std::string op;
    Way way = Way::body;
  };
  std::vector<Entry> entries;

  bool needs_host() const;
  std::string to_text() const;  // a line per entry
};

struct Lowered {
  Graph graph;
  Remap remap;  // values of the given graph → values of the lowered one
  LoweringReport report;
};

// Fits a graph to a device: layers and the ops that the device lacks are replaced by their bodies.
//   expects:    a graph that validates
//   guarantees: the same function; variables keep their ids; every op that is left is supported, or stands in the
//               report as `host`. A graph in which nothing needs to be replaced is returned as it is, ids included.
//   example:    Gelu(x) for a device with the primitives only → Mul, Erf …
// Throws not_implemented where an op has no body and the device forbids the host.
Lowered lower(const Graph& graph, const Capabilities& device, Mode mode);

}  // namespace asg
