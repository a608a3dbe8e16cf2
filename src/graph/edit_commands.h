#pragma once

#include "asg/graph/edit.h"
#include "working_graph.h"

// What each command does to the working copy. All throw UserError; the copy is then half-way and thrown away.
namespace asg {

void carry_out(WorkingGraph& graph, const edits::AddInput& command);
void carry_out(WorkingGraph& graph, const edits::AddNode& command);
void carry_out(WorkingGraph& graph, const edits::SetOutput& command);
void carry_out(WorkingGraph& graph, const edits::RemoveOutput& command);
void carry_out(WorkingGraph& graph, const edits::Rename& command);
void carry_out(WorkingGraph& graph, const edits::ReplaceOp& command);
void carry_out(WorkingGraph& graph, const edits::InsertBetween& command);
void carry_out(WorkingGraph& graph, const edits::DeletePassthrough& command);
void carry_out(WorkingGraph& graph, const edits::DeleteCascade& command);
void carry_out(WorkingGraph& graph, const edits::Rewire& command);
void carry_out(WorkingGraph& graph, const edits::SetConfig& command);
void carry_out(WorkingGraph& graph, const edits::SetConstant& command);
void carry_out(WorkingGraph& graph, const edits::Share& command);
void carry_out(WorkingGraph& graph, const edits::Unshare& command);
void carry_out(WorkingGraph& graph, const edits::SetTrainable& command);
void carry_out(WorkingGraph& graph, const edits::Group& command);
void carry_out(WorkingGraph& graph, const edits::Ungroup& command);

}  // namespace asg
