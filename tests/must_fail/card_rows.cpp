#include "asg/graph/formula.h"
#include "asg/graph/registry.h"
#include "asg/ops/ops.h"
#include "must_fail/rows.h"

namespace asg::test {
namespace {

OpCard minimal_card(std::string name) {
  OpCard card;
  card.name = std::move(name);
  card.inputs = {{.name = "x"}};
  card.outputs = {{.name = "y"}};
  card.infer = [](InferContext& ctx) { ctx.output(ctx.type(0)); };
  card.kernel = [](KernelContext&) {};
  return card;
}

}  // namespace

std::vector<MustFail> card_rows() {
  return {
      {ErrorCode::unknown_op, "near_name", [] { Registry::global().get("Sofmax"); }, "op 'Sofmax'",
       "the name of a registered op", "did you mean 'Softmax'?"},
      {ErrorCode::unknown_op, "far_name", [] { Registry::global().get("Qwertyuiop"); }, "op 'Qwertyuiop'",
       "the name of a registered op", "`asg ops` lists all ops; a user's own op is added with Registry::global().add"},
      {ErrorCode::duplicate_op, "second_card", [] { Registry::global().add(minimal_card("Add")); },
       "a second op named 'Add'", "one card per name", "choose another name for your op"},
      {ErrorCode::bad_card, "no_kernel",
       [] {
         OpCard card = minimal_card("Empty");
         card.kernel = {};
         Registry::global().add(std::move(card));
       },
       "op 'Empty' with neither kernel nor body", "a reference `kernel` or a `body` in smaller ops",
       "correct the card; docs/add-an-op.md shows a complete one"},
      {ErrorCode::bad_card, "default_of_another_kind",
       [] {
         OpCard card = minimal_card("Odd");
         card.attributes = {{.name = "axis", .kind = AttrKind::integer, .fallback = Attr("one")}};
         Registry::global().add(std::move(card));
       },
       "op 'Odd' with a default of another kind for attribute 'axis'", "a default of kind integer",
       "correct the card; docs/add-an-op.md shows a complete one"},
      {ErrorCode::bad_card, "malformed_formula", [] { formula_to_text("y = \\frac{x"); },
       "a { without }, in the formula \"y = \\frac{x\"", "a } for each {"},
  };
}

}  // namespace asg::test
