#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "asg/asg.h"
#include "commands.h"
#include "console.h"

namespace {

constexpr int kUserError = 1;
constexpr int kUsage = 2;
constexpr int kInternal = 3;

// The parser only says that a command is missing; this names the one that was not understood.
bool is_unknown_command(const CLI::App& app, const std::string& word) {
  if (word.empty() || word.front() == '-') return false;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return false;
  const std::string near = asg::nearest_name(word, names);
  std::cerr << "There is no command '" << word << "'." << (near.empty() ? "" : " Did you mean '" + near + "'?")
            << "\nRun with --help for more information.\n";
  return true;
}

int run(int argc, char** argv) {
  CLI::App app("ASG: a deep-learning engine whose model is a graph you can see, question and change while it trains.",
               "asg");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done, 1 a mistake in what was given, 2 a mistake in the command line, 3 a mistake of ours.");
  int outcome = 0;
  asg::app::add_demo(app, outcome);
  asg::app::add_train(app, outcome);
  asg::app::add_run(app, outcome);
  asg::app::add_generate(app, outcome);
  asg::app::add_plot(app, outcome);
  asg::app::add_ops(app, outcome);
  asg::app::add_inspect(app, outcome);
  asg::app::add_lab(app, outcome);
  asg::app::add_explain(app, outcome);
  asg::app::add_convert(app, outcome);
  asg::app::add_check(app, outcome);
  asg::app::add_gradcheck(app, outcome);
  asg::app::add_zoo(app, outcome);
  asg::app::add_data(app, outcome);
  asg::app::add_devices(app, outcome);
  asg::app::add_tokens(app, outcome);
  asg::app::add_version(app, outcome);
  if (argc > 1 && is_unknown_command(app, argv[1])) return kUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  return outcome;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const asg::UserError& error) {
    std::cerr << asg::app::painted("error: ", asg::app::Paint::red, 2) << error.what() << '\n';
    return kUserError;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return kInternal;
  }
}
