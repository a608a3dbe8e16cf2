#include <memory>
#include <string>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/backend/conformance.h"
#include "commands.h"

namespace asg::app {
namespace {

int check_named(const std::string& name) {
  const std::unique_ptr<Backend> backend = BackendRegistry::global().make(name);
  const ConformanceReport report = check_backend(*backend);
  fmt::print("{}{} passed, {} failed\n", report.to_text(), report.rows.size() - report.failures(), report.failures());
  return report.passed() ? 0 : 1;
}

}  // namespace

void add_check(CLI::App& app, int& outcome) {
  CLI::App* command = app.add_subcommand("check", "Check a part of the system");
  command->require_subcommand(1);
  CLI::App* backend = command->add_subcommand("backend", "Check that a backend keeps the contract");
  auto name = std::make_shared<std::string>();
  backend->add_option("name", *name, "Name of the backend; see `asg devices`")->required();
  backend->callback([name, &outcome] { outcome = check_named(*name); });
}

}  // namespace asg::app
