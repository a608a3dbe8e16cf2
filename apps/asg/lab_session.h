#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "asg/lab/lab.h"

namespace asg::app {

// What the command line says of the Lab, for all commands that serve it.
struct LabOptions {
  lab::ServerOptions server;
  std::string language = "en";
  bool open_browser = true;
  std::string workspace = ".";  // files that the page names lie below it
  std::size_t trainings = lab::HubOptions{}.most_trainings;
};
// Options that begin with `prefix`: "--port", or "--lab-port".
void add_lab_options(CLI::App& command, LabOptions& options, const std::string& prefix = "--");

// A Lab with what this program can open.
lab::HubOptions hub_options(const LabOptions& options);

// Says where the Lab is, and shows it where there is a desktop and nobody said no.
void announce(const lab::Lab& lab, const LabOptions& options);

// A training by what a person names: a recipe, a model in JSON or ONNX, a name of the zoo, the folder of a run; "" is
// the classifier of digits. `data` may name the data where the rest does not.
lab::Opened open_training(const std::string& what, const std::string& data, const std::vector<std::string>& changes);

}  // namespace asg::app
