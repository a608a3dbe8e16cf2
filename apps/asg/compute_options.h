#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "asg/backend/backend.h"

namespace asg::app {

// Where a command computes, and by how many threads.
struct ComputeOptions {
  std::string device = "cpu";
  int threads = 0;  // 0: as many as there are
};
// --device, --threads and --verify.
void add_compute_options(CLI::App& command, ComputeOptions& options);
std::unique_ptr<Backend> make_backend(const ComputeOptions& options);  // throws no_such_device

// An option of a command with a recipe that is short for a change of it: --seed 3 for --set seed=3.
void add_short(CLI::App& command, const std::string& name, const std::string& key, const std::string& words,
               std::vector<std::string>& changes, bool is_text);
// --device, --threads and --seed, as such changes; and --verify.
void add_compute_shorts(CLI::App& command, std::vector<std::string>& changes);

}  // namespace asg::app
