#include "asg/backend/backend_registry.h"
#include "asg/backend/cpu.h"
#include "asg/core/platform.h"
#include "asg/data/loader.h"
#include "asg/data/transform.h"
#include "asg/graph/json.h"
#include "asg/graph/model.h"
#include "asg/io/onnx.h"
#include "asg/train/evaluation.h"
#include "asg/zoo/zoo.h"
#include "recipe/data_of.h"
#include "recipe/zoo_for_data.h"

namespace asg::recipe {
namespace {

Graph load_model(const std::string& file) {
  if (file.ends_with(".onnx")) return io::read_onnx_file(file).graph;
  const std::string text = platform::read_file(file);
  // A model with its journal, as checkpoints hold it.
  return text.starts_with(R"({"format":"asg-model")") ? Model::from_json(text).graph() : read_json(text);
}

// The models of the zoo are made to fit the data, so that these come first.
Graph model_for(const Recipe& recipe, const RecipeData& data, const std::function<Graph()>& otherwise) {
  if (!recipe.model.zoo.empty()) {
    const zoo::Model& model = zoo::find(recipe.model.zoo);
    return zoo::build(model.name, settings_for(model, recipe, data));
  }
  if (otherwise) return otherwise();
  fail(ErrorCode::missing_value, "a recipe without a model", "'zoo' or 'file' in the table 'model'",
       "`asg zoo` lists the models of the zoo");
}

// A label that the model has no score for would be an index out of range somewhere inside of it.
void check_classes_fit(const Graph& model, const data::Dataset& dataset, const std::string& logits) {
  const Output* output = model.find_output(logits);
  if (output == nullptr || dataset.classes() == 0) return;
  const Shape& shape = model.type(output->value).shape;
  if (shape.rank() >= 2 && !shape[shape.rank() - 1].is_known()) return;
  const std::int64_t scores = shape.rank() < 2 ? 1 : shape[shape.rank() - 1].value();
  const bool is_binary = scores == 1 && dataset.classes() == 2;  // one score is enough for two
  if (scores >= dataset.classes() || is_binary) return;
  fail(ErrorCode::bad_index,
       "labels of " + std::to_string(dataset.classes()) + " classes in '" + dataset.name() + "' for a model with " +
           std::to_string(scores) + " scores",
       "a score for each class", "change the model, or leave out its number of classes where it is of the zoo");
}

// The type of the labels that a model takes; nothing where it takes none.
const TensorType* labels_of(const Graph& model, const std::string& labels) {
  const NodeId node = model.find_node(labels);
  return node ? &model.type({node, 0}) : nullptr;
}

// One number an example may be asked for as [examples, 1].
void fit_numbers(const TensorType* labels, data::Split& split) {
  constexpr int kRank = 2;
  if (labels == nullptr || labels->shape.rank() != kRank || labels->shape[1] != Dim(1)) return;
  const auto is_number = [](const data::Dataset& part) {
    return part.has(data::kLabels) && part.classes() == 0 && part.field(data::kLabels).sizes.empty();
  };
  for (data::Dataset* part : {&split.train, &split.held_out}) {
    if (is_number(*part)) *part = part->mapped(data::reshape({1}), {std::string(data::kLabels)});
  }
}

// Without examples there is nothing to validate with.
void validate_only_with_examples(train::Course& course, const data::Dataset& held_out, std::string& words) {
  if (course.validate.empty() || held_out.count() > 0) return;
  course.validate.clear();
  words += "; nothing is held out, so that nothing is validated";
  if (course.saving.options.best) words += " and no checkpoint is the best";
}

std::shared_ptr<Backend> backend_of(const Recipe& recipe) {
  if (recipe.device == "cpu" && recipe.threads > 0) return std::make_shared<CpuBackend>(recipe.threads);
  return BackendRegistry::global().make(recipe.device);
}

}  // namespace

std::string checkpoint_folder(const std::string& folder) { return folder + "/checkpoints"; }
std::string log_file(const std::string& folder) { return folder + "/log.jsonl"; }
std::string tokenizer_file(const std::string& folder) { return folder + "/tokenizer.json"; }

Prepared prepare(const Recipe& recipe, const std::function<Graph()>& otherwise) {
  Prepared result;
  train::TrainingSpec& spec = result.spec;
  const bool has_file = !recipe.model.file.empty();
  if (has_file) spec.model = load_model(recipe.model.file);
  const TensorType* labels = has_file ? labels_of(spec.model, spec.options.labels) : nullptr;
  RecipeData data = data_of(recipe, labels != nullptr && is_float(labels->dtype));
  if (has_file) fit_numbers(labels, data.split);
  if (!has_file) spec.model = model_for(recipe, data, otherwise);
  if (data.vocabulary == 0) check_examples_fit(spec.model, data.split.train, spec.options.features);
  check_classes_fit(spec.model, data.split.train, spec.options.logits);
  spec.backend = backend_of(recipe);
  spec.options.optimizer = recipe.optimizer;
  spec.options.seed = recipe.seed;
  spec.options.bf16 = recipe.bf16;
  if (data.vocabulary > 0) {
    spec.options.features = "tokens";
    spec.options.labels = "targets";
    data.split.train = data.split.train.renamed(data::kFeatures, "tokens").renamed(data::kLabels, "targets");
    data.split.held_out = data.split.held_out.renamed(data::kFeatures, "tokens").renamed(data::kLabels, "targets");
  }
  const auto loader =
      std::make_shared<data::Loader>(data.split.train, data::LoaderOptions{.batch_size = recipe.data.batch_size,
                                                                           .seed = recipe.seed,
                                                                           .workers = recipe.data.workers,
                                                                           .threads = recipe.threads});
  spec.batch = [loader](std::int64_t step) { return loader->at(step).arrays; };
  spec.course = recipe.course;
  spec.course.steps_per_epoch = loader->per_epoch();
  validate_only_with_examples(spec.course, data.split.held_out, data.words);
  if (!spec.course.validate.empty()) {
    train::check_metrics(spec.course.metrics, spec.model, spec.options, data.split.held_out);
  }
  if (!recipe.folder.empty()) spec.course.saving.folder = checkpoint_folder(recipe.folder);
  spec.datasets = {{"train", data.split.train}, {"held_out", data.split.held_out}};
  result.data = std::move(data.words);
  result.tokenizer = std::move(data.tokenizer);
  return result;
}

}  // namespace asg::recipe
