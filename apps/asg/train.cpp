#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/core.h>
#include <unistd.h>

#include "asg/core/platform.h"
#include "asg/recipe/recipe.h"
#include "asg/train/script.h"
#include "commands.h"
#include "digits_model.h"
#include "profile_report.h"
#include "train_in_lab.h"
#include "train_report.h"

namespace asg::app {
namespace {

struct TrainOptions {
  std::string recipe;
  std::vector<std::string> changes;
  std::string script;
  bool resume = false;
  bool profile = false;
  std::string trace;
  bool in_lab = false;
  bool keep = false;
  LabOptions lab;
};

// ---- Ctrl-C: the first one ends the training after its step, with a checkpoint; a second one ends the program.

volatile std::sig_atomic_t interrupts = 0;

void on_interrupt(int) {
  constexpr int kInterrupted = 130;
  if (interrupts != 0) _exit(kInterrupted);
  interrupts = 1;
}

// Beside the events, which have the standard output for themselves.
void tell_profile(const Profile* profile, const TrainOptions& options) {
  if (profile == nullptr) {
    fail(ErrorCode::missing_value, "a training without a step that could be timed",
         "two steps since the last change of the model, on a device that compiles", "run more steps, on 'cpu'");
  }
  print_profile(*profile, stderr);
  write_trace(*profile, options.trace, stderr);
}

int run_by_script(recipe::Prepared prepared, const TrainOptions& options) {
  std::ifstream file;
  if (options.script != "-") {
    file.open(options.script);
    if (!file) {
      fail(ErrorCode::io_error, "the script '" + options.script + "'", "a file that can be read",
           "check the path, or give - for the standard input");
    }
  }
  std::istream& lines = options.script == "-" ? std::cin : file;
  std::shared_ptr<const Profile> profile;
  prepared.spec.at_end = [&](const train::Trainer& trainer) { profile = trainer.profile(); };
  const train::ScriptResult result = train::run_script(
      std::move(prepared.spec), [&](std::string& line) { return static_cast<bool>(std::getline(lines, line)); },
      [](std::string_view event) { std::cout << event << std::endl; });
  if (options.profile) tell_profile(profile.get(), options);
  return result.refused == 0 ? 0 : 1;
}

int run_to_the_end(const recipe::Recipe& recipe, recipe::Prepared prepared, const TrainOptions& options) {
  TrainReport report(recipe, prepared, options.resume);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::shared_ptr<const Profile> profile;
  const train::TrainingResult result = train::run_training(
      std::move(prepared.spec),
      [&](const train::Event& event) {
        report.take(event);
        return interrupts == 0;
      },
      [&](train::Trainer& trainer) { profile = trainer.profile(); });
  report.conclude(result, interrupts != 0);
  if (options.profile) tell_profile(profile.get(), options);
  return result.reason == "not_finite" ? 1 : 0;
}

// So that the model can be asked to write, see `asg generate`.
void keep_tokenizer(const recipe::Recipe& recipe, const recipe::Prepared& prepared) {
  if (recipe.folder.empty() || prepared.tokenizer.empty()) return;
  std::filesystem::create_directories(recipe.folder);
  platform::write_file_atomically(recipe::tokenizer_file(recipe.folder), prepared.tokenizer);
}

// So that the folder can be opened again as it is, see `asg lab`.
void keep_recipe(const recipe::Recipe& recipe, const TrainOptions& options) {
  if (recipe.folder.empty()) return;
  std::filesystem::create_directories(recipe.folder);
  const bool is_json = std::filesystem::path(options.recipe).extension() == ".json";
  const std::string text = options.recipe.empty() ? std::string(kDigitsRecipe) : platform::read_file(options.recipe);
  recipe::keep_recipe(recipe.folder, text, is_json ? recipe::Format::json : recipe::Format::toml, options.changes);
}

int run(const TrainOptions& options) {
  const bool is_default = options.recipe.empty();
  const recipe::Recipe recipe = is_default ? recipe::read_recipe(kDigitsRecipe, recipe::Format::toml, options.changes)
                                           : recipe::load_recipe(options.recipe, options.changes);
  recipe::Prepared prepared =
      recipe::prepare(recipe, is_default ? std::function<Graph()>(digits_model) : std::function<Graph()>());
  prepared.spec.options.profile = options.profile;
  prepared.spec.resume = options.resume;
  keep_tokenizer(recipe, prepared);
  keep_recipe(recipe, options);
  if (!options.script.empty()) return run_by_script(std::move(prepared), options);
  if (options.in_lab) return train_in_lab(recipe, std::move(prepared), options.lab, options.keep);
  return run_to_the_end(recipe, std::move(prepared), options);
}

// An option that is short for a change of the recipe.
void add_short(CLI::App& command, const std::string& name, const std::string& key, const std::string& words,
               std::vector<std::string>& changes, bool is_text) {
  command.add_option_function<std::string>(
      name,
      [key, is_text, &changes](const std::string& value) {
        changes.push_back(key + "=" + (is_text ? "'" + value + "'" : value));
      },
      words + " (" + key + ")");
}

}  // namespace

void add_train(CLI::App& app, int& outcome) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand(
      "train", "Train a model by a recipe in TOML or JSON, or by a script of messages; docs/recipes.md");
  command->add_option("recipe", options->recipe,
                      "Description of the training, .toml or .json; without it a small classifier learns digits");
  command->add_option("--set", options->changes, "Change a value of the recipe: --set course.epochs=3")
      ->type_name("KEY=VALUE");
  command->add_option("--script", options->script,
                      "Be driven by messages in JSON, one on each line of a file, or - for the standard input; events "
                      "come out as lines of JSON");
  command->add_flag("--resume", options->resume, "Go on from the latest checkpoint in the folder of the training");
  CLI::Option* in_lab = command->add_flag("--lab", options->in_lab, "Show the training in the Model Lab meanwhile");
  command->add_flag("--keep", options->keep, "Serve the Lab after the training too, until Ctrl-C")->needs(in_lab);
  add_lab_options(*command, options->lab, "--lab-");
  std::vector<std::string>& changes = options->changes;
  add_short(*command, "--folder", "folder", "Where checkpoints, logs and plots go", changes, true);
  add_short(*command, "--data", "data.name", "What to learn from; `asg data list` tells the names", changes, true);
  add_short(*command, "--model", "model.file", "A model in JSON or ONNX", changes, true);
  add_short(*command, "--optimizer", "optimizer.kind", "How parameters follow their gradients", changes, true);
  add_short(*command, "--learning-rate", "optimizer.learning_rate", "Size of a step", changes, false);
  add_short(*command, "--batch-size", "data.batch_size", "Examples in a step", changes, false);
  add_short(*command, "--device", "device", "Where to compute; see `asg devices`", changes, true);
  add_short(*command, "--threads", "threads", "Threads that compute; 0: as many as there are", changes, false);
  add_short(*command, "--seed", "seed", "Seed of everything random", changes, false);
  command->add_flag_callback(
      "--bf16", [&changes] { changes.emplace_back("bf16=true"); },
      "Let products round their operands to bf16 where the processor is faster so (bf16)");
  CLI::Option* profile =
      command
          ->add_option(
              "--profile", options->trace,
              "Time the steps since the last change of the model, but for the first; tables go to the standard "
              "error. With a file, also write a trace for Perfetto")
          ->expected(0, 1)
          ->type_name("[FILE]");
  command->callback([options, profile, &outcome] {
    options->profile = profile->count() > 0;
    outcome = run(*options);
  });
}

}  // namespace asg::app
