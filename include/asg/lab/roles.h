#pragma once

#include <memory>
#include <string>

#include "asg/graph/graph.h"
#include "asg/train/journal.h"

namespace asg::lab {

using train::Sentence;

struct SceneData;

// What variables are for in a model: "query projection of block 3", "scale γ of the norm before attention of block 2".
// Found by the layers around a variable and its slot there; the rules stand in src/lab/role_rules.cpp.
class Roles {
 public:
  explicit Roles(const Graph& model);

  // Never empty. `generic` becomes true where no rule knows more than the name.
  Sentence of(VarId variable, bool* generic = nullptr) const;

 private:
  std::shared_ptr<SceneData> data_;
};

}  // namespace asg::lab
