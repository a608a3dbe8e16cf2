#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "asg/graph/graph.h"
#include "compile/fusion/layouts.h"
#include "compile/fusion/space.h"

// Which nodes one kernel computes together.
namespace asg::fusion {

// What a node of a fused unit gives: a number for every point of the space, one for every row, or sums over all rows.
enum class Level : std::uint8_t { element, row, column };

// A step to be: nodes that one fused kernel computes, or one node that is computed as a whole.
struct Unit {
  std::vector<NodeId> nodes = {};  // in topological order
  bool fused = false;
  bool commits = false;  // only updates need it
  Space space = {};
};

// Why two units of which one reads what the other computes are not one kernel.
enum class Obstacle : std::uint8_t {
  none,
  commit,   // one of them only changes variables, and runs when the step is known to be finite
  size,     // together they would be too large
  space,    // they walk different spaces, or rows of different axes
  order,    // elements are read in another order than they are computed in
  column,   // a sum over all rows is known only after the last row
  row,      // a value per row is used otherwise than along its row
  between,  // something that lies between them is computed elsewhere
};
std::string_view words_of(Obstacle obstacle);

struct Unfused {
  int from = -1;  // units
  int to = -1;
  Obstacle obstacle = Obstacle::none;
};

// Groups the nodes of a graph of concrete shapes.
//   expects:    `order` is topological and holds what outputs and updates need; layouts of the same graph
//   guarantees: every node that computes something is in exactly one unit; units can be computed one after the other in
//               their order; inside a fused unit values flow from node to node without memory
//   example:    x − max(x), exp, sum, division of a softmax → one unit with rows along the reduced axis
class Units {
 public:
  // `fuses` false: every node alone.
  Units(const Graph& graph, std::span<const NodeId> order, const Layouts& layouts, std::span<const char> commits,
        bool fuses = true);

  std::span<const Unit> all() const { return units_; }
  int unit_of(NodeId node) const { return unit_of_[node.number]; }  // -1: a leaf or a view
  Level level_of(NodeId node) const { return levels_[node.number]; }
  // Every pair of fused units of which one reads what the other computes.
  std::span<const Unfused> unfused() const { return unfused_; }

 private:
  std::vector<Unit> units_;
  std::vector<int> unit_of_;
  std::vector<Level> levels_;
  std::vector<Unfused> unfused_;
};

}  // namespace asg::fusion
