#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/ids.h"

namespace asg::train {

inline constexpr int kCheckpointVersion = 1;
inline constexpr std::string_view kManifestFile = "manifest.json";
inline constexpr std::string_view kModelFile = "model.json";
inline constexpr std::string_view kVariablesFile = "variables.safetensors";
inline constexpr std::string_view kOptimizerFile = "optimizer.safetensors";
inline constexpr std::string_view kHistoryFile = "history.json";
inline constexpr std::string_view kHistoryTensors = "history.safetensors";
inline constexpr std::string_view kAtticFile = "attic.safetensors";  // in place of a history, of an older ASG

// A tensor in one of the files, and whose value it is.
struct ManifestTensor {
  std::string name;
  VarId variable;
  std::string slot;  // of the optimiser; empty: the variable itself
};

struct ManifestFile {
  std::uint64_t bytes = 0;
  std::string crc32;
};

// What manifest.json says. docs/checkpoints.md describes the form.
struct Manifest {
  std::string program;  // version of the ASG that wrote it
  std::int64_t steps = 0;
  std::int64_t committed = 0;
  std::int64_t updates = 0;
  double learning_rate = 0;
  std::uint64_t seed = 0;
  std::string optimizer;  // its kind; "" where an older ASG wrote it
  std::map<std::string, double> metrics;
  std::map<std::string, ManifestFile, std::less<>> files;
  std::map<std::string, std::vector<ManifestTensor>, std::less<>> tensors;  // by file
  std::string extras = "{}";
  // At which step each entry of the journal of the model was made, where an ASG without histories wrote it.
  std::vector<std::int64_t> edit_steps;
};

// The text ends in a checksum of all before it. Throws bad_json where `extras` is no JSON object.
std::string to_json(const Manifest& manifest);
// Throws io_error where the text is damaged, unsupported_version where it is of a newer form, bad_json.
Manifest manifest_from_json(std::string_view text);

}  // namespace asg::train
