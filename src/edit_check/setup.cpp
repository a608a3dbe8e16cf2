#include <filesystem>

#include "asg/core/platform.h"
#include "asg/edit_check/edit_check.h"
#include "asg/graph/json.h"
#include "asg/recipe/recipe.h"

namespace asg::edit_check {
namespace {

struct NamedOptimizer {
  const char* name;
  const char* table;  // as a recipe writes it
};
constexpr NamedOptimizer kOptimizers[] = {
    {"sgd", "kind = \"sgd\"\nlearning_rate = 0.05"},
    {"sgd + momentum + clip", "kind = \"sgd\"\nlearning_rate = 0.02\nmomentum = 0.9\nclip_norm = 1"},
    {"adam", "kind = \"adam\"\nlearning_rate = 0.005"},
    {"adam + accumulate 3", "kind = \"adam\"\nlearning_rate = 0.005\naccumulate = 3"},
    {"adamw + ema + accumulate 2",
     "kind = \"adamw\"\nlearning_rate = 0.005\naccumulate = 2\nema = { decay = 0.9, warmup = true }"},
    {"muon", "kind = \"muon\"\nlearning_rate = 0.01"},
    {"lion + ema", "kind = \"lion\"\nlearning_rate = 0.001\nema = { decay = 0.9 }"},
    {"rmsprop", "kind = \"rmsprop\"\nlearning_rate = 0.002\ncentered = true\nmomentum = 0.5"},
    {"adagrad", "kind = \"adagrad\"\nlearning_rate = 0.02"},
};

const NamedOptimizer& optimizer_by_name(const std::string& name) {
  for (const NamedOptimizer& each : kOptimizers) {
    if (each.name == name) return each;
  }
  std::string known;
  for (const std::string& each : optimizer_names()) known.append(known.empty() ? "" : ", ").append(each);
  fail(ErrorCode::bad_command, "the optimizer '" + name + "'", "one of: " + known);
}

}  // namespace

const std::vector<std::string>& optimizer_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const NamedOptimizer& each : kOptimizers) names.emplace_back(each.name);
    return names;
  }();
  return kNames;
}

// The last batch of validation is smaller than the others, and none has the size of a batch of training.
std::string recipe_of(const Setup& setup, const std::string& model, const std::string& folder) {
  std::string text = "name = \"edits\"\nseed = " + std::to_string(setup.seed) + "\nthreads = 1\n";
  if (!folder.empty()) text += "folder = \"" + folder + "\"\n";
  if (!model.empty()) text += "\n[model]\nfile = \"" + model + "\"\n";
  text += "\n[data]\nname = \"digits\"\nbatch_size = 5\nheld_out = 0.02\n";
  text += std::string("\n[optimizer]\n") + optimizer_by_name(setup.optimizer).table + "\ngradient_norm = true\n";
  text += "\n[course]\nsteps = 1000000\nvalidate_every = 9\ncheckpoints = { every = 1000000 }\n";
  text += "\n[log]\nplot = false\ncsv = false\n";
  return text;
}

train::TrainingSpec make_spec(const Setup& setup, const std::string& folder) {
  const recipe::Recipe recipe = recipe::read_recipe(recipe_of(setup, "", folder), recipe::Format::toml);
  return recipe::prepare(recipe, [&] { return make_model(setup.model); }).spec;
}

std::string write_replay(const std::string& folder, const Setup& setup, const std::vector<std::string>& lines) {
  std::filesystem::create_directories(folder);
  const std::string model = folder + "/model.json";
  const std::string recipe = folder + "/recipe.toml";
  const std::string script = folder + "/script.jsonl";
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  platform::write_file_atomically(model, to_json(make_model(setup.model)));
  platform::write_file_atomically(recipe, recipe_of(setup, model, folder + "/run"));
  platform::write_file_atomically(script, text);
  return "asg train " + recipe + " --script " + script;
}

}  // namespace asg::edit_check
