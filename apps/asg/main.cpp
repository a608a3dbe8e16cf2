#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>

#include "asg/asg.h"
#include "asg/version.h"
#include "commands.h"
#include "console.h"
#include "limit_options.h"
#include "standard_output.h"

namespace {

constexpr int kUserError = 1;
constexpr int kUsage = 2;
constexpr int kInternal = 3;
constexpr int kReaderGone = 141;  // as shells tell of SIGPIPE, which ends the program where nobody ignores it

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
      "Exit codes: 0 done, 1 a mistake in what was given or a file, disk or memory that fails, 2 a mistake in the "
      "command line, 3 a mistake of ours.");
  app.set_version_flag("--version", std::string("asg ") + asg::kVersion, "Print the version");
  asg::app::add_limit_options(app);
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

int tell(const asg::UserError& error) {
  std::cerr << asg::app::painted("error: ", asg::app::Paint::red, 2) << error.what() << '\n';
  return kUserError;
}

// Whoever has closed the pipe that we write to (`asg ops | head -1`) wants to hear nothing more.
int tell_lost_output(const std::error_code& reason) {
  if (reason == std::errc::broken_pipe) return kReaderGone;
  return tell(asg::UserError({.code = asg::ErrorCode::io_error,
                              .given = "standard output: " + reason.message(),
                              .needed = "a place that takes all of the output",
                              .mend = "free some space there, or send the output elsewhere"}));
}

// What the system refuses is no mistake of ours, also where nobody on the way could say it better.
int tell_failure(const std::system_error& error) {
  const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  if (of_file == nullptr && std::ferror(stdout) != 0) return tell_lost_output(error.code());
  asg::ErrorDetail detail{.code = asg::ErrorCode::io_error, .given = error.what()};
  if (of_file != nullptr) {
    detail.given = "\"" + of_file->path1().string() + "\": " + error.code().message();
    detail.needed = "a path that can be used";
    detail.mend = "check the path, and who may read and write there";
  }
  return tell(asg::UserError(detail));
}

int tell_failure(const std::bad_alloc&) {
  return tell(asg::UserError({.code = asg::ErrorCode::out_of_memory,
                              .given = "a command for which memory ran out",
                              .needed = "more memory than there is",
                              .mend = "use a smaller model, smaller sizes or a smaller batch"}));
}

}  // namespace

int main(int argc, char** argv) {
  asg::app::guard_standard_streams();
  try {
    const int outcome = run(argc, argv);
    const std::error_code lost = asg::app::finish_standard_output();
    return lost ? tell_lost_output(lost) : outcome;
  } catch (const asg::UserError& error) {
    return tell(error);
  } catch (const std::system_error& error) {
    return tell_failure(error);
  } catch (const std::bad_alloc& error) {
    return tell_failure(error);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return kInternal;
  }
}
