// What recipes make of tables, pictures and texts as people have them.
#include <filesystem>

#include <gtest/gtest.h>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/plot/png.h"
#include "asg/recipe/recipe.h"
#include "support/temporary_folder.h"

namespace asg::recipe {
namespace {

// Two numbers in; out either scores of classes, or one number that is learnt as it is.
std::string model_text(const std::string& kind) {
  Graph graph(kind);
  const Dim batch = Dim::symbol("batch");
  const Tensor x = graph.input("features", {DType::f32, {batch, 2}});
  const std::int64_t outputs = kind == "three_classes" ? 3 : 1;
  const Tensor out = nn::linear(x, outputs, {.name = "line"});
  if (kind == "numbers") {
    const Tensor labels = graph.input("labels", {DType::f32, {batch, 1}});
    graph.set_output("prediction", out);
    graph.set_output("loss", loss::mean_squared_error(out, labels));
    return to_json(graph);
  }
  const Tensor labels = graph.input("labels", {DType::i64, {batch}});
  graph.set_output("logits", out);
  graph.set_output("loss", outputs == 3
                               ? loss::cross_entropy(out, labels)
                               : loss::binary_cross_entropy_with_logits(squeeze(out, {1}), cast(labels, DType::f32)));
  return to_json(graph);
}

class DataOfRecipe : public testing::Test {
 protected:
  Recipe read(const std::string& kind, const std::string& data, const std::string& course = "steps = 2") const {
    std::string model;
    if (!kind.empty()) {
      folder_.write(kind + ".json", model_text(kind));
      model = "[model]\nfile = '" + folder_.path(kind + ".json") + "'\n";
    }
    return read_recipe("device = 'interp'\n" + model + "[data]\nbatch_size = 4\n" + data + "\n[course]\n" + course,
                       Format::toml);
  }
  Prepared made(const std::string& kind, const std::string& data, const std::string& course = "steps = 2") const {
    return prepare(read(kind, data, course), [] { return Graph(); });
  }
  std::string refusal(const std::string& kind, const std::string& data, const std::string& course = "steps = 2") const {
    try {
      made(kind, data, course).spec.batch(0);
    } catch (const UserError& error) {
      return error.what();
    }
    return "accepted";
  }
  // Rows "x,y,k" with what `last` says of each.
  std::string table(const std::function<std::string(int row)>& last, int rows = 40, char separator = ',') const {
    std::string text = std::string("x") + separator + "y" + separator + "k\n";
    for (int row = 0; row < rows; ++row) {
      text += std::to_string(row % 7) + separator + std::to_string(row % 5) + separator + last(row) + "\n";
    }
    folder_.write("table.csv", text);
    return "csv = '" + folder_.path("table.csv") + "'\ntarget = 'k'";
  }
  // Grey pictures of given sizes, two classes by turns; all pixels are `shade`, or differ.
  std::string pictures(const std::vector<Sizes>& sizes, bool constant) const {
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      Array pixels(DType::u8, sizes[k]);
      for (std::int64_t at = 0; at < pixels.count(); ++at) pixels.set_i64(at, constant ? 99 : at * 7 % 256);
      const std::string name = std::string("set/") + (k % 2 == 0 ? "a/" : "b/") + std::to_string(k) + ".png";
      std::filesystem::create_directories(std::filesystem::path(folder_.path(name)).parent_path());
      folder_.write(name, plot::to_png(pixels));
    }
    return "images = '" + folder_.path("set") + "'";
  }

  test::TemporaryFolder folder_;
};

void expect_words(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text << "\nlacks: " << words;
}

TEST_F(DataOfRecipe, PicturesMayDifferInSizeWhereTheyAreResizedFirst) {
  const std::string data = pictures({{8, 8}, {6, 10}, {12, 5}, {8, 9}, {7, 7}, {9, 8}}, false);
  const Prepared prepared = made("", data + "\ntransforms = ['resize 6 5', 'normalise']\nheld_out = 0.3");
  EXPECT_EQ(prepared.spec.batch(0).at("features").type_string(), "f32[4, 3, 6, 5]");
  expect_words(refusal("", data), "transforms = [\"resize 32 32\"]");
  expect_words(refusal("", data), ".png");
}

TEST_F(DataOfRecipe, ResizingAsPicturesAreReadGivesTheSameNumbers) {
  const std::string data = pictures(std::vector<Sizes>(6, {9, 7}), false) + "\nheld_out = 0";
  const Array first = made("", data + "\ntransforms = ['resize 6 5']").spec.batch(0).at("features");
  const Array later = made("", data + "\ntransforms = ['noise 0', 'resize 6 5']").spec.batch(0).at("features");
  EXPECT_TRUE(bit_equal(first, later));
}

TEST_F(DataOfRecipe, AChannelWithoutVariationIsNormalisedTo0) {
  const std::string data = pictures(std::vector<Sizes>(6, {4, 4}), true) + "\ntransforms = ['normalise']";
  const Array features = made("", data).spec.batch(0).at("features");
  for (std::int64_t k = 0; k < features.count(); ++k) EXPECT_EQ(features.get(k), 0);
}

TEST_F(DataOfRecipe, NumbersOfPixelsAreWhole) {
  const std::string data = pictures(std::vector<Sizes>(6, {4, 4}), false);
  for (const char* bad : {"resize 1.7 28", "resize nan 3", "resize 3 inf", "resize -4 4", "crop 0.5", "crop 1e30"}) {
    expect_words(refusal("", data + "\ntransforms = ['" + bad + "']"), "in whole numbers");
    expect_words(refusal("", data + "\ntransforms = ['flip', '" + bad + "']"), "in whole numbers");
  }
}

TEST_F(DataOfRecipe, LabelsAreNumbersWhereTheModelOrTheRecipeSaysSo) {
  const std::string data = table([](int row) { return std::to_string(row * 0.25); });
  Prepared prepared = made("numbers", data, "epochs = 1\nmetrics = ['mse']");
  EXPECT_EQ(prepared.spec.batch(0).at("labels").type_string(), "f32[4, 1]");
  EXPECT_EQ(prepared.spec.datasets.at("held_out").count(), 8);
  const train::TrainingResult result = train::run_training(std::move(prepared.spec));
  EXPECT_NEAR(result.metrics.at("mse"), result.metrics.at("loss"), 1e-3 * result.metrics.at("loss"));
  EXPECT_EQ(made("", data + "\nclasses = false").spec.batch(0).at("labels").type_string(), "f32[4]");
  EXPECT_EQ(made("", data).spec.datasets.at("train").classes(), 40);
  EXPECT_EQ(made("numbers", data + "\nclasses = true").spec.datasets.at("train").classes(), 40);
}

TEST_F(DataOfRecipe, TablesMayHaveGapsAndOtherSeparators) {
  const std::string data = table([](int row) { return row % 4 == 0 ? "" : std::to_string(row); }, 40, ';');
  const std::string how = data + "\nseparator = ';'\nclasses = false";
  expect_words(refusal("", how), "set `missing`");
  const Array labels = made("", how + "\nmissing = -1").spec.datasets.at("train").column("labels");
  EXPECT_EQ(std::count(labels.data<float>().begin(), labels.data<float>().end(), 0.0F), 0);
  EXPECT_GT(std::count(labels.data<float>().begin(), labels.data<float>().end(), -1.0F), 0);
  for (const char* bad : {"separator = ''", "separator = ';;'", "separator = 3", "missing = 'none'", "classes = 2"}) {
    EXPECT_THROW(read("", data + "\n" + bad), UserError) << bad;
  }
}

TEST_F(DataOfRecipe, OneScoreIsEnoughForTwoClasses) {
  const std::string data = table([](int row) { return row % 7 > 2 ? "large" : "small"; });
  const train::TrainingResult result =
      train::run_training(made("one_score", data, "epochs = 1\nmetrics = ['f1', 'roc_auc']").spec);
  EXPECT_LE(result.metrics.at("accuracy"), 1);
  EXPECT_EQ(result.metrics.size(), 4U);
  const std::string three = table([](int row) { return "c" + std::to_string(row % 3); });
  expect_words(refusal("one_score", three), "labels of 3 classes");
}

TEST_F(DataOfRecipe, MetricsThatDoNotFitAreFoundBeforeTheFirstStep) {
  const std::string data = table([](int row) { return "c" + std::to_string(row % 3); });
  expect_words(refusal("three_classes", data, "steps = 2\nmetrics = ['mse']"), "the metric 'mse'");
  EXPECT_EQ(refusal("three_classes", data, "steps = 2\nmetrics = ['mse']\nvalidate = false"), "accepted");
}

TEST_F(DataOfRecipe, WhereNothingIsHeldOutItSaysSo) {
  const std::string data = table([](int row) { return "c" + std::to_string(row % 3); });
  const Prepared none = made("three_classes", data + "\nheld_out = 0");
  EXPECT_TRUE(none.spec.course.validate.empty());
  expect_words(none.data, "0 held out; nothing is held out, so that nothing is validated");
  const Prepared some = made("three_classes", data);
  EXPECT_EQ(some.spec.course.validate, "held_out");
  EXPECT_EQ(some.data.find("nothing"), std::string::npos) << some.data;
  // Two of each of twenty classes: rounding each would hold none out.
  const std::string many = table([](int row) { return "c" + std::to_string(row % 20); });
  EXPECT_EQ(made("", many).spec.datasets.at("held_out").count(), 8);
}

TEST_F(DataOfRecipe, TextsMayBeLearntWhole) {
  folder_.write("text.txt", std::string(200, 'a') + "b");
  Prepared prepared = made("", "text = '" + folder_.path("text.txt") + "'\nlength = 10\nheld_out = 0");
  EXPECT_EQ(prepared.spec.batch(0).at("tokens").sizes(), (Sizes{4, 10}));
  EXPECT_EQ(prepared.spec.datasets.at("held_out").count(), 0);
  EXPECT_EQ(prepared.spec.datasets.at("train").count(), 20);
  EXPECT_TRUE(prepared.spec.course.validate.empty());
}

TEST_F(DataOfRecipe, BestAndEarlyStoppingNameWhatIsMeasured) {
  const auto course = [&](const std::string& text) {
    return refusal("", table([](int row) { return std::to_string(row % 2); }), text);
  };
  expect_words(course("checkpoints = { best = { metric = 'f1' } }"), "the best checkpoint by 'f1'");
  expect_words(course("checkpoints = { best = { metric = 'f1' } }"), "loss, accuracy");
  expect_words(course("early_stopping = { patience = 1, metric = 'auc' }"), "early stopping by 'auc'");
  EXPECT_EQ(course("metrics = ['f1']\ncheckpoints = { best = { metric = 'f1' } }\nvalidate = false"), "accepted");
  EXPECT_EQ(course("checkpoints = { best = { metric = 'loss' } }"), "accepted");
}

}  // namespace
}  // namespace asg::recipe
