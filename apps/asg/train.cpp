#include <filesystem>

#include "asg/core/platform.h"
#include "asg/recipe/recipe.h"
#include "commands.h"
#include "compute_options.h"
#include "digits_model.h"
#include "interrupt.h"
#include "profile_report.h"
#include "run_files.h"
#include "train_by_script.h"
#include "train_in_lab.h"
#include "train_report.h"

namespace asg::app {
namespace {

struct TrainOptions {
  std::string recipe;
  std::vector<std::string> changes;
  std::string script;
  bool resume = false;
  bool overwrite = false;
  bool profile = false;
  std::string trace;
  bool in_lab = false;
  bool keep = false;
  LabOptions lab;
};

// Beside the events, which have the standard output for themselves.
void tell_profile(const Profile* profile, const TrainOptions& options) {
  if (profile == nullptr) {
    fail(ErrorCode::missing_value, "a training without a step that could be timed",
         "two steps since the last change of the model, on a device that compiles", "run more steps, on 'cpu'");
  }
  print_profile(*profile, stderr);
  write_trace(*profile, options.trace, stderr);
}

int run_by_script(recipe::Prepared prepared, RunFiles& files, const TrainOptions& options) {
  std::shared_ptr<const Profile> profile;
  prepared.spec.at_end = [&](const train::Trainer& trainer) { profile = trainer.profile(); };
  const int outcome = train_by_script(std::move(prepared), options.script, files);
  if (options.profile) tell_profile(profile.get(), options);
  return outcome;
}

int run_to_the_end(const recipe::Recipe& recipe, recipe::Prepared prepared, RunFiles& files,
                   const TrainOptions& options) {
  TrainReport report(recipe, prepared, files);
  std::shared_ptr<const Profile> profile;
  const train::TrainingResult result = train::run_training(
      std::move(prepared.spec),
      [&](const train::Event& event) {
        report.take(event);
        return !is_interrupted();
      },
      [&](train::Trainer& trainer) { profile = trainer.profile(); });
  report.conclude(result, is_interrupted() ? Ending::interrupted : Ending::by_itself);
  if (options.profile) tell_profile(profile.get(), options);
  return result.reason == "not_finite" ? 1 : 0;
}

GivenRecipe given_recipe(const TrainOptions& options) {
  const bool is_json = std::filesystem::path(options.recipe).extension() == ".json";
  return {.text = options.recipe.empty() ? std::string(kDigitsRecipe) : platform::read_file(options.recipe),
          .format = is_json ? recipe::Format::json : recipe::Format::toml,
          .changes = options.changes};
}

int run(const TrainOptions& options) {
  catch_interrupts();  // before anything is read
  if (!options.script.empty()) check_script(options.script);
  const GivenRecipe given = given_recipe(options);
  const recipe::Recipe recipe = recipe::read_recipe(given.text, given.format, given.changes);
  recipe::Prepared prepared =
      recipe::prepare(recipe, options.recipe.empty() ? std::function<Graph()>(digits_model) : std::function<Graph()>());
  prepared.spec.options.profile = options.profile;
  prepared.spec.resume = options.resume;
  // Before anything is made; a script is told by an event.
  if (options.script.empty()) train::check_course(prepared.spec.course);
  RunFiles files(recipe, prepared, given, options.overwrite);
  prepared.spec.before_start = [&files] { files.begin(); };
  prepared.spec.before_save = [&files] { files.sync(); };
  if (!options.script.empty()) return run_by_script(std::move(prepared), files, options);
  if (options.in_lab) return train_in_lab(recipe, std::move(prepared), files, options.lab, options.keep);
  return run_to_the_end(recipe, std::move(prepared), files, options);
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
  CLI::Option* resume =
      command->add_flag("--resume", options->resume, "Resume from the latest checkpoint in the folder of the training");
  command
      ->add_flag("--overwrite", options->overwrite,
                 "Begin anew in a folder that holds a run: its checkpoints and logs are removed")
      ->excludes(resume);
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
  add_compute_shorts(*command, changes);
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
