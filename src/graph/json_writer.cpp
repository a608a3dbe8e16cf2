#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asg/core/error.h"
#include "asg/graph/card.h"
#include "asg/graph/json.h"
#include "binary_text.h"
#include "json_values.h"

namespace asg {
namespace {

const Graph& graph_in(const Attr& attr) {
  if (attr.as_graph() == nullptr) {
    fail(ErrorCode::bad_attribute, "a graph attribute without a graph", "a graph, or no attribute");
  }
  return *attr.as_graph();
}

// What stands once in a file and is meant by all its graphs: the versions of the ops, and the names of the source
// files in which nodes were built.
class FileTables {
 public:
  explicit FileTables(const Graph& root) {
    std::vector<const Graph*> pending = {&root};
    std::unordered_set<const Graph*> met;
    while (!pending.empty()) {
      const Graph& graph = *pending.back();
      pending.pop_back();
      if (!met.insert(&graph).second) continue;
      for (std::uint32_t number = 1; number < graph.next_node_id().number; ++number) {
        if (!graph.has(NodeId{number})) continue;
        const Node& node = graph.node(NodeId{number});
        note(node);
        for (const auto& [name, attr] : node.attrs) {
          if (attr.kind() == AttrKind::graph) pending.push_back(&graph_in(attr));
        }
        if (node.body != nullptr) pending.push_back(node.body.get());
      }
    }
  }

  const std::map<std::string_view, int>& versions() const { return versions_; }
  const std::vector<std::string_view>& files() const { return files_; }
  std::uint32_t file_number(const char* file) const { return number_by_pointer_.at(file); }

 private:
  void note(const Node& node) {
    // Neighbours are mostly alike, so most nodes are done after two comparisons.
    if (node.op != last_op_) versions_[node.op->name] = node.op->version;
    last_op_ = node.op;
    if (!node.where.known() || node.where.file == last_file_) return;
    last_file_ = node.where.file;
    if (number_by_pointer_.contains(last_file_)) return;
    const auto [entry, added] = number_by_name_.try_emplace(last_file_, static_cast<std::uint32_t>(files_.size()));
    if (added) files_.push_back(entry->first);
    number_by_pointer_.emplace(last_file_, entry->second);
  }

  std::map<std::string_view, int> versions_;
  std::vector<std::string_view> files_;
  std::map<std::string_view, std::uint32_t> number_by_name_;
  std::unordered_map<const char*, std::uint32_t> number_by_pointer_;  // a literal may exist several times
  const OpCard* last_op_ = nullptr;
  const char* last_file_ = nullptr;
};

// Writes graphs and the graphs inside them with a stack of its own, since nesting is the user's choice.
class GraphWriter {
 public:
  // Without tables (a graph inside other JSON) the places in the source are left out.
  GraphWriter(JsonOut& out, const FileTables* tables) : out_(out), tables_(tables) {}

  void write(const Graph& root) {
    enter(root);
    while (!stack_.empty()) step();
  }

 private:
  enum class Stage : std::uint8_t { next_node, attributes, body, rest };

  struct Frame {
    const Graph* graph = nullptr;
    std::uint32_t number = 0;  // of the node that is being written
    Stage stage = Stage::next_node;
    Attrs::Entry const* attr = nullptr;  // the next one
    Attrs::Entry const* attrs_end = nullptr;
    bool in_attr = false;  // a graph inside the attribute before was written
  };

  void enter(const Graph& graph) {
    const bool is_file = stack_.empty() && tables_ != nullptr;
    out_.begin_object();
    if (is_file) {
      out_.member("format", kFormat);
      out_.member("version", kJsonFormatVersion);
    }
    out_.member("name", graph.name());
    out_.member("id", graph.id().number);
    if (is_file) write_tables();
    if (!graph.inputs().empty()) {
      out_.key("inputs");
      out_.begin_array();
      for (const NodeId input : graph.inputs()) out_.integer(input.number);
      out_.end_array();
    }
    write_variables(graph);
    out_.key("nodes");
    out_.begin_array();
    stack_.push_back({&graph});
  }

  void step() {
    Frame& frame = stack_.back();
    switch (frame.stage) {
      case Stage::next_node:
        return begin_node(frame);
      case Stage::attributes:
        return write_attributes(frame);
      case Stage::body:
        return begin_body(frame);
      case Stage::rest:
        return end_node(frame);
    }
  }

  void begin_node(Frame& frame) {
    const Graph& graph = *frame.graph;
    const std::uint32_t end = graph.next_node_id().number;
    do {
      ++frame.number;
    } while (frame.number < end && !graph.has(NodeId{frame.number}));
    if (frame.number >= end) return leave();

    const Node& node = graph.node(NodeId{frame.number});
    out_.line();
    out_.begin_object();
    out_.member("id", node.id.number);
    out_.member("op", node.op->name);
    if (!node.inputs.empty()) {
      out_.key("in");
      out_.begin_array();
      for (const Value input : node.inputs) write_value(out_, input);
      out_.end_array();
    }
    if (!node.name.empty()) out_.member("name", node.name);
    if (!node.scope.empty()) out_.member("scope", node.scope);
    if (node.attrs.empty()) {
      frame.stage = Stage::body;
      return;
    }
    frame.attr = &*node.attrs.begin();
    frame.attrs_end = frame.attr + node.attrs.size();
    frame.stage = Stage::attributes;
    out_.key("attrs");
    out_.begin_object();
  }

  void write_attributes(Frame& frame) {
    if (frame.in_attr) out_.end_object();
    frame.in_attr = false;
    while (frame.attr != frame.attrs_end) {
      const auto& [name, attr] = *frame.attr++;
      out_.key(name);
      if (attr.kind() != AttrKind::graph) {
        write_plain_attr(out_, attr);
        continue;
      }
      frame.in_attr = true;
      out_.begin_object();
      out_.key("graph");
      return enter(graph_in(attr));
    }
    out_.end_object();
    frame.stage = Stage::body;
  }

  void begin_body(Frame& frame) {
    frame.stage = Stage::rest;
    const Node& node = frame.graph->node(NodeId{frame.number});
    if (node.body == nullptr) return;
    out_.key("body");
    enter(*node.body);
  }

  void end_node(Frame& frame) {
    const Node& node = frame.graph->node(NodeId{frame.number});
    if (!node.bindings.empty()) {
      out_.key("bind");
      out_.begin_object();
      for (const Binding& binding : node.bindings) out_.member(binding.slot, binding.variable.number);
      out_.end_object();
    }
    if (node.stream != 0) out_.member("stream", hex_text(node.stream));
    write_known(node);
    if (node.origin != nullptr) write_origin(*node.origin);
    if (tables_ != nullptr && node.where.known()) {
      out_.key("where");
      out_.begin_array();
      out_.integer(tables_->file_number(node.where.file));
      out_.integer(node.where.line);
      out_.end_array();
    }
    out_.end_object();
    frame.stage = Stage::next_node;
  }

  void leave() {
    const Graph& graph = *stack_.back().graph;
    out_.end_array();
    if (!graph.outputs().empty()) {
      out_.key("outputs");
      out_.begin_array();
      for (const Output& output : graph.outputs()) {
        out_.begin_object();
        out_.member("name", output.name);
        out_.key("value");
        write_value(out_, output.value);
        out_.end_object();
      }
      out_.end_array();
    }
    if (!graph.updates().empty()) {
      out_.key("updates");
      out_.begin_array();
      for (const Update& update : graph.updates()) {
        out_.begin_object();
        out_.member("variable", update.variable.number);
        out_.key("value");
        write_value(out_, update.value);
        out_.end_object();
      }
      out_.end_array();
    }
    out_.end_object();
    stack_.pop_back();
  }

  void write_tables() {
    out_.key("ops");
    out_.begin_object();
    for (const auto& [name, version] : tables_->versions()) out_.member(name, version);
    out_.end_object();
    if (tables_->files().empty()) return;
    out_.key("files");
    out_.begin_array();
    for (const std::string_view file : tables_->files()) out_.text(file);
    out_.end_array();
  }

  void write_variables(const Graph& graph) {
    const std::vector<VarId> ids = graph.variable_ids();
    if (ids.empty()) return;
    out_.key("variables");
    out_.begin_array();
    for (const VarId id : ids) {
      out_.line();
      write_variable(out_, graph.variable(id));
    }
    out_.end_array();
  }

  void write_origin(const Origin& origin) {
    out_.key("origin");
    out_.begin_object();
    out_.member("node", origin.node.number);
    if (!origin.path.empty()) out_.member("path", origin.path);
    if (origin.role != Role::forward) out_.member("role", name_of(origin.role));
    out_.end_object();
  }

  // What a body was told about its integer inputs; elsewhere contents follow from the inputs.
  void write_known(const Node& node) {
    if (!node.inputs.empty() || node.outputs.size() != 1 || node.op->name != "Input") return;
    const auto& known = node.outputs.front().known;
    if (known == nullptr) return;
    out_.key("known");
    out_.begin_array();
    for (const Dim& length : *known) {
      if (length.is_known()) {
        out_.integer(length.value());
      } else {
        out_.text(length.to_string());
      }
    }
    out_.end_array();
  }

  static constexpr std::string_view kFormat = "asg-graph";

  JsonOut& out_;
  const FileTables* tables_;
  std::vector<Frame> stack_;
};

}  // namespace

void write_attrs(JsonOut& out, const Attrs& attrs) {
  out.begin_object();
  for (const auto& [name, attr] : attrs) {
    out.key(name);
    if (attr.kind() != AttrKind::graph) {
      write_plain_attr(out, attr);
      continue;
    }
    out.begin_object();
    out.key("graph");
    GraphWriter(out, nullptr).write(graph_in(attr));
    out.end_object();
  }
  out.end_object();
}

void write_json(const Graph& graph, const std::function<void(std::string_view piece)>& write) {
  const FileTables tables(graph);
  JsonOut out(write);
  GraphWriter(out, &tables).write(graph);
  out.flush();
}

std::string to_json(const Graph& graph) {
  constexpr std::size_t kUsualNode = 64;  // characters
  std::string text;
  text.reserve(graph.node_count() * kUsualNode);
  write_json(graph, [&text](std::string_view piece) { text += piece; });
  return text;
}

std::string to_json(const Attrs& attrs) {
  return json_text([&attrs](JsonOut& out) { write_attrs(out, attrs); });
}

}  // namespace asg
