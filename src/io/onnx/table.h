#pragma once

#include <map>
#include <string_view>
#include <utility>

#include "asg/graph/card.h"
#include "io/onnx/model.h"

namespace asg::io {

// The ops of ONNX that are here, by the `.onnx` entries of all registered cards.
class OpTable {
 public:
  OpTable();

  // Null where no card has the op. Of several entries the newest that is not newer than the opset is taken; for opsets
  // older than all of them the oldest, whose form the node gets by lifting.
  const OpCard* find(std::string_view domain, std::string_view op, int opset) const;

 private:
  using Name = std::pair<std::string_view, std::string_view>;  // domain, op
  std::map<Name, std::map<int, const OpCard*>> cards_;         // by `since`
};

// Whether a node of the op draws random numbers itself. Ops with graphs inside are told apart by what these hold.
bool draws(const OpCard& card);

// The attributes of a node as its card has them: 0 and 1 become bools, numbers of dtypes become dtypes. Graphs are left
// out. Throws bad_attribute, unknown_attribute.
Attrs attributes_of(const OpCard& card, const NodeDef& node);

}  // namespace asg::io
