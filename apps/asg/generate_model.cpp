#include "generate_model.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "asg/core/platform.h"
#include "asg/io/load_weights.h"
#include "asg/io/safetensors.h"
#include "asg/recipe/recipe.h"
#include "asg/train/checkpoint.h"
#include "asg/zoo/hugging_face.h"
#include "asg/zoo/weights.h"
#include "asg/zoo/zoo.h"
#include "load_model.h"
#include "zoo_settings.h"

namespace asg::app {
namespace {

namespace fs = std::filesystem;

ModelToGenerate from_checkpoint(train::CheckpointData data, const std::string& words) {
  ModelToGenerate result{.graph = data.model.graph(), .words = words};
  result.values = std::move(data.state.variables);
  return result;
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;  // a name that is too long, a folder that may not be read
  return fs::is_directory(path, ignored);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::optional<ModelToGenerate> from_store(const std::string& folder, bool best) {
  const train::CheckpointStore store(folder);
  if (!is_folder(folder) || store.list().empty()) return std::nullopt;
  auto loaded = best ? store.load_best() : store.load_latest();
  if (!loaded) {
    fail(ErrorCode::missing_value, "--best of '" + folder + "'",
         "a checkpoint that knows the metric which tells the best, such as the loss of a validation",
         "leave --best out: the latest is taken");
  }
  return from_checkpoint(std::move(loaded->data), "checkpoint of step " + std::to_string(loaded->info.step));
}

// In the folder or above it: <training>/tokenizer.json, <training>/checkpoints/step-00000100.
std::string tokenizer_beside(const std::string& path, int levels) {
  std::error_code failed;
  fs::path folder = fs::canonical(path, failed);  // so that "run/" and "." have parents too
  if (failed) return "";
  for (; levels >= 0; --levels, folder = folder.parent_path()) {
    const std::string file = recipe::tokenizer_file(folder.string());
    if (is_there(file)) return file;
  }
  return "";
}

bool has_tokenizer(const fs::path& folder) {
  const auto files = {"tokenizer.json", "encoder.json", "vocab.json", "vocab.bpe", "merges.txt", "vocab.txt"};
  return std::any_of(files.begin(), files.end(), [&](const char* file) { return is_there(folder / file); });
}

// An option that would change nothing is a misunderstanding.
void refuse_option(bool is_given, const std::string& option, const std::string& model, const std::string& needed) {
  if (is_given) fail(ErrorCode::bad_command, option + " with " + model, needed, "leave " + option + " out");
}

void refuse_settings(const ModelChoice& choice, const std::string& model) {
  refuse_option(!choice.settings.empty(), "--set", model, "a name of `asg zoo`: only such models are built here");
}

void refuse_weights(const ModelChoice& choice, const std::string& model) {
  refuse_option(!choice.weights.empty(), "--weights", model,
                "a model without weights of its own: a name of `asg zoo`, a model in JSON, a folder of Hugging Face");
}

void refuse_best(const ModelChoice& choice, const std::string& model) {
  refuse_option(choice.best, "--best", model, "the folder of a training, of whose checkpoints one is the best");
}

// By the names of Hugging Face where the file has none of ours.
void load_into(ModelToGenerate& model, const std::string& family, const std::string& path) {
  const io::Safetensors file = io::Safetensors::open(path);
  bool is_ours = false;
  for (const VarId id : model.graph.variable_ids())
    is_ours = is_ours || file.find(model.graph.variable(id).name) != nullptr;
  const zoo::WeightMap* map = family.empty() ? nullptr : zoo::find_weight_map(family, zoo::WeightFormat::hugging_face);
  io::LoadedWeights loaded =
      !is_ours && map != nullptr ? zoo::load_weights(model.graph, *map, file) : io::load_weights(model.graph, file);
  model.values = std::move(loaded.values);
  model.words += ", weights of " + path;
}

ModelToGenerate from_zoo(const zoo::Model& model, const Attrs& settings) {
  return {.graph = zoo::build(model.name, settings), .values = {}, .words = model.name, .tokenizer = {}};
}

ModelToGenerate from_hugging_face(const ModelChoice& choice) {
  const fs::path folder = choice.model;
  refuse_settings(choice, "a folder of Hugging Face");
  refuse_best(choice, "a folder of Hugging Face");
  const auto described = zoo::read_hugging_face_config(platform::read_file((folder / "config.json").string()));
  const zoo::Model& model = zoo::find(described.name);
  ModelToGenerate result = from_zoo(model, described.settings);
  load_into(result, model.family, choice.weights.empty() ? choice.model : choice.weights);
  if (has_tokenizer(folder)) result.tokenizer = choice.model;
  result.context = described.context;
  return result;
}

ModelToGenerate from_folder(const ModelChoice& choice) {
  const fs::path folder = choice.model;
  if (is_there(folder / "manifest.json")) {
    refuse_settings(choice, "a checkpoint");
    refuse_weights(choice, "a checkpoint");
    refuse_best(choice, "one checkpoint");
    ModelToGenerate result = from_checkpoint(train::load_checkpoint(choice.model), "checkpoint " + choice.model);
    result.tokenizer = tokenizer_beside(choice.model, 2);
    return result;
  }
  for (const std::string& store : {recipe::checkpoint_folder(choice.model), choice.model}) {
    if (auto found = from_store(store, choice.best)) {
      refuse_settings(choice, "the folder of a training");
      refuse_weights(choice, "the folder of a training");
      found->tokenizer = tokenizer_beside(choice.model, store == choice.model ? 1 : 0);
      return *std::move(found);
    }
  }
  if (is_there(folder / "config.json")) return from_hugging_face(choice);
  fail(ErrorCode::bad_command, "the folder '" + choice.model + "'",
       "the folder of a training with checkpoints, one checkpoint, or config.json and safetensors of Hugging Face");
}

}  // namespace

ModelToGenerate find_model_to_generate(const ModelChoice& choice) {
  if (is_folder(choice.model)) return from_folder(choice);
  if (is_there(choice.model)) {
    refuse_settings(choice, "a model in a file");
    refuse_best(choice, "a model in a file");
    ModelToGenerate result{.graph = load_model(choice.model), .words = choice.model};
    if (!choice.weights.empty()) load_into(result, "", choice.weights);
    return result;
  }
  if (choice.model.find('/') != std::string::npos || choice.model.ends_with(".json")) {
    fail(ErrorCode::io_error, "the model '" + choice.model + "'", "a file or a folder that exists",
         "`asg zoo` lists the names of ready models");
  }
  const zoo::Model& model = zoo::find(choice.model);
  refuse_best(choice, "a model of the zoo");
  ModelToGenerate result = from_zoo(model, zoo_settings(model, choice.settings));
  if (!choice.weights.empty()) load_into(result, model.family, choice.weights);
  return result;
}

}  // namespace asg::app
