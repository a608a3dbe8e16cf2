#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asg/graph/graph.h"
#include "asg/lab/scene.h"

namespace asg::lab {

// Where a value comes from: a leaf of the sheet, or one of its inlets.
struct Source {
  static constexpr int kAbsent = -1;
  int leaf = kAbsent;
  int inlet = kAbsent;
  std::uint32_t port = 0;

  bool absent() const { return leaf < 0 && inlet < 0; }
  friend bool operator==(const Source&, const Source&) = default;
};

// A node that a sheet does not show as made of others: an op, a layer that opens elsewhere, a copy, a buffer.
struct Leaf {
  std::string path;  // in its sheet
  std::string name;
  const Graph* graph = nullptr;  // of `node`; null of copies and buffers
  NodeId node;
  std::vector<Source> inputs = {};
  Role role = Role::forward;
  std::string origin = {};                     // path of the model; "" where there is none
  std::vector<std::string> more_origins = {};  // of a buffer that several ops write
  int step = -1;                               // of the program
  int buffer = -1;
  // Of leaves without a node.
  std::string op = {};
  std::string category = {};
  std::vector<Item::Output> outputs = {};

  const Node& get() const { return graph->node(node); }
};

struct Scope {
  struct Child {
    bool is_scope = false;
    int index = 0;
  };
  std::string path;  // in its sheet
  std::string name;
  int parent = -1;
  int first = 0, last = 0;  // its leaves: [first, last)
  std::vector<Child> children = {};
  int step = -1;  // of the program, whose ops these are
};

// A leaf that reads a value of another, and which.
struct LeafUse {
  int leaf = 0;
  std::uint32_t port = 0;  // of the value
};

// Leaves in a tree of scopes, in the order of the tree: those of a scope stand together.
struct Sheet {
  struct Inlet {
    std::string name;
    std::string type;
  };
  struct Outlet {
    std::string name;
    Source value;
  };
  std::string title;
  std::vector<Leaf> leaves;
  std::vector<Scope> scopes;  // 0 is the whole
  std::unordered_map<std::string, int> leaf_at, scope_at;
  std::size_t longest_leaf = 0;  // characters of the longest key of leaf_at
  std::vector<int> first_use;    // of each leaf in `uses`
  std::vector<LeafUse> uses;
  std::vector<Inlet> inlets;
  std::vector<Outlet> outlets;
  std::vector<std::shared_ptr<const Graph>> graphs;  // that leaves point to
  bool of_layer = false;                             // a body: it continues what is outside

  // Filled when asked for: what a leaf opens to, hashes of scopes (0: not made yet), sums of work.
  std::vector<std::shared_ptr<Sheet>> insides;
  std::vector<std::uint64_t> scope_hashes;
  std::vector<double> flops_before;  // of the leaves before each
  std::int64_t nodes = -1;
};

// Puts leaves, given in an order in which values come before their users, into the tree that their paths tell.
// Inputs name leaves by the number that `add` gave.
class SheetBuilder {
 public:
  int add(Leaf leaf);
  Leaf& leaf(int number) { return leaves_[static_cast<std::size_t>(number)]; }
  void set_step(const std::string& scope, int step) { steps_[scope] = step; }
  std::shared_ptr<Sheet> finish(Sheet sheet);

 private:
  int scope_index(Sheet& sheet, const std::string& path);
  void lay_out(Sheet& sheet);

  std::vector<Leaf> leaves_;
  std::unordered_map<std::string, int> steps_;
};

inline constexpr std::size_t kMostItems = 1000;   // of a level: larger scopes are divided into parts
inline constexpr std::size_t kDeepestScope = 64;  // scopes in each other; what lies deeper stands in the last

std::string_view parent_path(std::string_view path);   // "a/b/c" → "a/b"; "a" → ""
std::string_view scope_around(std::string_view path);  // the same, of what lies too deep the last scope that is one
// A name as people can look at it: no control characters, and not longer than a line.
std::string readable(std::string name);
// Divides scopes with too many children into scopes of neighbours, called "1–317". Before the leaves are laid out.
void divide_large_scopes(Sheet& sheet, const std::vector<Leaf>& leaves);
std::string_view last_part(std::string_view path);
std::string joined_path(std::string_view outer, std::string_view inner);

// The name of a node for people: variables by the end of their names.
std::string shown_name(const Graph& graph, const Node& node);

// The graph as it is: nodes under their own paths. `is_body`: its inputs are inlets.
std::shared_ptr<Sheet> sheet_of_graph(std::shared_ptr<const Graph> graph, bool is_body, const OpCard* layer);
// The graphs that are attributes of a node (branches, the body of a loop), each in a scope of its own.
std::shared_ptr<Sheet> sheet_of_subgraphs(const Node& node);
// A graph that was derived from the model, under the paths of the model; with `by_role` below "forward", "gradient" and
// "update". Of a training with micro-batches `apply` is the graph that ends them; else null.
std::shared_ptr<Sheet> sheet_of_derived(const Graph& model, const std::shared_ptr<const Graph>& graph, bool by_role,
                                        const std::shared_ptr<const Graph>& apply = nullptr);
std::shared_ptr<Sheet> sheet_of_program(const Graph& model, const Explanation& explanation);
std::shared_ptr<Sheet> sheet_of_plan(const Graph& model, const Explanation& explanation);

}  // namespace asg::lab
