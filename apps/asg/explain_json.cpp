#include "explain_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "asg/compile/profile.h"
#include "asg/graph/card.h"

namespace asg::app {
namespace {

using Json = nlohmann::ordered_json;

Json passes_json(const Explanation& explanation) {
  Json list = Json::array();
  for (const PassReport& pass : explanation.passes) {
    list.push_back({{"name", pass.name},
                    {"ran", pass.ran},
                    {"unit", pass.unit},
                    {"before", pass.before},
                    {"after", pass.after},
                    {"ms", pass.seconds * 1e3},
                    {"notes", pass.notes}});
  }
  return list;
}

Json steps_json(const Explanation& explanation) {
  const Program& program = explanation.program;
  Json list = Json::array();
  for (std::size_t number = 0; number < program.steps.size(); ++number) {
    const Step& step = program.steps[number];
    const StepCost cost = cost_of(program, step);
    Json nodes = Json::array();
    for (const NodeId id : step.nodes) {
      const Node& node = program.graph.node(id);
      nodes.push_back({{"path", node.path()}, {"op", node.op->name}, {"layer", layer_of(node)}});
    }
    Json entry = {{"number", number},
                  {"kind", name_of(kind_of(step))},
                  {"title", title_of(program, step)},
                  {"way", explanation.ways[number]},
                  {"role", name_of(role_of(program, step))},
                  {"commits", step.commits},
                  {"space", space_text(step)},
                  {"flops", cost.flops},
                  {"bytes_read", cost.bytes_read},
                  {"bytes_written", cost.bytes_written},
                  {"nodes", std::move(nodes)}};
    if (step.kernel != nullptr) entry["kernel"] = to_text(*step.kernel);
    list.push_back(std::move(entry));
  }
  return list;
}

Json memory_json(const Explanation& explanation) {
  Json lifetimes = Json::array();
  for (const Lifetime& life : explanation.plan.lifetimes) {
    lifetimes.push_back({{"buffer", life.buffer},
                         {"bytes", life.bytes},
                         {"offset", explanation.program.buffers[static_cast<std::size_t>(life.buffer)].offset},
                         {"first", life.first},
                         {"last", life.last}});
  }
  return {{"arena_bytes", explanation.plan.arena_bytes},
          {"live_bytes", explanation.plan.live_bytes},
          {"waste", explanation.waste()},
          {"scratch_bytes", explanation.scratch_bytes},
          {"variable_bytes", explanation.variable_bytes()},
          {"alive_by_step", explanation.alive_by_step()},
          {"lifetimes", std::move(lifetimes)}};
}

}  // namespace

std::int64_t bytes_between(const Program& program, const UnfusedPair& pair) {
  const Step& from = program.steps[static_cast<std::size_t>(pair.from)];
  const Step& to = program.steps[static_cast<std::size_t>(pair.to)];
  std::int64_t bytes = 0;
  for (const View& written : from.outputs) {
    const bool is_read = std::any_of(to.inputs.begin(), to.inputs.end(),
                                     [&](const View& read) { return read && read.buffer == written.buffer; });
    if (is_read) bytes += program.buffers[static_cast<std::size_t>(written.buffer)].bytes();
  }
  return bytes;
}

std::string space_text(const Step& step) {
  if (step.kind == Step::Kind::fused) {
    const std::string text = to_text(*step.kernel);
    const std::size_t from = text.find('[');
    return text.substr(from, text.find('\n') - from);
  }
  const std::size_t count = step.node != nullptr ? step.node->inputs.size() : 1;
  std::string text;
  for (std::size_t k = 0; k < std::min(count, step.inputs.size()); ++k) {
    std::string sizes;
    for (const std::int64_t size : step.inputs[k].sizes) sizes += (sizes.empty() ? "" : "×") + std::to_string(size);
    text += (text.empty() ? "" : " ") + (sizes.empty() ? std::string("·") : sizes);
  }
  return text;
}

std::string explanation_json(const Explanation& explanation, const SymbolLengthsByName& lengths) {
  Json sizes = Json::object();
  for (const auto& [name, length] : lengths) sizes[name] = length;
  Json stages = Json::array();
  for (const StageTime& stage : explanation.stages) {
    stages.push_back({{"name", stage.name}, {"ms", stage.seconds * 1e3}});
  }
  Json unfused = Json::array();
  for (const UnfusedPair& pair : explanation.program.unfused) {
    unfused.push_back({{"from", pair.from},
                       {"to", pair.to},
                       {"bytes", bytes_between(explanation.program, pair)},
                       {"reason", pair.reason}});
  }
  const Json all = {{"model", explanation.program.graph.name()},
                    {"sizes", std::move(sizes)},
                    {"compile_ms", explanation.compile_seconds() * 1e3},
                    {"passes", passes_json(explanation)},
                    {"stages", std::move(stages)},
                    {"steps", steps_json(explanation)},
                    {"unfused", std::move(unfused)},
                    {"memory", memory_json(explanation)}};
  return all.dump(1) + "\n";
}

}  // namespace asg::app
