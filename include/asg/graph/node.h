#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asg/core/random.h"
#include "asg/core/source_location.h"
#include "asg/core/type.h"
#include "asg/graph/attributes.h"
#include "asg/graph/ids.h"

namespace asg {

struct OpCard;

enum class Role : std::uint8_t { forward, loss, gradient, update };
std::string_view name_of(Role role);

// Where a derived node comes from: a node of the model, the path inside its body, and what it does there.
// A node of the model itself has none.
struct Origin {
  NodeId node;
  std::string path;  // labels inside the body, joined by '/': "feed_forward/activation"; "" = the node itself
  Role role = Role::forward;

  friend bool operator==(const Origin& a, const Origin& b) = default;
};

// A layer's slot and the variable it uses. Binding two slots to one variable is sharing.
struct Binding {
  std::string slot;
  VarId variable;

  friend bool operator==(const Binding& a, const Binding& b) = default;
};

// What is known of one output while building: its type and, for small integer tensors, their contents
// as dims, so that Shape → Gather → Concat → Reshape can be followed.
struct OutputInfo {
  TensorType type;
  std::shared_ptr<const std::vector<Dim>> known;

  friend bool operator==(const OutputInfo& a, const OutputInfo& b);
};

// One operation. Immutable once it stands in a graph: an edit puts a new node under the same id, and graphs
// share the nodes they have in common.
struct Node {
  NodeId id;
  const OpCard* op = nullptr;
  std::string name;                 // unique within its scope, or ""
  std::string scope;                // "encoder/block_3", or ""
  std::vector<Value> inputs;        // an absent optional input is an empty Value; none at the end
  Attrs attrs;                      // only what differs from the card's defaults
  std::vector<Binding> bindings;    // in the order of the layer's slots
  GraphPtr body;                    // a body of this instance (user's block, edited layer); else the card's
  std::vector<OutputInfo> outputs;  // made by inference
  StreamKey stream = 0;             // of random ops and of layers that hold some; fixed when the node is made
  std::shared_ptr<const Origin> origin;
  SourceLocation where;

  // What people call it inside its scope: its name, or "Add#17".
  std::string label() const;
  std::string path() const;  // scope and label: "encoder/block_3/Add#17"

  friend bool operator==(const Node& a, const Node& b);  // all but `where`; bodies by content
};

// The random stream of a node that is made now: a function of its id, which nobody had before.
StreamKey stream_of_new(NodeId id);

using NodePtr = std::shared_ptr<const Node>;

}  // namespace asg
