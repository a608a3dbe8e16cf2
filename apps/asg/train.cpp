#include <fstream>
#include <iostream>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/backend/backend_registry.h"
#include "asg/train/script.h"
#include "commands.h"
#include "digits_model.h"
#include "load_model.h"
#include "profile_report.h"

namespace asg::app {
namespace {

struct TrainOptions {
  std::string script;
  std::string data = "digits";
  std::string model;
  std::string device = "cpu";
  std::string optimizer = "adam";
  double learning_rate = 3e-3;
  std::int64_t batch_size = 64;
  std::uint64_t seed = 1;
  bool profile = false;
  bool bf16 = false;
  std::string trace;
};

constexpr double kHeldOut = 0.2;
constexpr std::uint64_t kSplitSeed = 20;

// Synthetic examples look like the digits, so that the same models take both.
data::Dataset dataset_of(const TrainOptions& options) {
  constexpr std::int64_t kExamples = 640;
  if (options.data == "digits") return data::digits();
  return data::synthetic(kExamples, {8, 8}, 10, options.seed);
}

train::TrainingSpec spec_of(const TrainOptions& options) {
  train::TrainingSpec spec;
  spec.model = options.model.empty() ? digits_model() : load_model(options.model);
  spec.backend = BackendRegistry::global().make(options.device);
  spec.options.optimizer = optim::optimizer_named(options.optimizer, {{"learning_rate", options.learning_rate}});
  spec.options.seed = options.seed;
  spec.options.profile = options.profile;
  spec.options.bf16 = options.bf16;
  data::Split split = data::stratified_split(dataset_of(options), kHeldOut, kSplitSeed);
  const auto loader = std::make_shared<data::Loader>(
      split.train, data::LoaderOptions{.batch_size = options.batch_size, .seed = options.seed});
  spec.batch = [loader](std::int64_t step) { return loader->at(step).arrays; };
  spec.datasets = {{"train", std::move(split.train)}, {"held_out", std::move(split.held_out)}};
  return spec;
}

// Beside the events, which have the standard output for themselves.
void tell_profile(const Profile* profile, const TrainOptions& options) {
  if (profile == nullptr) {
    fail(ErrorCode::missing_value, "a training without a step that could be timed",
         "two steps since the last change of the model, on a device that compiles",
         "let the script run more steps, on 'cpu'");
  }
  print_profile(*profile, stderr);
  write_trace(*profile, options.trace, stderr);
}

int run(const TrainOptions& options) {
  std::ifstream file;
  if (options.script != "-") {
    file.open(options.script);
    if (!file) {
      fail(ErrorCode::io_error, "the script '" + options.script + "'", "a file that can be read",
           "check the path, or give - for the standard input");
    }
  }
  std::istream& lines = options.script == "-" ? std::cin : file;
  train::TrainingSpec spec = spec_of(options);
  std::shared_ptr<const Profile> profile;
  spec.at_end = [&](const train::Trainer& trainer) { profile = trainer.profile(); };
  const train::ScriptResult result = train::run_script(
      std::move(spec), [&](std::string& line) { return static_cast<bool>(std::getline(lines, line)); },
      [](std::string_view event) { std::cout << event << std::endl; });
  if (options.profile) tell_profile(profile.get(), options);
  return result.refused == 0 ? 0 : 1;
}

}  // namespace

void add_train(CLI::App& app, int& outcome) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command =
      app.add_subcommand("train", "Train a model by a script: messages in, events out, as lines of JSON");
  command->add_option("--script", options->script, "File with a message on each line, or - for the standard input")
      ->required();
  command->add_option("--data", options->data, "What to learn from")
      ->check(CLI::IsMember({"digits", "synthetic"}))
      ->capture_default_str();
  command->add_option("--model", options->model,
                      "A model in JSON or ONNX; without it an attention classifier for digits");
  command->add_option("--device", options->device, "Where to compute; see `asg devices`")->capture_default_str();
  command->add_option("--optimizer", options->optimizer, "How parameters follow their gradients")
      ->check(CLI::IsMember(optim::optimizer_names()))
      ->capture_default_str();
  command->add_option("--learning-rate", options->learning_rate, "Size of a step")->capture_default_str();
  command->add_option("--batch-size", options->batch_size, "Examples in a step")->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of everything random")->capture_default_str();
  command->add_flag("--bf16", options->bf16,
                    "Let products round their operands to bf16 where the processor is faster so");
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
