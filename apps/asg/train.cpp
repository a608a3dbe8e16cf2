#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/core.h>
#include <unistd.h>

#include "asg/core/platform.h"
#include "asg/recipe/recipe.h"
#include "asg/train/console.h"
#include "asg/train/event_log.h"
#include "asg/train/script.h"
#include "commands.h"
#include "digits_model.h"
#include "profile_report.h"

namespace asg::app {
namespace {

struct TrainOptions {
  std::string recipe;
  std::vector<std::string> changes;
  std::string script;
  bool resume = false;
  bool profile = false;
  std::string trace;
};

// Without a recipe: the digits, which are part of the program.
constexpr std::string_view kDefaultRecipe = R"(
name = "digits"
[data]
name = "digits"
[optimizer]
kind = "adam"
learning_rate = 3e-3
[course]
epochs = 20
)";

// ---- Ctrl-C: the first one ends the training after its step, with a checkpoint; a second one ends the program.

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
  constexpr int kInterrupted = 130;
  if (interrupted != 0) _exit(kInterrupted);
  interrupted = 1;
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

// Where the logs of a training that goes on must be cut.
std::optional<std::int64_t> latest_step(const recipe::Recipe& recipe, bool resume) {
  if (!resume || recipe.folder.empty()) return std::nullopt;
  const auto all = train::CheckpointStore(recipe::checkpoint_folder(recipe.folder)).list();
  return all.empty() ? std::nullopt : std::optional(all.back().step);
}

std::vector<std::unique_ptr<train::Logger>> file_loggers(const recipe::Recipe& recipe, bool resume) {
  std::vector<std::unique_ptr<train::Logger>> loggers;
  if (recipe.folder.empty()) return loggers;
  std::filesystem::create_directories(recipe.folder);
  const train::LogFileOptions how{.resume_after = latest_step(recipe, resume), .clock = {}};
  if (recipe.log.jsonl || recipe.log.plot) {
    loggers.push_back(train::json_lines_logger(recipe::log_file(recipe.folder), how));
  }
  if (recipe.log.csv) loggers.push_back(train::csv_logger(recipe.folder + "/log.csv", how));
  if (recipe.log.tensorboard) loggers.push_back(train::tensorboard_logger(recipe.folder + "/tensorboard", how));
  return loggers;
}

bool is_not_finite(const train::TrainingResult& result) { return result.reason == "not_finite"; }

void conclude(const recipe::Recipe& recipe, const train::TrainingResult& result, const std::string& checkpoint) {
  const bool stopped = interrupted != 0 || is_not_finite(result);
  fmt::print("{} after {} steps", stopped ? "Stopped" : "Done", result.steps);
  if (is_not_finite(result)) fmt::print(", since the last one was not finite");
  if (result.reason == "early_stopping") fmt::print(", since nothing got better");
  fmt::print("\n");
  if (!checkpoint.empty()) fmt::print("  checkpoint  {}\n", checkpoint);
  if (!recipe.folder.empty()) {
    const std::string picture = recipe.folder + "/loss.svg";
    if (recipe.log.plot && train::plot_log(recipe::log_file(recipe.folder), picture, recipe.name)) {
      fmt::print("  loss plot   {}\n", picture);
    }
    if (interrupted != 0) fmt::print("  go on with  --resume\n");
  }
  for (const auto& [name, value] : result.metrics) {
    if (name == "accuracy") {
      fmt::print("  held-out accuracy: {:.1f} %\n", 100 * value);
    } else {
      fmt::print("  held-out {}: {:.4f}\n", name, value);
    }
  }
}

int run_to_the_end(const recipe::Recipe& recipe, recipe::Prepared prepared, const TrainOptions& options) {
  fmt::print("{}\n  device  {} on {}\n  data    {}\n", recipe.name, recipe.device, platform::cpu_name(), prepared.data);
  prepared.spec.resume = options.resume;
  auto console = std::make_unique<train::Console>();
  train::Console& screen = *console;
  const auto files = train::fan_out(file_loggers(recipe, options.resume));
  const std::int64_t total = prepared.spec.course.last_step().value_or(0);
  train::EventLog shown(screen, total);
  train::EventLog kept(*files, total, recipe.log.every);
  std::string checkpoint;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::shared_ptr<const Profile> profile;
  const train::TrainingResult result = train::run_training(
      std::move(prepared.spec),
      [&](const train::Event& event) {
        if (const auto* ready = std::get_if<train::events::GraphReady>(&event)) {
          screen.print(fmt::format("  model   {} nodes, {} parameters; the step has {} nodes\n",
                                   ready->model->node_count(), ready->parameters, ready->step_nodes));
        }
        if (const auto* saved = std::get_if<train::events::CheckpointSaved>(&event)) {
          checkpoint = saved->path;
        } else {
          shown.write(event);
        }
        kept.write(event);
        return interrupted == 0;
      },
      [&](train::Trainer& trainer) { profile = trainer.profile(); });
  screen.finish();
  files->flush();
  conclude(recipe, result, checkpoint);
  if (options.profile) tell_profile(profile.get(), options);
  return is_not_finite(result) ? 1 : 0;
}

// So that the model can be asked to write, see `asg generate`.
void keep_tokenizer(const recipe::Recipe& recipe, const recipe::Prepared& prepared) {
  if (recipe.folder.empty() || prepared.tokenizer.empty()) return;
  std::filesystem::create_directories(recipe.folder);
  platform::write_file_atomically(recipe::tokenizer_file(recipe.folder), prepared.tokenizer);
}

int run(const TrainOptions& options) {
  const recipe::Recipe recipe = options.recipe.empty()
                                    ? recipe::read_recipe(kDefaultRecipe, recipe::Format::toml, options.changes)
                                    : recipe::load_recipe(options.recipe, options.changes);
  const bool is_default = options.recipe.empty();
  recipe::Prepared prepared =
      recipe::prepare(recipe, is_default ? std::function<Graph()>(digits_model) : std::function<Graph()>());
  prepared.spec.options.profile = options.profile;
  prepared.spec.resume = options.resume;
  keep_tokenizer(recipe, prepared);
  if (!options.script.empty()) return run_by_script(std::move(prepared), options);
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
