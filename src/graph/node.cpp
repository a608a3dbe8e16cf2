#include "asg/graph/node.h"

#include "asg/graph/card.h"

namespace asg {

std::string to_string(Value value) {
  if (!value) return "-";
  std::string text = "%" + std::to_string(value.node.number);
  if (value.port != 0) text += ":" + std::to_string(value.port);
  return text;
}

bool operator==(const OutputInfo& a, const OutputInfo& b) {
  if (a.type != b.type || (a.known == nullptr) != (b.known == nullptr)) return false;
  return a.known == b.known || *a.known == *b.known;
}

StreamKey stream_of_new(NodeId id) { return combine(StreamKey{0x5eed}, id.number); }

std::string Node::label() const {
  if (!name.empty()) return name;
  return (op != nullptr ? op->name : std::string("?")) + "#" + std::to_string(id.number);
}

std::string Node::path() const { return scope.empty() ? label() : scope + "/" + label(); }

}  // namespace asg
