#include "asg/lab/plan.h"

#include "lab/scene_data.h"

namespace asg::lab {
namespace {

// Paths of the steps, by number: a scope where a step has several ops, else its leaf.
std::vector<std::string> paths_of_steps(const SceneData& data) {
  std::vector<std::string> paths(data.explanation->program.steps.size());
  const Sheet& sheet = *data.root->sheet;
  for (std::size_t leaf = 0; leaf < sheet.leaves.size(); ++leaf) {
    if (const int step = sheet.leaves[leaf].step; step >= 0) {
      paths[static_cast<std::size_t>(step)] = leaf_path(*data.root, static_cast<int>(leaf));
    }
  }
  for (std::size_t scope = 0; scope < sheet.scopes.size(); ++scope) {
    if (const int step = sheet.scopes[scope].step; step >= 0) {
      paths[static_cast<std::size_t>(step)] = scope_path(*data.root, static_cast<int>(scope));
    }
  }
  return paths;
}

std::vector<std::string> paths_of_buffers(const SceneData& data) {
  std::vector<std::string> paths(data.explanation->program.buffers.size());
  const Sheet& sheet = *data.root->sheet;
  for (std::size_t leaf = 0; leaf < sheet.leaves.size(); ++leaf) {
    paths[static_cast<std::size_t>(sheet.leaves[leaf].buffer)] = leaf_path(*data.root, static_cast<int>(leaf));
  }
  return paths;
}

}  // namespace

Plan plan_of(const Scene& optimised, const Scene& buffers) {
  if (optimised.view() != View::optimised || buffers.view() != View::plan ||
      optimised.data().explanation != buffers.data().explanation) {
    fail(ErrorCode::bad_command,
         "scenes of the views '" + std::string(name_of(optimised.view())) + "' and '" +
             std::string(name_of(buffers.view())) + "' for a plan of memory",
         "the optimised view and the plan of one explanation");
  }
  const Explanation& explanation = *optimised.data().explanation;
  Plan plan{.arena = explanation.plan.arena_bytes,
            .lower_bound = explanation.plan.live_bytes,
            .waste = explanation.waste(),
            .variables = explanation.variable_bytes(),
            .scratch = explanation.scratch_bytes,
            .alive = explanation.alive_by_step()};
  std::vector<std::string> step_paths = paths_of_steps(optimised.data());
  const std::vector<double>& seconds = optimised.data().step_seconds;
  for (std::size_t number = 0; number < explanation.program.steps.size(); ++number) {
    const asg::Step& step = explanation.program.steps[number];
    Plan::Step described{title_of(explanation.program, step), std::string(name_of(kind_of(step))),
                         std::move(step_paths[number])};
    if (number < seconds.size()) described.seconds = seconds[number];
    plan.steps.push_back(std::move(described));
  }
  const std::vector<std::string> buffer_paths = paths_of_buffers(buffers.data());
  for (const Lifetime& life : explanation.plan.lifetimes) {
    const auto number = static_cast<std::size_t>(life.buffer);
    const Buffer& buffer = explanation.program.buffers[number];
    plan.buffers.push_back({buffer.name.empty() ? "buffer_" + std::to_string(number) : buffer.name,
                            buffer_paths[number], buffer.offset, life.bytes, life.first, life.last});
  }
  return plan;
}

}  // namespace asg::lab
