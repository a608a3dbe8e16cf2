#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "asg/core/error.h"
#include "asg/graph/graph.h"
#include "asg/graph/infer.h"

// The rules that a sound graph keeps, in one place for `validate` and for the JSON reader: they differ only in what
// they do with a problem and with the types that inference gives.
namespace asg {

bool is_input(const Node& node);

// Where in a graph a problem lies, so that a reader can say it as a JSON pointer.
struct GraphPlace {
  enum class List : std::uint8_t { graph, variables, nodes, inputs, outputs, updates };
  List list = List::graph;
  std::uint32_t number = 0;  // the id of a variable or node; else the index in the list
};

class GraphChecks {
 public:
  using Report = std::function<void(GraphPlace, const UserError&)>;
  // Gets each node, in topological order, with what inference finds.
  using Accept = std::function<void(const Node&, Inferred&)>;

  // The graph must stay where it is. Nodes may be added until run(); `accept` may set the outputs of the node it gets.
  GraphChecks(const Graph& graph, Report report, Accept accept);

  // Checks a node that was just added, unless it refers to something that is still to come; then run() does it.
  // A large graph is checked faster while its nodes are being made than in a walk of its own through all the memory.
  void visit(NodeId id);
  // Checks all that was not visited and reports every problem. Types are looked at only where ids, names and order are
  // sound. The graphs inside nodes are taken to be checked already.
  void run();

  // Nodes with a body of their own or with subgraphs.
  const std::vector<NodeId>& holders() const { return holders_; }

 private:
  using List = GraphPlace::List;

  void report(List list, std::uint32_t number, ErrorCode code, std::string given, std::string needed,
              std::string mend = "");
  void report(const Node& node, ErrorCode code, std::string given, std::string needed, std::string mend = "");

  bool is_ready(const Node& node) const;  // all its inputs are typed
  void check_variables();
  void check_node(const Node& node);
  void check_bindings(const Node& node);
  void check_inside(const Node& node);
  void check_inputs();
  void check_outputs();
  void check_updates();
  void check_waiting();
  void check_type(const Node& node);
  void infer_type(const Node& node);
  bool check_ports(const Node& node);
  void check_slots(const Node& node, const std::vector<Variable>& slots);
  void check_result_types();

  const Graph& graph_;
  Report report_;
  Accept accept_;
  bool sound_ = true;            // ids, names and order
  std::vector<bool> typed_;      // by node id
  std::size_t input_nodes_ = 0;  // nodes of op Input so far
  std::vector<NodeId> holders_;
};

}  // namespace asg
