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

  // Meanwhile the graph may be changed only by `accept`: it may set the outputs of the node it is given.
  GraphChecks(const Graph& graph, Report report, Accept accept);

  // Reports every problem. Types are looked at only where ids, names and order are sound. The graphs inside nodes
  // are taken to be checked already.
  void run();

 private:
  using List = GraphPlace::List;

  void report(List list, std::uint32_t number, ErrorCode code, std::string given, std::string needed,
              std::string mend = "");
  void report(const Node& node, ErrorCode code, std::string given, std::string needed, std::string mend = "");

  void check_variables();
  void check_node(const Node& node);
  void check_bindings(const Node& node);
  void check_inside(const Node& node);
  void check_inputs();
  void check_outputs();
  void check_updates();
  void check_types();
  bool check_ports(const Node& node);
  void check_slots(const Node& node, const std::vector<Variable>& slots);
  void check_result_types();

  const Graph& graph_;
  Report report_;
  Accept accept_;
  bool sound_ = true;
};

}  // namespace asg
