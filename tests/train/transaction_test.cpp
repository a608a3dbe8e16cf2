// A change of the model is accepted only where the next step and the evaluations can work after it. Each row is a
// mistake that was accepted once, or crashed.
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/backend/cpu.h"
#include "asg/train/script.h"
#include "train/models.h"

namespace asg::train {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t kBatch = 8;  // of the 12 examples that are evaluated

TrainingSpec transaction_spec() {
  TrainingSpec spec;
  spec.model = test::small_classifier();
  spec.backend = std::make_shared<CpuBackend>(1);
  spec.options.optimizer = optim::Optimizer::adam(1e-2);
  spec.batch = [data = test::small_data()](std::int64_t step) {
    std::vector<std::int64_t> examples;
    for (std::int64_t k = 0; k < kBatch; ++k) examples.push_back((step + k) % data.count());
    return data.take(examples);
  };
  spec.datasets = {{"held_out", test::small_data()}};
  return spec;
}

std::vector<Json> events_of(const std::vector<std::string>& lines) {
  std::vector<Json> events;
  std::size_t next = 0;
  const auto next_line = [&](std::string& line) {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
  run_script(transaction_spec(), {next_line, [&](TrainingId id, const Event& event) {
                                    events.push_back(Json::parse(to_json(id, event)));
                                  }});
  return events;
}

std::vector<Json> named(const std::vector<Json>& events, std::string_view name) {
  std::vector<Json> result;
  for (const Json& event : events) {
    if (event.at("event") == name) result.push_back(event);
  }
  return result;
}

std::vector<double> losses_in(const std::vector<Json>& events) {
  std::vector<double> losses;
  for (const Json& event : named(events, "step_done")) losses.push_back(event.at("loss"));
  for (const Json& event : named(events, "evaluated")) losses.push_back(event.at("loss"));
  return losses;
}

std::string apply_line(const Edit& edit) { return R"({"do": "apply", "edit": )" + to_json(edit) + "}"; }

edits::AddNode constant(Array value, std::string name) {
  return {.op = "Constant", .attrs = {{"value", std::move(value)}}, .name = std::move(name)};
}

Edit reshape_after_dropout(std::vector<std::int64_t> sizes) {
  return {{constant(Array::ints(sizes), "sizes"),
           edits::InsertBetween{
               .value = {"dropout"}, .user = "block", .op = "Reshape", .name = "fold", .more_inputs = {{"sizes"}}}}};
}

struct Mistake {
  const char* name;
  std::function<Edit(const Graph& model)> edit;
  const char* code;
  const char* node;
  const char* text;  // in what was given
};

NodeId input_of(const Graph& model, std::string_view path, std::size_t input) {
  return model.node(model.find_node(path)).inputs.at(input).node;
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> rows = {
      {"logits_that_are_the_loss",
       [](const Graph&) -> Edit { return {{edits::SetOutput{"logits", {"cross_entropy_1"}}}}; }, "bad_shape",
       "cross_entropy_1", "the output 'logits' of shape []"},
      {"input_of_the_data_renamed", [](const Graph&) -> Edit { return {{edits::Rename{"features", "pictures"}}}; },
       "edit_refused", "pictures", "which the data of the training do not feed"},
      {"input_that_nothing_feeds",
       [](const Graph&) -> Edit { return {{edits::AddInput{"extra", {DType::f32, {Dim::symbol("batch")}}}}}; },
       "edit_refused", "extra", "which the data of the training do not feed"},
      {"fewer_units_than_classes",
       [](const Graph&) -> Edit { return {{edits::SetConfig{.at = {"head"}, .attrs = {{"units", 2}}}}}; },
       "computation_error", "head", "index 2"},
      {"reduction_over_the_batch",
       [](const Graph& model) -> Edit {
         return {{edits::SetConstant{input_of(model, "pooled", 1), Array::ints({-3})}}};
       },
       "bad_shape", "Constant#6", "at 'cross_entropy_1/GatherElements#19'"},
      {"compressed_batch",
       [](const Graph&) -> Edit {
         return {{constant(Array::of<bool>({3}, {true, false, true}), "mask"),
                  edits::InsertBetween{.value = {"pooled"},
                                       .user = "head",
                                       .op = "Compress",
                                       .attrs = {{"axis", 0}},
                                       .name = "some",
                                       .more_inputs = {{"mask"}}}}};
       },
       "bad_shape", "some", "at 'cross_entropy_1/GatherElements#19'"},
      {"index_outside_of_the_axis",
       [](const Graph&) -> Edit {
         return {{constant(Array::ints({99, 1, 2, 3, 4, 5, 6, 7}), "indices"),
                  edits::InsertBetween{.value = {"pooled"},
                                       .user = "head",
                                       .op = "Gather",
                                       .attrs = {{"axis", 1}},
                                       .name = "picked",
                                       .more_inputs = {{"indices"}}}}};
       },
       "computation_error", "picked", "index 99 in Gather"},
      {"integer_divided_by_0",
       [](const Graph&) -> Edit {
         return {
             {constant(Array::scalar_i64(0), "nothing"),
              edits::InsertBetween{.value = {"labels"}, .op = "Div", .name = "divided", .more_inputs = {{"nothing"}}}}};
       },
       "computation_error", "divided", "an integer divided by 0"},
      {"reshape_to_another_batch", [](const Graph&) { return reshape_after_dropout({7, 3, 8}); }, "bad_shape", "fold",
       "shape [7, 3, 8] for a tensor of shape [8, 3, 8]"},
      {"reshape_to_the_batch_of_training", [](const Graph&) { return reshape_after_dropout({kBatch, 3, 8}); },
       "bad_shape", "fold", "a model that works with batch = 8 alone"},
  };
  return rows;
}

class Mistakes : public testing::TestWithParam<std::size_t> {};

TEST_P(Mistakes, AreRefusedAndChangeNothing) {
  const Mistake& row = mistakes()[GetParam()];
  const std::string apply = apply_line(row.edit(test::small_classifier()));
  for (const bool before_any_step : {false, true}) {
    SCOPED_TRACE(before_any_step);
    const std::string first = before_any_step ? R"({"do": "run", "steps": 0})" : R"({"do": "run", "steps": 2})";
    const std::string watch = R"({"do": "watch", "paths": ["pooled"]})";
    const std::string run = R"({"do": "run", "steps": 3})";
    const std::string evaluate = R"({"do": "evaluate"})";
    const std::string snapshot = R"({"do": "snapshot"})";
    const auto events = events_of({first, watch, apply, R"({"do": "journal"})", snapshot, run, evaluate});
    const auto twin = events_of({first, watch, snapshot, run, evaluate});
    const auto refused = named(events, "edit_refused");
    ASSERT_EQ(refused.size(), 1U);
    const Json& problem = refused[0].at("problems").at(0);
    EXPECT_EQ(problem.at("code"), row.code) << problem;
    EXPECT_EQ(problem.value("node", ""), row.node) << problem;
    EXPECT_NE(problem.at("given").get<std::string>().find(row.text), std::string::npos) << problem;
    EXPECT_FALSE(problem.value("mend", "").empty()) << problem;
    EXPECT_TRUE(named(events, "edit_applied").empty());
    EXPECT_TRUE(named(events, "failed").empty());
    EXPECT_EQ(named(events, "graph_ready").size(), 1U);
    EXPECT_TRUE(named(events, "journal")[0].at("entries").empty());
    EXPECT_EQ(named(events, "snapshot_taken")[0].at("id"), 1);
    EXPECT_EQ(losses_in(events), losses_in(twin));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Mistakes, testing::Range<std::size_t>(0, mistakes().size()),
                         [](const auto& row) { return std::string(mistakes()[row.param].name); });

// Each of these ended the process once.
TEST(Accepted, OutputsInsideOfTheModel) {
  for (const char* value : {"embed", "block", "dropout", "pooled"}) {
    SCOPED_TRACE(value);
    const Edit edit = {{edits::SetOutput{"o1", {value}}}};
    const auto events = events_of(
        {R"({"do": "run", "steps": 2})", apply_line(edit), R"({"do": "run", "steps": 2})", R"({"do": "evaluate"})"});
    EXPECT_EQ(named(events, "edit_applied").size(), 1U);
    EXPECT_TRUE(named(events, "failed").empty());
    EXPECT_EQ(losses_in(events), losses_in(events_of({R"({"do": "run", "steps": 4})", R"({"do": "evaluate"})"})));
  }
}

TEST(Accepted, ANewNodeAsAnOutput) {
  for (const char* op : {"Elu", "Relu"}) {
    SCOPED_TRACE(op);
    const Edit edit = {
        {edits::AddNode{.op = op, .inputs = {{"embed"}}, .name = "extra"}, edits::SetOutput{"o1", {"extra"}}}};
    const auto events = events_of(
        {R"({"do": "run", "steps": 2})", apply_line(edit), R"({"do": "run", "steps": 2})", R"({"do": "evaluate"})"});
    EXPECT_EQ(named(events, "edit_applied").size(), 1U);
    EXPECT_TRUE(named(events, "failed").empty());
    EXPECT_EQ(named(events, "step_done").size(), 4U);
  }
}

// What only the data show stops the step and tells the number, its place in the batch, and the way back.
TEST(StepThatFails, NamesNodeNumberAndPlaceAndTheWayBack) {
  std::vector<Json> events;
  TrainingSpec spec = transaction_spec();
  spec.batch = [](std::int64_t step) {
    NamedArrays batch = test::small_batch();
    if (step != 2) return batch;
    batch["labels"] = batch.at("labels").copy();
    batch["labels"].set_i64(5, 7);
    return batch;
  };
  std::vector<std::string> lines = {R"({"do": "run", "steps": 2})",
                                    apply_line({{edits::SetConfig{.at = {"dropout"}, .attrs = {{"ratio", 0.5}}}}}),
                                    R"({"do": "run", "steps": 2})", R"({"do": "undo"})"};
  std::size_t next = 0;
  const auto next_line = [&](std::string& line) {
    if (next == lines.size()) return false;
    line = lines[next++];
    return true;
  };
  run_script(std::move(spec), {next_line, [&](TrainingId id, const Event& event) {
                                 events.push_back(Json::parse(to_json(id, event)));
                               }});
  ASSERT_EQ(named(events, "failed").size(), 1U);
  const Json error = named(events, "failed")[0].at("error");
  EXPECT_EQ(error.at("code"), "computation_error") << error;
  EXPECT_EQ(error.at("node").get<std::string>().find("cross_entropy_1"), 0U) << error;
  EXPECT_NE(error.at("given").get<std::string>().find("the number 7 at [5] of the input 'labels'"), std::string::npos)
      << error;
  const Json way_back = {{{"do", "undo"}}, {{"do", "return_to"}, {"id", 1}}};
  EXPECT_EQ(named(events, "failed")[0].at("way_back"), way_back);
  EXPECT_EQ(error.dump().find("do\\\""), std::string::npos) << "words for people hold no messages: " << error;
  EXPECT_EQ(named(events, "paused").back().at("reason"), "failed");
  EXPECT_EQ(named(events, "edit_applied").size(), 2U);
}

}  // namespace
}  // namespace asg::train
