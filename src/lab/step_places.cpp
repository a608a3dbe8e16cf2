#include "lab/step_places.h"

namespace asg::lab {

const Node* main_node(const Program& program, const Step& step) {
  if (step.node != nullptr) return step.node.get();
  return step.nodes.empty() ? nullptr : &program.graph.node(step.nodes.back());
}

std::string scope_of_step(const Program& program, const Step& step, const Origins& origins) {
  const Node* node = main_node(program, step);
  if (node == nullptr) return std::string(name_of(Role::update));
  return joined_path(folder_of(role_of(program, step)), origins.layer_scope(*node));
}

}  // namespace asg::lab
