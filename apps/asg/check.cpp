#include <memory>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "asg/asg.h"
#include "asg/backend/conformance.h"
#include "asg/core/platform.h"
#include "asg/io/onnx_check.h"
#include "check_compiler.h"
#include "check_edits.h"
#include "commands.h"
#include "console.h"

namespace asg::app {
namespace {

int check_named(const std::string& name) {
  const std::unique_ptr<Backend> backend = BackendRegistry::global().make(name);
  const ConformanceReport report = check_backend(*backend);
  fmt::print("{}{} passed, {} failed\n", report.to_text(), report.rows.size() - report.failures(), report.failures());
  return report.passed() ? 0 : 1;
}

struct OnnxCheck {
  std::string folder;
  std::string device = "interp";
  std::string only;
  bool json = false;
};

int check_onnx_data(const OnnxCheck& given) {
  const std::unique_ptr<Backend> backend = BackendRegistry::global().make(given.device);
  io::OnnxCheckOptions options{.only = given.only};
  std::optional<Progress> progress;
  if (!given.json && platform::is_terminal(1)) {
    options.progress = [&](std::int64_t done, std::int64_t total, const std::string& name) {
      if (!progress) progress.emplace(total);
      progress->show(done, name);
    };
  }
  const io::OnnxReport report = io::check_onnx(given.folder, *backend, options);
  progress.reset();
  fmt::print("{}{}", given.json ? report.to_json() : report.to_text(), given.json ? "\n" : "");
  return report.count(io::CaseStatus::failed) == 0 ? 0 : 1;
}

}  // namespace

void add_check(CLI::App& app, int& outcome) {
  CLI::App* command = app.add_subcommand("check", "Check a part of the system");
  command->require_subcommand(1);
  CLI::App* backend = command->add_subcommand("backend", "Check that a backend keeps the contract");
  auto name = std::make_shared<std::string>();
  backend->add_option("name", *name, "Name of the backend; see `asg devices`")->required();
  backend->callback([name, &outcome] { outcome = check_named(*name); });
  CLI::App* onnx = command->add_subcommand("onnx", "Run test data of ONNX: a folder of tests with models and values");
  auto given = std::make_shared<OnnxCheck>();
  onnx->add_option("folder", given->folder, "Folder with a folder per test")->required();
  onnx->add_option("--device", given->device, "Backend to run on; see `asg devices`")->capture_default_str();
  onnx->add_option("--only", given->only, "Only tests whose name contains this");
  onnx->add_flag("--json", given->json, "As JSON");
  onnx->callback([given, &outcome] { outcome = check_onnx_data(*given); });
  add_check_compiler(*command, outcome);
  add_check_edits(*command, outcome);
}

}  // namespace asg::app
