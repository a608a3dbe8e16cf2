#include <string>

#include "asg/compile/pass.h"
#include "asg/graph/validate.h"

namespace asg {
namespace {

// What a caller sees of a graph, a line for each thing. Lengths that only data decide are left out.
class Surface {
 public:
  explicit Surface(const Graph& graph) : graph_(graph) {}

  std::vector<std::string> inputs() const {
    std::vector<std::string> lines;
    for (const NodeId id : graph_.inputs()) {
      lines.push_back("input '" + graph_.node(id).path() + "' of type " + graph_.type({id, 0}).to_string());
    }
    return lines;
  }

  std::vector<std::string> variables() const {
    std::vector<std::string> lines;
    for (const VarId id : graph_.variable_ids()) {
      const Variable& variable = graph_.variable(id);
      lines.push_back("variable " + std::to_string(id.number) + " '" + variable.name + "' of type " +
                      variable.type.to_string());
    }
    return lines;
  }

  std::vector<std::string> updates() const {
    std::vector<std::string> lines;
    for (const Update& update : graph_.updates()) lines.push_back("update of " + graph_.variable(update.variable).name);
    return lines;
  }

  std::vector<std::string> outputs() const {
    std::vector<std::string> lines;
    for (const Output& output : graph_.outputs()) lines.push_back("output '" + output.name + "'");
    return lines;
  }

 private:
  const Graph& graph_;
};

[[noreturn]] void fail_pass(std::string_view pass, const std::string& what) {
  fail_internal("the pass '" + std::string(pass) + "' " + what);
}

[[noreturn]] void fail_changed(std::string_view pass, const std::string& had, const std::string& has) {
  fail_pass(pass, "made " + has + " of " + had);
}

void compare(std::string_view pass, const std::vector<std::string>& before, const std::vector<std::string>& after) {
  for (std::size_t index = 0; index < std::max(before.size(), after.size()); ++index) {
    const std::string had = index < before.size() ? before[index] : "nothing";
    const std::string has = index < after.size() ? after[index] : "nothing";
    if (had != has) fail_changed(pass, had, has);
  }
}

bool can_stand_for(const TensorType& before, const TensorType& after) {
  if (before.dtype != after.dtype || before.shape.rank() != after.shape.rank()) return false;
  for (int axis = 0; axis < before.shape.rank(); ++axis) {
    const bool became_known = !before.shape[axis].is_known() && after.shape[axis].is_known();
    if (before.shape[axis] != after.shape[axis] && !became_known) return false;
  }
  return true;
}

}  // namespace

void check_pass(std::string_view pass, const Graph& before, const Graph& after) {
  const std::vector<UserError> problems = problems_of(after);
  if (!problems.empty()) fail_pass(pass, "left a graph that does not validate: " + std::string(problems[0].what()));
  const Surface old(before);
  const Surface now(after);
  compare(pass, old.inputs(), now.inputs());
  compare(pass, old.variables(), now.variables());
  compare(pass, old.updates(), now.updates());
  compare(pass, old.outputs(), now.outputs());
  for (std::size_t index = 0; index < before.outputs().size(); ++index) {
    const TensorType& had = before.type(before.outputs()[index].value);
    const TensorType& has = after.type(after.outputs()[index].value);
    if (!can_stand_for(had, has)) {
      fail_pass(pass, "made " + has.to_string() + " of output '" + before.outputs()[index].name + "' of type " +
                          had.to_string());
    }
  }
}

}  // namespace asg
