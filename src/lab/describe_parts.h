#pragma once

#include "asg/lab/describe.h"
#include "lab/scene_data.h"

namespace asg::lab {

Sentence phrase_of(const Words& words);

// What the card says: title, what, why and the formula.
void describe_op(const OpCard& op, Description& description);
// Words for what has no card: scopes, fused steps, buffers. Sets title, what and why.
void describe_scope(const SceneData& data, const Place& place, Description& description);
void describe_step(const SceneData& data, int step, Description& description);
void describe_buffer(const SceneData& data, int buffer, Description& description);

// The attributes of a node, each with a dry run of its inference with another value.
std::vector<Description::Attribute> attributes_of(const Graph& graph, const Node& node);

// Ops that a dry run of the edit accepts in the place of the node, or why there are none.
void find_replacements(const SceneData& data, const Place& place, Description& description);

}  // namespace asg::lab
