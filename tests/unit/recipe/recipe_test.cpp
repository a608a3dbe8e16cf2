#include "asg/recipe/recipe.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg::recipe {
namespace {

constexpr std::string_view kWhole = R"(
name = "all of it"
seed = 7
device = "interp"
threads = 1
bf16 = true
folder = "somewhere"
[model]
zoo = "lenet"
classes = 10
[data]
name = "digits"
batch_size = 16
workers = 0
held_out = 0.25
transforms = ["noise 0.1", "normalise"]
[optimizer]
kind = "sgd"
learning_rate = 0.1
momentum = 0.9
clip_norm = 1
accumulate = 2
ema = { decay = 0.99 }
groups = [{ match = "*.bias", learning_rate_factor = 2.0 }, { rank_below = 2, frozen = true }]
[schedule]
kind = "exponential"
gamma = 0.5
[course]
steps = 9
epochs = 2
validate_every = 3
when_not_finite = "pause"
metrics = ["f1", { name = "top_k_accuracy", k = 3 }]
evaluate_mean = true
early_stopping = { patience = 4, metric = "accuracy", mode = "max" }
checkpoints = { every = 5, keep = 1, best = { metric = "f1" } }
[log]
every = 2
tensorboard = true
)";

TEST(Recipe, ReadsEveryPart) {
  const Recipe recipe = read_recipe(kWhole, Format::toml);
  EXPECT_EQ(recipe.name, "all of it");
  EXPECT_EQ(recipe.seed, 7U);
  EXPECT_TRUE(recipe.bf16);
  EXPECT_EQ(recipe.model.zoo, "lenet");
  EXPECT_EQ(recipe.model.settings.find("classes")->as_integer(), 10);
  EXPECT_EQ(recipe.data.batch_size, 16);
  EXPECT_EQ(recipe.data.transforms.size(), 2U);
  EXPECT_EQ(recipe.optimizer.kind, "sgd");
  EXPECT_EQ(recipe.optimizer.learning_rate(), 0.1);
  EXPECT_EQ(recipe.optimizer.accumulate, 2);
  EXPECT_EQ(recipe.optimizer.ema.decay, 0.99);
  ASSERT_EQ(recipe.optimizer.groups.size(), 2U);
  EXPECT_EQ(recipe.optimizer.groups[0].learning_rate_factor, 2.0);
  EXPECT_TRUE(recipe.optimizer.groups[1].frozen);
  EXPECT_EQ(recipe.course.schedule.kind, "exponential");
  EXPECT_EQ(recipe.course.steps, 9);
  EXPECT_EQ(recipe.course.epochs, 2);
  EXPECT_EQ(recipe.course.early_stopping.patience, 4);
  EXPECT_EQ(recipe.course.early_stopping.mode, train::BestBy::Mode::max);
  EXPECT_EQ(recipe.course.saving.every, 5);
  EXPECT_EQ(recipe.course.saving.options.best->metric, "f1");
  EXPECT_EQ(recipe.course.saving.options.best->mode, train::BestBy::Mode::max);  // of this metric
  ASSERT_EQ(recipe.course.metrics.size(), 2U);
  EXPECT_EQ(recipe.course.metrics[0], "f1");
  EXPECT_EQ(recipe.course.metrics[1], R"({"k":3,"name":"top_k_accuracy"})");
  EXPECT_TRUE(recipe.course.evaluate_mean);
  EXPECT_EQ(recipe.course.when_not_finite, train::WhenNotFinite::pause);
  EXPECT_TRUE(recipe.log.tensorboard);
}

TEST(Recipe, ChangesStandAboveTheFile) {
  const std::vector<std::string> changes = {"optimizer.learning_rate=3e-4",  "data.name=synthetic", "course.epochs=5",
                                            "data.transforms=[\"flatten\"]", "name='two words'",    "model.classes=3"};
  const Recipe recipe = read_recipe(kWhole, Format::toml, changes);
  EXPECT_EQ(recipe.optimizer.learning_rate(), 3e-4);
  EXPECT_EQ(recipe.data.name, "synthetic");
  EXPECT_EQ(recipe.course.epochs, 5);
  EXPECT_EQ(recipe.data.transforms, std::vector<std::string>{"flatten"});
  EXPECT_EQ(recipe.name, "two words");
  EXPECT_EQ(recipe.model.settings.find("classes")->as_integer(), 3);
}

TEST(Recipe, IsTheSameInJson) {
  const Recipe recipe =
      read_recipe(R"({"data": {"name": "digits", "batch_size": 8}, "course": {"steps": 3}})", Format::json);
  EXPECT_EQ(recipe.data.batch_size, 8);
  EXPECT_EQ(recipe.course.steps, 3);
}

struct Bad {
  const char* name;
  std::string text;
  ErrorCode code;
  const char* says;
};

class BadRecipe : public testing::TestWithParam<Bad> {};

TEST_P(BadRecipe, SaysWhatIsWrong) {
  try {
    read_recipe(GetParam().text, Format::toml);
    ADD_FAILURE() << "read without an error";
  } catch (const UserError& error) {
    EXPECT_EQ(error.code(), GetParam().code);
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
  }
}

std::vector<Bad> bad_recipes() {
  const std::string data = "[data]\nname = 'digits'\n";
  return {
      {"no_toml", "a = [1,", ErrorCode::bad_attribute, "line 1"},
      {"date", "name = 1979-05-27", ErrorCode::bad_attribute, "a date or time in line 1"},
      {"no_data", "", ErrorCode::bad_attribute, "0 of 'name', 'csv', 'images' and 'text'"},
      {"two_data", "[data]\nname = 'digits'\ncsv = 'x'", ErrorCode::bad_attribute, "2 of"},
      {"text_for_a_number", "[data]\nname = 'digits'\nbatch_size = 'many'", ErrorCode::bad_attribute,
       "data.batch_size"},
      {"batch_of_none", "[data]\nname = 'digits'\nbatch_size = 0", ErrorCode::bad_attribute, "at least 1"},
      {"all_held_out", "[data]\nname = 'digits'\nheld_out = 1.0", ErrorCode::bad_attribute, "held_out"},
      {"number_for_a_table", "data = 3", ErrorCode::bad_attribute, "a table"},
      {"unknown_key", data + "[course]\nepoch = 3", ErrorCode::unknown_attribute, "did you mean 'epochs'?"},
      {"unknown_table", data + "[cours]\nepochs = 3", ErrorCode::unknown_attribute, "did you mean 'course'?"},
      {"unknown_optimizer", data + "[optimizer]\nkind = 'adman'", ErrorCode::bad_attribute, "adamw"},
      {"unknown_setting", data + "[optimizer]\nlerning_rate = 1.0", ErrorCode::unknown_attribute, "learning_rate"},
      {"unknown_schedule", data + "[schedule]\nkind = 'sine'", ErrorCode::bad_attribute, "cosine"},
      {"not_finite", data + "[optimizer]\nclip_norm = inf", ErrorCode::bad_attribute, "a finite number"},
      {"unknown_metric", data + "[course]\nmetrics = ['f2']", ErrorCode::unknown_attribute, "f2"},
      {"number_for_a_metric", data + "[course]\nmetrics = [3]", ErrorCode::bad_attribute, "a list of names and tables"},
      {"two_models", data + "[model]\nzoo = 'lenet'\nfile = 'x'", ErrorCode::bad_attribute, "both"},
  };
}

INSTANTIATE_TEST_SUITE_P(All, BadRecipe, testing::ValuesIn(bad_recipes()),
                         [](const auto& each) { return each.param.name; });

TEST(Recipe, BadChangesAreRefused) {
  for (const char* change : {"", "=3", "course.epochs", "course..epochs=3", "name.first=3"}) {
    EXPECT_THROW(read_recipe(kWhole, Format::toml, std::vector<std::string>{change}), UserError) << change;
  }
}

// ---- Made ready

TEST(Prepare, FitsAModelOfTheZooToTheData) {
  const std::vector<std::string> changes = {"folder=''", "bf16=false", "model.padding=6"};
  Prepared prepared = prepare(read_recipe(kWhole, Format::toml, changes));
  const std::int64_t examples = prepared.spec.datasets.at("train").count();
  EXPECT_NEAR(static_cast<double>(examples), 0.75 * 1797, 5);
  EXPECT_EQ(prepared.spec.datasets.at("held_out").count(), 1797 - examples);
  EXPECT_EQ(prepared.spec.course.steps_per_epoch, examples / 16);
  const NamedArrays batch = prepared.spec.batch(0);
  EXPECT_EQ(batch.at("features").sizes(), (Sizes{16, 8, 8}));
  EXPECT_EQ(prepared.spec.model.type({prepared.spec.model.inputs()[0], 0}).shape.rank(), 3);
}

TEST(Prepare, TrainsByATableOfNumbers) {
  const std::string path = testing::TempDir() + "/recipe_table.csv";
  std::ofstream file(path);
  file << "a,b,kind\n";
  for (int row = 0; row < 40; ++row)
    file << row % 7 << ',' << row % 3 << ',' << (row % 2 == 0 ? "even" : "odd") << '\n';
  file.close();
  const std::string text = "[data]\ncsv = '" + path + "'\ntarget = 'kind'\nbatch_size = 8\n[course]\nsteps = 3";
  const Recipe recipe = read_recipe(text, Format::toml);
  EXPECT_THROW(prepare(recipe), UserError);  // names no model
  const Prepared prepared = prepare(recipe, [] { return Graph(); });
  EXPECT_EQ(prepared.spec.batch(0).at("features").sizes(), (Sizes{8, 2}));
  EXPECT_EQ(prepared.spec.datasets.at("train").classes(), 2);
  std::filesystem::remove(path);
}

TEST(Prepare, TrainsByAText) {
  const std::string path = testing::TempDir() + "/recipe_text.txt";
  std::ofstream(path) << std::string(400, 'a') + "bc" + std::string(400, 'b');
  const std::string text =
      "device = 'interp'\n[model]\nzoo = 'gpt2_char_small'\nfeatures = 8\nheads = 2\nlayers = 1\n[data]\ntext = '" +
      path + "'\nlength = 10\nbatch_size = 4\n[course]\nsteps = 2\nvalidate_every = 2";
  Prepared prepared = prepare(read_recipe(text, Format::toml));
  EXPECT_EQ(prepared.spec.batch(0).at("tokens").sizes(), (Sizes{4, 10}));
  const train::TrainingResult result = train::run_training(std::move(prepared.spec));
  EXPECT_EQ(result.steps, 2);
  EXPECT_GT(result.metrics.at("loss"), 0);
  std::filesystem::remove(path);
}

TEST(Prepare, RefusesUnknownTransformsAndData) {
  const auto refused = [](const std::string& data) {
    EXPECT_THROW(prepare(read_recipe("[model]\nzoo = 'lenet'\n[data]\n" + data, Format::toml)), UserError) << data;
  };
  refused("name = 'digits'\ntransforms = ['shrink']");
  refused("name = 'digits'\ntransforms = ['crop']");
  refused("name = 'digits'\ntransforms = ['crop much']");
  refused("name = 'elephants'");
  refused("csv = 'nowhere.csv'");
  refused("name = 'digits'\nbatch_size = 100000");
}

TEST(Recipes, OfTheExamplesAreRead) {
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ASG_SOURCE_DIR "/examples/recipes")) {
    EXPECT_NO_THROW(load_recipe(entry.path().string())) << entry.path();
    ++read;
  }
  EXPECT_GE(read, 3U);
}

}  // namespace
}  // namespace asg::recipe
