#pragma once

#include <functional>
#include <span>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg {

// What inference finds out about a node.
struct Inferred {
  std::vector<OutputInfo> outputs;
  std::vector<Variable> slots;  // of a layer: name = slot, with type, initialiser and kind; ids are those of the body
};

// Checks counts, dtypes and attributes against the card and applies its type rule (or reads the types off its
// body). `inputs` holds null for absent optional inputs. Throws UserError; the caller adds node and place.
Inferred infer(const OpCard& op, const Attrs& attrs, const GraphPtr& body, std::span<const OutputInfo* const> inputs,
               const std::function<Dim()>& fresh_symbol);

// Types of the outputs for concrete arrays: sizes from the arrays, contents of small integer inputs known.
std::vector<TensorType> infer_concrete(const OpCard& op, const Attrs& attrs, const GraphPtr& body,
                                       std::span<const Array* const> inputs);

// Refuses a known length below 0. Throws bad_dim.
void check_lengths(const TensorType& type);

// Checks attributes: known names, kinds, choices, required ones present; drops those equal to the default.
Attrs checked_attributes(const OpCard& op, Attrs attrs);

// Infers a node anew from the present types of its inputs. Nothing is stored; the caller compares outputs and slots.
Inferred infer_node(const Graph& graph, const Node& node);

}  // namespace asg
