#include "generate_model.h"

#include <filesystem>

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

std::optional<ModelToGenerate> from_store(const std::string& folder, bool best) {
  const train::CheckpointStore store(folder);
  if (!fs::is_directory(folder) || store.list().empty()) return std::nullopt;
  auto loaded = best ? store.load_best() : store.load_latest();
  if (!loaded) return std::nullopt;
  return from_checkpoint(std::move(loaded->data), "checkpoint of step " + std::to_string(loaded->info.step));
}

std::string beside(const fs::path& folder) {
  const std::string file = recipe::tokenizer_file(folder.string());
  return fs::exists(file) ? file : "";
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

ModelToGenerate from_folder(const ModelChoice& choice) {
  const fs::path folder = choice.model;
  if (fs::exists(folder / "manifest.json")) {
    ModelToGenerate result = from_checkpoint(train::load_checkpoint(choice.model), "checkpoint " + choice.model);
    // <training>/checkpoints/step-00000100
    result.tokenizer = beside(fs::absolute(folder).lexically_normal().parent_path().parent_path());
    return result;
  }
  for (const std::string& store : {recipe::checkpoint_folder(choice.model), choice.model}) {
    if (auto found = from_store(store, choice.best)) {
      found->tokenizer = beside(folder);
      return *std::move(found);
    }
  }
  if (fs::exists(folder / "config.json")) {
    const auto described = zoo::read_hugging_face_config(platform::read_file((folder / "config.json").string()));
    const zoo::Model& model = zoo::find(described.name);
    ModelToGenerate result = from_zoo(model, described.settings);
    load_into(result, model.family, choice.weights.empty() ? choice.model : choice.weights);
    result.tokenizer = choice.model;
    return result;
  }
  fail(ErrorCode::bad_command, "the folder '" + choice.model + "'",
       "the folder of a training with checkpoints, one checkpoint, or config.json and safetensors of Hugging Face");
}

}  // namespace

ModelToGenerate find_model_to_generate(const ModelChoice& choice) {
  if (fs::is_directory(choice.model)) return from_folder(choice);
  if (fs::exists(choice.model)) {
    ModelToGenerate result{.graph = load_model(choice.model), .words = choice.model};
    if (!choice.weights.empty()) load_into(result, "", choice.weights);
    return result;
  }
  if (choice.model.find('/') != std::string::npos || choice.model.ends_with(".json")) {
    fail(ErrorCode::io_error, "the model '" + choice.model + "'", "a file or a folder that exists",
         "`asg zoo` lists the names of ready models");
  }
  const zoo::Model& model = zoo::find(choice.model);
  ModelToGenerate result = from_zoo(model, zoo_settings(model, choice.settings));
  if (!choice.weights.empty()) load_into(result, model.family, choice.weights);
  return result;
}

}  // namespace asg::app
