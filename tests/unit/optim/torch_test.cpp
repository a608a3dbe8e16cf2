// Optimisers, schedules, groups, clipping, accumulation and means of weights follow PyTorch for fifty steps. The file
// is made and checked by tools/peers/optimizers.py.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/optim/schedule.h"
#include "unit/optim/small_training.h"

namespace asg::test {
namespace {

using Json = nlohmann::json;

constexpr double kBound = 1e-9;

const Json& trajectories() {
  static const Json file = [] {
    std::ifstream stream(ASG_SOURCE_DIR "/tests/unit/optim/data/torch_trajectories.json");
    return Json::parse(stream);
  }();
  return file;
}

Attrs settings_of(const Json& form) {
  Attrs settings;
  for (const auto& [name, value] : form.items()) {
    if (value.is_boolean()) {
      settings.set(name, value.get<bool>());
    } else if (value.is_array()) {
      settings.set(name, value.get<std::vector<std::int64_t>>());
    } else if (value.is_number_integer()) {
      settings.set(name, value.get<std::int64_t>());
    } else {
      settings.set(name, value.get<double>());
    }
  }
  return settings;
}

optim::Group group_of(const Json& form) {
  optim::Group group{.match = form.at("match").get<std::string>()};
  if (form.contains("settings")) group.settings = settings_of(form["settings"]);
  if (form.contains("learning_rate_factor")) group.learning_rate_factor = form["learning_rate_factor"].get<double>();
  group.frozen = form.value("frozen", false);
  return group;
}

optim::Optimizer optimizer_of(const Json& form) {
  optim::Optimizer optimizer =
      optim::optimizer_named(form.at("kind").get<std::string>(), settings_of(form.at("settings")));
  if (form.contains("groups")) {
    for (const Json& group : form["groups"]) optimizer.groups.push_back(group_of(group));
  }
  optimizer.clip_norm = form.value("clip_norm", 0.0);
  optimizer.clip_value = form.value("clip_value", 0.0);
  optimizer.accumulate = form.value("accumulate", 1);
  if (form.contains("ema")) optimizer.ema = {form["ema"].at("decay"), form["ema"].value("warmup", false)};
  return optimizer;
}

optim::Schedule schedule_of(const Json& form) {
  if (!form.contains("schedule")) return {};
  return optim::schedule_named(form["schedule"].at("kind").get<std::string>(),
                               settings_of(form["schedule"].at("settings")));
}

Array array_of(const Json& form) {
  return Array::of<double>(form.at("sizes").get<Sizes>(), form.at("values").get<std::vector<double>>());
}

void expect_near(const Array& ours, const Json& expected, const std::string& what) {
  ASSERT_EQ(ours.count(), static_cast<std::int64_t>(expected.size())) << what;
  for (std::int64_t k = 0; k < ours.count(); ++k) {
    EXPECT_NEAR(ours.get(k), expected[static_cast<std::size_t>(k)].get<double>(), kBound) << what << ", element " << k;
  }
}

struct Case {
  std::size_t number = 0;
  std::string backend = {};
};

class FollowsTorch : public testing::TestWithParam<Case> {};

TEST_P(FollowsTorch, ForFiftySteps) {
  const Json& file = trajectories();
  const Json& form = file.at("cases").at(GetParam().number);
  const optim::Optimizer optimizer = optimizer_of(form);
  const optim::Schedule schedule = schedule_of(form);
  optim::ScheduleState state;
  SmallTraining training(small_model(), optimizer, GetParam().backend);
  const std::map<VarId, VarId> means = optim::ema_variables(training.graph().updates);
  for (const auto& [name, value] : file.at("initial").items()) {
    training.write(name, array_of(value));
    const auto mean = means.find(training.graph().graph.find_variable(name));
    if (mean != means.end()) training.write("optimizer/" + name + ".ema", array_of(value));
  }
  std::vector<NamedArrays> batches;
  for (const Json& batch : file.at("batches")) {
    batches.push_back({{"x", array_of(batch.at("x"))}, {"y", array_of(batch.at("y"))}});
  }
  const auto shown = file.at("shown").get<std::size_t>();
  const auto steps = file.at("steps").get<std::size_t>();
  std::int64_t updates = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    training.set_learning_rate(optimizer.learning_rate() * optim::factor_at(schedule, updates, state));
    ASSERT_TRUE(training.step(batches[step % batches.size()]));
    if (training.updated()) {
      ++updates;
      optim::observe(schedule, training.loss(), state);
    }
    if ((step + 1) % shown != 0) continue;
    EXPECT_NEAR(training.loss(), form.at("losses").at(step / shown).get<double>(), kBound) << "step " << step + 1;
  }
  for (const auto& [name, expected] : form.at("final").items()) expect_near(training.read(name), expected, name);
  if (!form.contains("means")) return;
  for (const auto& [parameter, mean] : means) {
    const std::string& name = training.graph().graph.variable(parameter).name;
    expect_near(training.read(mean), form["means"].at(name), "mean of " + name);
  }
  EXPECT_EQ(means.size(), form["means"].size());
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (std::size_t number = 0; number < trajectories().at("cases").size(); ++number) {
    for (const char* backend : {"interp", "cpu"}) result.push_back({number, backend});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, FollowsTorch, testing::ValuesIn(cases()), [](const auto& row) {
  return trajectories().at("cases").at(row.param.number).at("name").template get<std::string>() + "_" +
         row.param.backend;
});

}  // namespace
}  // namespace asg::test
