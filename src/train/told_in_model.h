#pragma once

#include "asg/core/error.h"
#include "asg/graph/edit.h"
#include "asg/graph/graph.h"

namespace asg::train {

// An error of a graph that was derived from the model, with the node of the model, or inside its layers, that people
// see. A node of the gradient or of an update is told by the one that it comes from.
UserError told_in_model(const UserError& error, const Graph& model, const Graph& derived);

// The same error with the node that the edit names, the nearest one before the node that failed. Where that is another
// one the text says so.
UserError at_edited_node(const UserError& error, const Edit& edit, const Graph& before, const Graph& after);

}  // namespace asg::train
