// Edits and their journal. The model: x f32[batch,4] → fc_1 (8 units) → norm → fc_2 (3 units) = y.
#include "asg/graph/model.h"
#include "asg/graph/resize.h"
#include "asg/nn/nn.h"
#include "must_fail/rows.h"

namespace asg::test {
namespace {

Graph small_model() {
  Graph graph;
  const Tensor x = graph.input("x", {DType::f32, {Dim::symbol("batch"), Dim(4)}});
  const Tensor hidden = nn::layer_norm(nn::linear(x, 8, {.name = "fc_1"}), {.name = "norm"});
  graph.set_output("y", nn::linear(hidden, 3, {.name = "fc_2"}));
  return graph;
}

NodeId node(const Graph& graph, std::string_view name) { return graph.find_node(name); }

std::function<void()> edit(Edit (*mistake)(const Graph&)) {
  return [mistake] {
    Model model(small_model());
    model.apply(mistake(model.graph()));
  };
}

}  // namespace

std::vector<MustFail> edit_rows() {
  return {
      {ErrorCode::output_type_changed, "replaced_op",
       edit([](const Graph& graph) { return Edit{{edits::ReplaceOp{{node(graph, "norm")}, "Shape", {}}}}; }),
       "op 'Shape' gives i64[2] where norm gave f32[batch, 8]", "the same type as before",
       "allow the change of type, or add a conversion after it"},
      {ErrorCode::edit_refused, "nothing_left",
       edit([](const Graph& graph) { return Edit{{edits::DeleteCascade{node(graph, "fc_1")}}}; }),
       "the removal of fc_1 and all after it, which would leave the graph without an output", "at least one output",
       "set another output first"},
      {ErrorCode::unknown_scope, "no_such_inside", edit([](const Graph& graph) {
         return Edit{{edits::SetConfig{{node(graph, "fc_1"), {"activation"}}, {{"units", 5}}}}};
       }),
       "'activation' inside fc_1", "one of MatMul#3, Add#5"},
      {ErrorCode::preserve_impossible, "before_a_norm", edit([](const Graph& graph) {
         return Edit{{edits::SetConfig{{node(graph, "fc_1")}, {{"units", 16}}}}, ResizePolicy::preserve};
       }),
       "a new size of 'fc_1.weight' that reaches norm/LayerNormalization#4 (LayerNormalization), which normalises over "
       "it",
       "an edit that changes no output in eval mode; wider axes must end in weights that can be zero",
       "use the policy overlap, which copies what fits"},
      {ErrorCode::nothing_to_undo, "undo", [] { Model(small_model()).undo(); }, "undo of a model with no edit to undo",
       "an edit that was applied"},
      {ErrorCode::nothing_to_undo, "redo", [] { Model(small_model()).redo(); }, "redo of a model with no edit to redo",
       "an edit that was undone, and no new one since"},
      {ErrorCode::edit_refused, "passage_without_inputs",
       edit([](const Graph& graph) { return Edit{{edits::DeletePassthrough{{node(graph, "x")}}}}; }),
       "a passage through x of op 'Input', which has no inputs", "a node with inputs",
       "use 'rewire' to join its users to another value"},
      {ErrorCode::bad_shape, "layer_on_a_free_axis", edit([](const Graph&) {
         return Edit{{edits::AddInput{"tokens", {DType::f32, {Dim(2), Dim::symbol("seq")}}},
                      edits::AddNode{.op = "nn.Linear", .inputs = {{"tokens"}}, .attrs = {{"units", 3}}}}};
       }),
       "seq features for layer 'nn.Linear'", "a number, because parameters have that length",
       "give the input's type a number on axis 1, or put a Reshape before the layer that gives that axis a constant "
       "length"},
      {ErrorCode::bad_command, "missing_field",
       [] { edit_from_json(R"({"commands":[{"do":"set_config","at":"norm"}]})"); },
       "the command 'set_config' without the field 'attrs'", "the fields 'at', 'attrs'"},
      {ErrorCode::bad_command, "unknown_command", [] { edit_from_json(R"({"commands":[{"do":"paint","node":1}]})"); },
       "the command 'paint'",
       "one of add_input, add_node, set_output, remove_output, rename, replace_op, insert_between, delete_passthrough, "
       "delete_cascade, rewire, set_config, set_constant, share, unshare, set_trainable, group, ungroup"},
  };
}

}  // namespace asg::test
