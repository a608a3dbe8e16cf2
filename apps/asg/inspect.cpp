#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "commands.h"
#include "console.h"
#include "load_model.h"

namespace asg::app {
namespace {

using Json = nlohmann::ordered_json;

struct InspectOptions {
  std::string file;
  bool json = false;
};

// Numbers in a variable; 0 where its shape is not known.
std::int64_t elements_of(const Variable& variable) { return variable.type.shape.element_count().known().value_or(0); }

struct Layer {
  std::string path;
  std::string op;
  std::string type;  // of its first output
  std::int64_t parameters = 0;
};

struct Summary {
  std::size_t nodes = 0;
  std::size_t expanded = 0;
  std::int64_t parameters = 0;
  std::vector<Layer> layers;  // nodes that hold parameters or are made of smaller ops
  std::vector<std::string> warnings;
};

Summary summary_of(const Graph& graph) {
  Summary summary;
  summary.nodes = graph.node_count();
  summary.expanded = expand(graph, Mode::train).graph.node_count();
  for (VarId id : graph.variable_ids()) {
    if (graph.variable(id).kind == VarKind::parameter) summary.parameters += elements_of(graph.variable(id));
  }
  for (NodeId id : topological_order(graph)) {
    const Node& node = graph.node(id);
    if (!node.op->composite) continue;
    Layer layer = {node.path(), node.op->name, node.outputs.empty() ? "" : node.outputs.front().type.to_string()};
    for (const Binding& binding : node.bindings) {
      const Variable& variable = graph.variable(binding.variable);
      if (variable.kind == VarKind::parameter) layer.parameters += elements_of(variable);
    }
    summary.layers.push_back(std::move(layer));
  }
  summary.warnings = warnings_of(graph);
  return summary;
}

void print_text(const Graph& graph, const Summary& summary) {
  fmt::print("{}: {} nodes ({} without layers), {} parameters\n", painted(graph.name(), Paint::bold), summary.nodes,
             summary.expanded, summary.parameters);
  for (NodeId id : graph.inputs()) {
    fmt::print("  input   {} : {}\n", graph.node(id).path(), graph.type({id, 0}).to_string());
  }
  for (const Output& output : graph.outputs()) {
    fmt::print("  output  {} : {}\n", output.name, graph.type(output.value).to_string());
  }
  if (!summary.layers.empty()) fmt::print("{}\n", painted("layers", Paint::bold));
  for (const Layer& layer : summary.layers) {
    fmt::print("  {:<24} {:<24} {:<24} {:>10}\n", layer.path, layer.op, layer.type, layer.parameters);
  }
  if (!graph.variable_ids().empty()) fmt::print("{}\n", painted("variables", Paint::bold));
  for (VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    fmt::print("  {:<44} {:<16} {}{}\n", variable.name, variable.type.to_string(), name_of(variable.kind),
               variable.kind == VarKind::parameter && !variable.trainable ? ", frozen" : "");
  }
  for (const std::string& warning : summary.warnings) fmt::print("{} {}\n", painted("warning:", Paint::red), warning);
}

void print_json(const Graph& graph, const Summary& summary) {
  Json out = {{"name", graph.name()},
              {"nodes", summary.nodes},
              {"expanded_nodes", summary.expanded},
              {"parameters", summary.parameters}};
  out["inputs"] = Json::array();
  for (NodeId id : graph.inputs()) {
    out["inputs"].push_back({{"name", graph.node(id).path()}, {"type", graph.type({id, 0}).to_string()}});
  }
  out["outputs"] = Json::array();
  for (const Output& output : graph.outputs()) {
    out["outputs"].push_back({{"name", output.name}, {"type", graph.type(output.value).to_string()}});
  }
  out["layers"] = Json::array();
  for (const Layer& layer : summary.layers) {
    out["layers"].push_back(
        {{"path", layer.path}, {"op", layer.op}, {"type", layer.type}, {"parameters", layer.parameters}});
  }
  out["variables"] = Json::array();
  for (VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    out["variables"].push_back({{"name", variable.name},
                                {"type", variable.type.to_string()},
                                {"kind", name_of(variable.kind)},
                                {"trainable", variable.trainable},
                                {"initializer", variable.init.to_string()}});
  }
  out["warnings"] = summary.warnings;
  fmt::print("{}\n", out.dump(2));
}

}  // namespace

void add_inspect(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "Tell what a model is made of, and what looks wrong in it");
  command->add_option("file", options->file, "A model in JSON or ONNX")->required();
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options] {
    const Graph graph = load_model(options->file);
    const Summary summary = summary_of(graph);
    options->json ? print_json(graph, summary) : print_text(graph, summary);
  });
}

}  // namespace asg::app
