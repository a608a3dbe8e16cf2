#include "asg/lab/costs.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "lab/derived_paths.h"

namespace asg::lab {
namespace {

// The path and all that it lies in: "a/b/c", "a/b", "a", "".
template <class Visit>
void for_each_around(std::string_view path, Visit visit) {
  while (!path.empty()) {
    visit(path);
    const std::size_t slash = path.rfind('/');
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  }
  visit(path);
}

// Memory that a step is the first to write; an earlier buffer that it takes over belongs to whoever made it.
double bytes_made_by(const Program& program, const Step& step, std::vector<bool>& seen) {
  double bytes = 0;
  for (const asg::View& output : step.outputs) {
    if (!output || seen[static_cast<std::size_t>(output.buffer)]) continue;
    seen[static_cast<std::size_t>(output.buffer)] = true;
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(output.buffer)];
    const bool is_value = buffer.kind == Buffer::Kind::temporary || buffer.kind == Buffer::Kind::output;
    if (is_value && buffer.shares < 0) bytes += static_cast<double>(buffer.bytes());
  }
  return bytes;
}

}  // namespace

double& Costs::ByRole::of(Role role) {
  if (role == Role::gradient) return gradient;
  return role == Role::update ? update : forward;
}

Costs costs_of(const Graph& model, const Explanation& explanation, const std::vector<double>& step_seconds) {
  const Program& program = explanation.program;
  const Origins origins(model);
  std::map<std::string, Costs::Part, std::less<>> parts;
  std::vector<bool> seen(program.buffers.size());
  for (std::size_t number = 0; number < program.steps.size(); ++number) {
    const Step& step = program.steps[number];
    const double seconds = number < step_seconds.size() ? step_seconds[number] : 0;
    const double bytes = bytes_made_by(program, step, seen);
    std::vector<double> work;
    double total = 0;
    for (const NodeId id : step.nodes) {
      work.push_back(std::max(1.0, flops_of(program.graph, program.graph.node(id))));
      total += work.back();
    }
    for (std::size_t k = 0; k < step.nodes.size(); ++k) {
      const Node& node = program.graph.node(step.nodes[k]);
      const Role role = origins.role(node);
      const double share = work[k] / total;
      for_each_around(origins.path(node), [&](std::string_view path) {
        const auto found = parts.find(path);
        Costs::Part& part = found != parts.end() ? found->second : parts[std::string(path)];
        part.seconds.of(role) += seconds * share;
        part.bytes.of(role) += bytes * share;
      });
    }
  }
  Costs costs{.measured = !step_seconds.empty()};
  for (auto& [path, part] : parts) {
    part.path = path;
    costs.parts.push_back(std::move(part));
  }
  return costs;
}

}  // namespace asg::lab
