#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asg/core/error.h"
#include "asg/graph/graph.h"
#include "asg/graph/json.h"
#include "checks.h"
#include "json_form.h"

namespace asg {

// A JSON value that is neither array nor object.
struct JsonScalar {
  enum class Kind : std::uint8_t { null, boolean, integer, huge, real, text };
  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string* text = nullptr;  // of a text; the digits of a huge integer, which fits no 64 bits
};

// Reads a graph (or attributes, or an array) from the events of a JSON parser. It holds what is read so far and a stack
// of what is open, so files may be of any size and nesting costs no stack of the machine. Each event throws UserError;
// pointer() then tells where.
//   json_reader.cpp        events, the stack, limits
//   json_reader_graph.cpp  graphs, their tables and variables
//   json_reader_node.cpp   nodes
//   json_reader_attr.cpp   attributes, lists, tensors
//   json_reader_finish.cpp where nodes and graphs are complete: ids, references, types
class JsonReader {
 public:
  // `root` is what the text must be: file, attrs or tensor.
  JsonReader(JsonState root, const JsonLimits& limits);

  void scalar(const JsonScalar& scalar);
  void key(std::string& name);
  void open(bool object);
  void close();

  std::string pointer() const;  // of the value that is being read: "/nodes/3/attrs/axis"

  Graph take_graph() { return std::move(*graph_); }
  Attrs take_attrs() { return std::move(root_attrs_); }
  Array take_array() { return std::move(array_); }

 private:
  struct Frame {
    JsonState state = JsonState::none;
    bool inside = false;      // an element or key has begun
    std::uint8_t place = 0;   // of the present key
    std::uint32_t seen = 0;   // one bit for each key
    std::uint64_t count = 0;  // of elements so far
    std::string key;          // where keys are free
  };

  // What a node may say about its outputs, checked when they are inferred.
  struct Extra {
    std::optional<std::vector<TensorType>> types;
    std::shared_ptr<std::vector<Dim>> known;
  };

  // A graph that is not closed yet. Nodes are put into it as they are read, and checked as soon as they can be.
  struct PartialGraph {
    explicit PartialGraph(JsonReader& reader);

    Graph graph;
    GraphChecks checks;
    std::vector<NodeId> inputs;
    std::vector<VarId> variables;  // in the order of the file
    std::vector<NodeId> nodes;
    std::unordered_map<NodeId, Extra> extras;
    std::vector<Output> outputs;
    std::vector<Update> updates;
    std::shared_ptr<Node> node;  // the one that is being read
    Extra extra;                 // its own
    bool closed = false;
  };

  // A list of which the kind shows only as it is read.
  struct List {
    std::vector<std::int64_t> integers;
    std::vector<double> reals;  // the integers too, in case a real follows
    std::vector<std::string> texts;
    bool has_real = false;
  };

  Frame& top() { return frames_[depth_ - 1]; }
  const JsonPlace& place() const;
  PartialGraph& graph() { return *graphs_.back(); }
  Node& node() { return *graphs_.back()->node; }
  Attrs& attrs() { return graphs_.empty() ? root_attrs_ : node().attrs; }

  void begin_element();
  void enter(JsonState state);
  void leave(const Frame& closed);
  void check_complete(const Frame& closed) const;
  [[noreturn]] void refuse(const std::string& given) const;
  [[noreturn]] void refuse(const JsonScalar& scalar) const;
  [[noreturn]] void unknown_key(const std::string& name) const;
  std::uint32_t number_of(const JsonScalar& scalar, std::uint32_t least) const;
  std::string& text_of(const JsonScalar& scalar) const;
  bool boolean_of(const JsonScalar& scalar) const;
  TensorType type_of(const JsonScalar& scalar) const;

  void graph_scalar(const JsonScalar& scalar);
  void op_version(const JsonScalar& scalar);
  void file_name(const JsonScalar& scalar);
  void variable_scalar(const JsonScalar& scalar);
  void initializer_scalar(const JsonScalar& scalar);
  void end_variable();
  void output_scalar(const JsonScalar& scalar);
  void update_scalar(const JsonScalar& scalar);
  const OpCard& find_op(const std::string& name);

  void node_scalar(const JsonScalar& scalar);
  void node_input(const JsonScalar& scalar);
  void origin_scalar(const JsonScalar& scalar);
  void known_length(const JsonScalar& scalar);
  void pair_element(const JsonScalar& scalar);
  void end_pair(const Frame& closed);
  void give_value(Value value);
  void begin_node();
  void end_node();

  void attr_scalar(const JsonScalar& scalar);
  void tagged_scalar(const JsonScalar& scalar);
  void list_scalar(const JsonScalar& scalar);
  double odd_real(const JsonScalar& scalar) const;
  void tensor_scalar(const JsonScalar& scalar);
  void end_list();
  void end_tagged(const Frame& closed);
  void end_tagged_real();
  void end_tensor();
  void give_attr(Attr attr);

  void end_graph();
  void take_slots(std::uint32_t next, std::uint32_t id);
  [[noreturn]] void report(const GraphPlace& place, const UserError& error);
  void accept(const Node& read, Inferred& inferred);

  JsonState root_;
  JsonLimits limits_;
  std::vector<Frame> frames_;  // those from depth_ on are kept for their memory
  std::size_t depth_ = 0;
  std::vector<std::unique_ptr<PartialGraph>> graphs_;  // the innermost last
  std::uint64_t node_count_ = 0;                       // of all graphs
  std::uint64_t slot_count_ = 0;                       // ids that need room, of all graphs

  // What can be open only once.
  Variable variable_;
  Output output_;
  Update update_;
  std::array<std::uint32_t, 2> pair_ = {};
  std::vector<Value> values_;
  List list_;
  double real_ = 0;
  std::optional<TensorType> array_type_;
  std::string array_data_;
  Array array_;
  Attr attr_;

  std::unordered_map<std::string, const OpCard*> ops_;
  const OpCard* last_op_ = nullptr;
  std::vector<const char*> files_;  // null where a name was not kept
  std::optional<Graph> graph_;
  Attrs root_attrs_;
};

// Parses a text into the reader. Throws UserError with a JSON pointer or a byte position, and nothing else.
void parse_json(std::string_view text, const JsonLimits& limits, JsonReader& reader);

// The error for a text that the parser refused, with its message made fit to be shown.
UserError syntax_error(std::size_t position, std::string_view what);

}  // namespace asg
