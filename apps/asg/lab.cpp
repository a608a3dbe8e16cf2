#include <csignal>

#include <fmt/core.h>

#include "commands.h"
#include "compute_options.h"
#include "lab_session.h"
#include "stop_signal.h"
#include "unsaved_work.h"

namespace asg::app {
namespace {

struct LabCommand {
  LabOptions lab;
  std::string what;
  std::string data;
  std::vector<std::string> changes;
  bool run = false;
};

int serve(const LabCommand& command) {
  StopSignal stop;  // before anything is read
  lab::Opened opened = open_training(command.what, command.data, command.changes);
  UnsavedWork work;
  lab::HubOptions hub = hub_options(command.lab);
  hub.sink = [&work](train::TrainingId id, const train::Event& event) { work.take(id, event); };
  lab::Lab lab(command.lab.server, std::move(hub));
  fmt::print("{}\n", opened.label);
  const train::TrainingId training = lab.hub().add(std::move(opened.label), std::move(opened.spec));
  if (command.run) lab.hub().post(training, train::messages::Run{});
  announce(lab, command.lab);
  fmt::print("  Ctrl-C ends it\n");
  std::fflush(stdout);
  stop.wait();
  return work.save_and_stop(lab.hub()) ? 0 : 1;
}

}  // namespace

void add_lab(CLI::App& app, int& outcome) {
  auto options = std::make_shared<LabCommand>();
  CLI::App* command =
      app.add_subcommand("lab", "Serve the Model Lab: a page on which a training is looked at, questioned and changed");
  command->add_option(
      "what", options->what,
      "A recipe, a model in JSON or ONNX, a name of the zoo, or the folder of a run; without it a small "
      "classifier of digits");
  command->add_option("--data", options->data, "What to learn from; `asg data list` tells the names");
  command->add_option("--set", options->changes, "Change a value of the recipe: --set optimizer.learning_rate=1e-4")
      ->type_name("KEY=VALUE");
  add_compute_shorts(*command, options->changes);
  command->add_flag("--run", options->run, "Begin to train at once");
  add_lab_options(*command, options->lab);
  command->callback([options, &outcome] { outcome = serve(*options); });
}

}  // namespace asg::app
