#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"
#include "asg/lab/roles.h"
#include "asg/lab/scene.h"

namespace asg::lab {

// All that a person may want to know of one item.
struct Description {
  struct Input {
    std::string name;
    std::string from;  // path of the item that makes it; "" where only control flow gives it
    std::string value, type;
  };
  struct Output {
    std::string name, value, type;
    std::vector<std::string> to = {};
    std::string output_as = {};  // name of the model's output that it is
  };
  struct Attribute {
    const AttrSpec* spec = nullptr;
    std::optional<Attr> value = {};
    bool keeps_shape = false;  // another value leaves types and parameters as they are
  };
  struct State {
    std::string name, type;
    VarKind kind = VarKind::parameter;
    bool trainable = false;
    std::int64_t count = 0;
    Sentence role;
  };
  struct Literal {
    std::string type;
    std::vector<double> values = {};
    bool elided = false;  // only the first ones
  };
  struct Replacement {
    std::string op;
    Sentence title;
  };

  Item item;
  View view = View::model;
  std::vector<std::string> scopes = {};  // to be opened, from the outside in, where it is to be seen
  Sentence title, what, why;
  std::string formula;       // MathML; "" where there is none
  std::string formula_text;  // for a line of text
  Sentence role = {};        // of a variable
  std::vector<Input> inputs = {};
  std::vector<Output> outputs = {};
  std::vector<Attribute> attributes = {};
  std::vector<State> variables = {};
  std::optional<Literal> literal = {};
  std::vector<Replacement> replacements = {};  // ops that may take its place and keep the types
  Sentence why_not = {};                       // why there are none
  std::string where = {};                      // of the call that built it
};

// Throws unknown_scope. Costs dry runs of edits where ops could be replaced.
Description describe(const Scene& scene, std::string_view path);

}  // namespace asg::lab
