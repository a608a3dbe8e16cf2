#pragma once

#include <span>
#include <string>
#include <string_view>

#include "asg/core/type.h"
#include "io/onnx/model.h"

// Older opsets are lifted to the form of the cards: an attribute that became an input, a default that changed, an op
// that was replaced by another. One row per op and change; nothing else in the reader knows of opsets.
namespace asg::io {

// What an adapter may ask of the graph that is being read, and add to it.
class LiftContext {
 public:
  virtual ~LiftContext() = default;
  virtual TensorType type_of(const std::string& value) = 0;
  // The value of a constant; nothing where it is computed or given later.
  virtual std::optional<Array> constant_value(const std::string& value) = 0;
  virtual std::string constant(Array value) = 0;  // returns its name
  // Adds a node in its newest form with one output, and returns that output's name.
  virtual std::string emit(std::string op, std::vector<std::string> inputs, std::vector<AttrDef> attributes = {}) = 0;
  // Another name for a value.
  virtual void alias(const std::string& name, const std::string& value) = 0;
};

struct Lift {
  std::string_view op;
  int below;  // for nodes of opsets before this one
  void (*apply)(LiftContext& context, NodeDef& node);
};
// Not a question of opsets: the card has another form than ONNX.
inline constexpr int kAlways = kNewestForm;

// Applies the rows that concern the node. Several may, in the order of the tables.
void lift(LiftContext& context, NodeDef& node);

// The op that took the place of a deprecated one: "Resize" for "Upsample"; else the name itself.
std::string_view newest_name(std::string_view op);

// The tables.
std::span<const Lift> operand_lifts();    // attributes that became inputs
std::span<const Lift> broadcast_lifts();  // broadcasting before opset 7
std::span<const Lift> meaning_lifts();    // defaults and meanings that changed, ops that were replaced
std::span<const Lift> mapping_lifts();    // cards that differ from ONNX

// A constant list of integers.
std::string integers(LiftContext& context, std::vector<std::int64_t> values);
// Moves an attribute of integers to an input; nothing happens where it is not there.
void to_input(LiftContext& context, NodeDef& node, std::string_view attribute, std::size_t index);

}  // namespace asg::io
