#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asg/compile/explain.h"
#include "asg/graph/graph.h"
#include "asg/train/step_graph.h"

// A graph as people look at it: one level at a time, with layers and scopes as boxes that open.
namespace asg::lab {

// What is looked at: the model that people edit, or one of the graphs that are derived from it.
enum class View : std::uint8_t {
  model,      // layers open to their bodies
  expanded,   // the forward model in plain ops
  gradient,   // the whole training step: forward, gradient, update
  optimised,  // what the device runs: fused steps open to their ops
  plan        // the pieces of memory
};
std::string_view name_of(View view);
std::optional<View> parse_view(std::string_view name);

// One of `count` neighbours of the same structure, each of which feeds the next.
struct Repeats {
  std::string of;  // path of the first
  int index = 0;
  int count = 0;
  friend bool operator==(const Repeats&, const Repeats&) = default;
};

// A box: a node, a layer, a scope, a fused step, a buffer.
struct Item {
  struct Output {
    std::string name;
    std::string type;
  };
  std::string path;
  std::string name;      // what it is called inside its scope
  std::string op;        // "" of a plain scope
  std::string category;  // of its card; "" of a plain scope
  bool opens = false;    // level(path) shows its inside
  std::int64_t nodes = 1;
  std::int64_t parameters = 0;
  std::vector<Output> outputs = {};
  std::vector<std::string> flags = {};  // output, frozen, parameter, input, constant
  Role role = Role::forward;
  std::vector<std::string> origins = {};  // paths of the model; of derived views only
  std::optional<Repeats> repeats = {};
  std::optional<double> seconds = {}, bytes = {}, flops = {};
};

// Values that go from one item to another, merged. Values are named "path:port".
struct Edge {
  std::string from, to;
  std::string value;  // the first of them
  std::string type;
  int count = 1;
  bool skips = false;  // another way from `from` to `to` leads through other items
};

// A value that crosses the border of the scope, and the items that use or make it.
struct Crossing {
  std::string name, value, type;
  std::vector<std::string> items = {};
};

// A value with so many users in the level that lines would hide the rest. In derived views also the values that another
// pass made, and constants and variables of other layers: "forward: attention +7" stands for eight values.
struct Portal {
  std::string name, value, type;
  std::optional<std::string> from = {};  // nothing: from outside
  std::vector<std::string> to = {};
};
inline constexpr std::size_t kMostLines = 8;  // of one value; with more users it is a portal

struct Level {
  View view = View::model;
  std::string scope, title;
  std::vector<Item> items = {};  // inputs before their users, where scopes allow it
  std::vector<Edge> edges = {};
  std::vector<Crossing> inlets = {}, outlets = {};
  std::vector<Portal> portals = {};
  std::int64_t left_out = 0;  // edges and portals of a level with thousands of them
};

struct Found {
  struct Entry {
    View view = View::model;
    std::string path, op, name, category;
  };
  std::vector<Entry> entries = {};
  std::int64_t more = 0;  // that match too
};

struct SceneData;

// One view of one version of a model, indexed once; then each question costs little. Copies share the index, and
// several threads may ask.
//
// Paths name items. In the model they are those that edits take: "block_0/feed_forward/activation". Where a layer and
// a scope have the same path, the scope's ends with '/'.
class Scene {
 public:
  static Scene of_model(const Graph& model);
  static Scene of_expanded(const Graph& model, Mode mode = Mode::train);
  static Scene of_step(const Graph& model, const train::StepGraph& step);
  // `step_seconds`: what each step of the program takes, where it was measured.
  static Scene of_program(const Graph& model, std::shared_ptr<const Explanation> explanation,
                          std::vector<double> step_seconds = {});
  static Scene of_plan(const Graph& model, std::shared_ptr<const Explanation> explanation);

  View view() const;
  // The inside of a scope, layer or step, not deeper; "" is the whole. Throws unknown_scope.
  Level level(std::string_view scope) const;
  Item item(std::string_view path) const;  // throws unknown_scope
  bool has(std::string_view path) const;
  // The node that an item is: of the model, of a layer's body, of the derived graph. Nothing of scopes, of steps with
  // several ops, of copies and of buffers. The graph lives as long as the scene.
  struct NodeAt {
    const Graph* graph = nullptr;
    NodeId node;
  };
  std::optional<NodeAt> node(std::string_view path) const;
  // Items whose paths, ops or variables contain the text, in any case of letters; the best first.
  Found find(std::string_view text, std::size_t limit) const;

  // Where an item comes from in the model, and what in this view comes from an item of the model: the largest scopes
  // all of which does. In the model itself both give the path. Throw unknown_scope for a path of no item.
  std::vector<std::string> origins(std::string_view path) const;
  std::vector<std::string> with_origin(std::string_view model_path) const;

  const SceneData& data() const { return *data_; }  // for the sources of this folder

 private:
  explicit Scene(std::shared_ptr<const SceneData> data) : data_(std::move(data)) {}
  std::shared_ptr<const SceneData> data_;
};

// The places of one item in several views, by way of the model.
struct Places {
  View view = View::model;
  std::vector<std::string> paths = {};
};
std::vector<Places> locate(const Scene& scene, std::string_view path, const std::vector<Scene>& views);

}  // namespace asg::lab
