// A classifier is edited half-way through its training: another activation, a wider layer, dropout. What it has learnt
// stays; one of the edits is taken back later.
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "asg/asg.h"
#include "support/example.h"

using namespace asg;

namespace {

Graph small_classifier() {
  Graph graph("edited");
  const Dim batch = Dim::symbol("batch");
  const Tensor pictures = graph.input("features", {DType::f32, {batch, 64}});
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  // Edits speak of nodes by their names.
  const Tensor hidden = nn::linear(pictures, 32, {.name = "hidden"});
  const Tensor logits = nn::linear(relu(hidden).named("activation"), 10, {.name = "head"});
  graph.set_output("logits", logits);
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  return graph;
}

class EditedTraining {
 public:
  explicit EditedTraining(examples::Example& example) : example_(example) {}

  train::Trainer& trainer() { return trainer_; }
  double accuracy() { return trainer_.evaluate(split_.held_out).accuracy.value(); }

  void train(std::int64_t steps) {
    for (std::int64_t k = 0; k < steps; ++k) {
      const train::StepReport report = trainer_.step(loader_.next().arrays);
      example_.note_loss(report.step, report.loss);
    }
    std::printf("step %d: held-out accuracy %.1f %%\n", static_cast<int>(trainer_.steps()), 100 * accuracy());
  }

  // Changes the model and tells by which share of itself the loss of one and the same batch moves.
  double change(const std::string& what, const std::function<void(train::Trainer&)>& how) {
    const double before = loss_on_same_batch();
    how(trainer_);
    const double after = loss_on_same_batch();
    const double moved = std::abs(after - before) / before;
    std::printf("  %s: the loss on the same batch is %.6f, was %.6f (%.1e)\n", what.c_str(), after, before, moved);
    example_.mark(trainer_.steps(), what);
    return moved;
  }

 private:
  double loss_on_same_batch() { return trainer_.infer(same_batch_).at("loss").get(0); }

  examples::Example& example_;
  data::Split split_ = data::stratified_split(data::digits().mapped(data::flatten()), 0.2, /*seed=*/1);
  data::Loader loader_ = data::Loader(split_.train, {.batch_size = 64});
  NamedArrays same_batch_ = split_.train.take(0, 64);
  train::Trainer trainer_ = train::Trainer(small_classifier(), BackendRegistry::global().make("cpu"),
                                           {.optimizer = optim::Optimizer::adam(3e-3)});
};

void edit_half_way(examples::Example& example) {
  EditedTraining training(example);
  const std::int64_t steps = example.pick(100, 400);
  training.train(steps);

  // Another activation changes what the network computes, but most of what it has learnt still holds.
  training.change("Relu -> Gelu", [](train::Trainer& trainer) {
    trainer.apply({{edits::ReplaceOp{.at = {"activation"}, .op = "Gelu"}}});
  });
  // `preserve` gives the new units weights of zero towards what follows: the function stays the same.
  const double widened = training.change("32 -> 64 units", [](train::Trainer& trainer) {
    trainer.apply({{edits::SetConfig{.at = {"hidden"}, .attrs = {{"units", 64}}}}, ResizePolicy::preserve});
  });
  // Dropout acts in training only, so nothing moves here; the steps that follow feel it.
  const double dropped = training.change("dropout", [](train::Trainer& trainer) {
    trainer.apply({{edits::InsertBetween{
        .value = {"activation"}, .op = "nn.Dropout", .attrs = {{"ratio", 0.2}}, .name = "dropout"}}});
  });
  training.train(steps);

  // The last edit is taken back; the others, and what was learnt meanwhile, stay.
  const double undone = training.change("undo", [](train::Trainer& trainer) { trainer.undo(); });
  training.train(steps);

  train::Trainer& trainer = training.trainer();
  example.expect(widened < 1e-5, "widening moved the loss");
  example.expect(dropped == 0, "dropout moved the loss of evaluation");
  example.expect(undone == 0, "undoing dropout moved the loss of evaluation");
  example.expect(!trainer.model().graph().find_node("dropout"), "dropout is still there");
  example.expect(trainer.read("hidden.bias").count() == 64, "the layer is not wide any more");
  example.check_parameters(trainer);
  example.reached({.what = "held-out accuracy", .value = training.accuracy(), .at_least = 0.96});
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(argc, argv, "A classifier of digits is edited while it trains.", edit_half_way);
}
