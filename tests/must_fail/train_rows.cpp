#include "asg/backend/interpreter.h"
#include "asg/nn/nn.h"
#include "asg/optim/json.h"
#include "asg/train/messages.h"
#include "asg/train/trainer.h"
#include "must_fail/rows.h"

namespace asg::test {
namespace {

train::Trainer small_trainer() {
  Graph graph;
  const Tensor x = graph.input("features", {DType::f32, {Dim(2), Dim(3)}});
  const Tensor y = nn::linear(x, 1, {.name = "head"});
  graph.set_output("loss", reduce_mean(y * y, {}, {.keepdims = false}));
  return train::Trainer(std::move(graph), std::make_shared<Interpreter>());
}

}  // namespace

std::vector<MustFail> train_rows() {
  return {
      {ErrorCode::no_such_snapshot, "never_taken", [] { small_trainer().return_to(train::SnapshotId{4}); },
       "snapshot 4", "a snapshot that was taken", "take one with `snapshot` first"},
      {ErrorCode::unknown_scope, "no_such_path", [] { small_trainer().read("head.wieght"); }, "'head.wieght'",
       "the name of a variable or the path of a node", "did you mean 'head.weight'?"},
      {ErrorCode::missing_value, "state_of_another_optimizer",
       [] {
         train::Trainer trainer = small_trainer();
         train::TrainingState state = trainer.state();
         state.optimizer.clear();
         trainer.set_state(state);
       },
       "no value for 'optimizer/head.weight.count' in the state", "the state of a training with the same optimiser",
       "set the optimiser that the state was taken with"},
      {ErrorCode::missing_value, "empty_batch", [] { small_trainer().step(NamedArrays{}); },
       "no value for input 'features'", "a value of type f32[2, 3]", "give one under that name"},
      {ErrorCode::bad_command, "unknown_message", [] { train::message_from_json(R"({"do":"fly"})"); },
       "the message 'fly'",
       "one of: run, step, pause, apply, undo, redo, journal, snapshot, return_to, read, set_value, set_learning_rate, "
       "set_schedule, set_optimizer, reset, watch, evaluate, save, load, branch, stop",
       ""},
      {ErrorCode::bad_command, "misspelt_message", [] { train::message_from_json(R"({"do":"snapshoot"})"); },
       "the message 'snapshoot'",
       "one of: run, step, pause, apply, undo, redo, journal, snapshot, return_to, read, set_value, set_learning_rate, "
       "set_schedule, set_optimizer, reset, watch, evaluate, save, load, branch, stop",
       "did you mean 'snapshot'?"},
      {ErrorCode::bad_command, "message_without_a_field", [] { train::message_from_json(R"({"do":"read"})"); },
       "'read' without 'path'", "the field 'path'", "write for example {\"do\": \"read\", \"path\": \"head.weight\"}"},
      {ErrorCode::bad_command, "field_too_many", [] { train::message_from_json(R"({"do":"undo","steps":1})"); },
       "'undo' with fields that it does not have: {\"do\":\"undo\",\"steps\":1}", "only its own",
       "write {\"do\": \"undo\"}"},
      {ErrorCode::nothing_to_undo, "undo_of_nothing", [] { small_trainer().undo(); },
       "undo of a training without a change to undo", "a change that was made"},
      {ErrorCode::nothing_to_undo, "redo_of_nothing", [] { small_trainer().redo(); },
       "redo of a training without a change to redo", "a change that was undone, and no new one since"},
      {ErrorCode::type_mismatch, "state_of_other_shapes",
       [] {
         train::Trainer trainer = small_trainer();
         train::TrainingState state = trainer.state();
         for (auto& [id, value] : state.variables) value = Array(DType::f32, {7});
         trainer.set_state(state);
       },
       "f32[7] for the variable 'head.weight'", "f32[3, 1]", "take the state of a training of the same model"},
      {ErrorCode::bad_attribute, "learning_rate", [] { small_trainer().set_learning_rate(-1); },
       "a learning rate of -1", "a number of at least 0 that f32 holds"},
      {ErrorCode::bad_attribute, "learning_rate_beyond_f32", [] { small_trainer().set_learning_rate(1e39); },
       "a learning rate of 1e+39", "a number of at least 0 that f32 holds"},
      {ErrorCode::bad_attribute, "value_beyond_f32",
       [] { small_trainer().set_value("head.weight", std::vector<double>{1e300}); },
       "1e+300 for 'head.weight' of type f32[3, 1]", "a number that f32 holds"},
      {ErrorCode::unknown_scope, "reset_of_nothing", [] { small_trainer().reset(std::vector<std::string>{"haed"}); },
       "'haed'", "a variable, a layer or a scope of the model", "did you mean 'head'?"},
      {ErrorCode::unknown_variable, "reset_without_variables",
       [] { small_trainer().reset(std::vector<std::string>{"features"}); }, "'features', which holds no variables",
       "a variable, or a layer or scope that holds some"},
      {ErrorCode::unknown_attribute, "unknown_setting", [] { small_trainer().set_optimizer({{"beta3", 0.9}}); },
       "the setting 'beta3' of optimiser 'adam'", "one of learning_rate, weight_decay, beta1, beta2, epsilon, amsgrad",
       "did you mean 'beta1'?"},
      {ErrorCode::bad_json, "schedule_of_no_json", [] { optim::schedule_from_json("cosine"); },
       "a schedule that is no JSON", "an object: {\"kind\": \"cosine\"}"},
      {ErrorCode::bad_json, "settings_of_no_json", [] { optim::settings_from_json("beta1"); },
       "settings that are no JSON", "an object: {\"beta1\": 0.9}"},
  };
}

}  // namespace asg::test
