#include "compute_options.h"

#include <CLI/CLI.hpp>

#include "asg/backend/backend_registry.h"
#include "asg/backend/cpu.h"
#include "asg/compile/pass.h"
#include "asg/recipe/toml.h"

namespace asg::app {
namespace {

constexpr const char* kDeviceWords = "Where to compute; see `asg devices`";
constexpr const char* kThreadsWords = "Threads that compute; 0: as many as there are";

void add_verify(CLI::App& command) {
  command.add_flag_callback(
      "--verify", [] { set_verifies_by_default(true); },
      "Verify the graph and the program after every compiler pass (slower compilation, same results)");
}

}  // namespace

void add_compute_options(CLI::App& command, ComputeOptions& options) {
  command.add_option("--device", options.device, kDeviceWords)->capture_default_str();
  command.add_option("--threads", options.threads, kThreadsWords)
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  add_verify(command);
}

std::unique_ptr<Backend> make_backend(const ComputeOptions& options) {
  if (options.device == "cpu" && options.threads > 0) return std::make_unique<CpuBackend>(options.threads);
  return BackendRegistry::global().make(options.device);
}

void add_short(CLI::App& command, const std::string& name, const std::string& key, const std::string& words,
               std::vector<std::string>& changes, bool is_text) {
  command.add_option_function<std::string>(
      name,
      [key, is_text, &changes](const std::string& value) {
        changes.push_back(key + "=" + (is_text ? recipe::toml_text(value) : value));
      },
      words + " (" + key + ")");
}

void add_compute_shorts(CLI::App& command, std::vector<std::string>& changes) {
  add_short(command, "--device", "device", kDeviceWords, changes, true);
  add_short(command, "--threads", "threads", kThreadsWords, changes, false);
  add_short(command, "--seed", "seed", "Seed of everything random", changes, false);
  add_verify(command);
}

}  // namespace asg::app
