#include "checkpoint_folder.h"

#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>

#include "asg/core/files.h"
#include "asg/core/platform.h"
#include "asg/io/safetensors.h"
#include "asg/version.h"
#include "checksum.h"
#include "history_json.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

using Sink = std::function<void(std::string_view piece)>;

std::string place(const std::string& folder, std::string_view file) { return (fs::path(folder) / file).string(); }

[[noreturn]] void refuse_damage(const std::string& path, std::string given, std::string needed) {
  throw UserError({ErrorCode::io_error, std::move(given), std::move(needed),
                   "remove this checkpoint, or bring the file back from a copy", "", path});
}

// ---- Writing

ManifestFile write_file(const std::string& path, const std::function<void(const Sink& write)>& content) {
  platform::NewFile file(path);
  Checksum sum;
  ManifestFile entry;
  content([&](std::string_view piece) {
    file.write(piece);
    sum.add(piece);
    entry.bytes += piece.size();
  });
  file.finish();
  entry.crc32 = sum.hex();
  return entry;
}

// The name of a variable, so that other programs find it; state has the name of its slot before it, or nothing else
// where it belongs to the whole training. Variables that the graph does not hold go by their number.
std::string tensor_name(const Graph& graph, VarId variable, const std::string& slot) {
  if (!variable) return slot;
  const std::string name = graph.has(variable) ? graph.variable(variable).name : "#" + std::to_string(variable.number);
  return slot.empty() ? name : slot + "/" + name;
}

// The tensors of one file, with the table that says whose they are.
class TensorFile {
 public:
  explicit TensorFile(const Graph& graph) : graph_(graph) {}

  void add(VarId variable, const std::string& slot, const Array& value) {
    const std::string name = tensor_name(graph_, variable, slot);
    const bool is_new = tensors_.emplace(name, value).second;
    internal_check(is_new, "names of variables and of slots are unique");
    table_.push_back({name, variable, slot});
  }
  void write(const std::string& folder, std::string_view file, Manifest& manifest) {
    const io::TextByName metadata = {{"format", "asg"}};
    manifest.files.emplace(file, write_file(place(folder, file), [&](const Sink& write) {
                             io::write_safetensors(tensors_, metadata, write);
                           }));
    manifest.tensors.emplace(file, std::move(table_));
  }

 private:
  const Graph& graph_;
  io::Tensors tensors_;
  std::vector<ManifestTensor> table_;
};

Manifest manifest_of(const CheckpointData& data) {
  Manifest manifest;
  manifest.program = kVersion;
  manifest.steps = data.state.steps;
  manifest.committed = data.state.committed;
  manifest.updates = data.state.updates;
  manifest.learning_rate = data.state.learning_rate;
  manifest.seed = data.seed;
  manifest.optimizer = data.optimizer;
  manifest.metrics = data.metrics;
  manifest.extras = data.extras;
  return manifest;
}

// What changes have in common is written once. Names are numbers.
void write_history(const std::string& folder, const History& history, Manifest& manifest) {
  if (history.notes.empty()) return;
  io::Tensors tensors;
  std::map<std::pair<const std::byte*, std::string>, std::string> names;
  const auto name_of = [&](const Array& array) {
    const auto [entry, is_new] = names.try_emplace({array.raw(), array.type_string()}, std::to_string(names.size()));
    if (is_new) tensors.emplace(entry->second, array);
    return entry->second;
  };
  const std::string text = to_json(history, name_of);
  manifest.files.emplace(kHistoryFile,
                         write_file(place(folder, kHistoryFile), [&](const Sink& write) { write(text); }));
  if (tensors.empty()) return;
  manifest.files.emplace(kHistoryTensors, write_file(place(folder, kHistoryTensors), [&](const Sink& write) {
                           io::write_safetensors(tensors, {{"format", "asg"}}, write);
                         }));
}

// ---- Reading

// Counts of updates were floats in an older ASG.
Array as_count(const Array& value) { return is_float(value.dtype()) ? value.cast(DType::i64) : value; }

// The tensors of one file by variable and slot. A file that the manifest does not name holds none.
TrainingState read_tensors(const std::string& folder, std::string_view file, const Manifest& manifest) {
  TrainingState result;
  const auto table = manifest.tensors.find(file);
  if (table == manifest.tensors.end()) return result;
  const io::Safetensors tensors = io::Safetensors::open(place(folder, file));
  for (const ManifestTensor& each : table->second) {
    if (each.slot.empty()) {
      result.variables.emplace(each.variable, tensors.read(each.name));
    } else {
      const bool is_count = each.slot == "count" || each.slot == "ema.count";
      const Array value = tensors.read(each.name);
      result.optimizer.emplace(optim::StateKey{each.variable, each.slot}, is_count ? as_count(value) : value);
    }
  }
  return result;
}

History read_history(const std::string& folder, const Manifest& manifest, const Model& model) {
  if (!manifest.files.contains(kHistoryFile)) {
    return history_of(model, manifest.edit_steps, read_tensors(folder, kAtticFile, manifest));
  }
  std::optional<io::Safetensors> tensors;
  if (manifest.files.contains(kHistoryTensors)) tensors = io::Safetensors::open(place(folder, kHistoryTensors));
  try {
    return history_from_json(platform::read_file(place(folder, kHistoryFile)), [&](const std::string& name) {
      if (!tensors) fail(ErrorCode::bad_json, "the tensor '" + name + "'", "a file " + std::string(kHistoryTensors));
      return tensors->read(name);
    });
  } catch (const UserError& error) {
    throw error.with_where(place(folder, kHistoryFile));
  }
}

// The journal gives the graph again; the values show whether it is the same.
void check_fits(const std::string& folder, const Graph& graph, const TrainingState& state) {
  for (const VarId id : graph.variable_ids()) {
    const Variable& variable = graph.variable(id);
    const auto value = state.variables.find(id);
    const bool is_there = value != state.variables.end();
    const TensorType type =
        is_there ? TensorType{value->second.dtype(), Shape::of(value->second.sizes())} : TensorType{};
    if (is_there && (type == variable.type || !variable.type.shape.is_known())) continue;
    throw UserError({ErrorCode::type_mismatch,
                     "variable '" + variable.name + "' with " + (is_there ? "a value " + type.to_string() : "no value"),
                     "a value " + variable.type.to_string() + ", as the model says",
                     "use the version of ASG that wrote the checkpoint; manifest.json tells it under \"program\"", "",
                     place(folder, kVariablesFile)});
  }
}

}  // namespace

void write_checkpoint(const std::string& folder, const CheckpointData& data) {
  Manifest manifest = manifest_of(data);
  to_json(manifest);  // refuses bad extras before anything is written
  const Graph& graph = data.model.graph();
  manifest.files.emplace(
      kModelFile, write_file(place(folder, kModelFile), [&](const Sink& write) { write(data.model.to_json()); }));
  TensorFile variables(graph);
  for (const auto& [id, value] : data.state.variables) variables.add(id, "", value);
  variables.write(folder, kVariablesFile, manifest);
  TensorFile optimizer(graph);
  for (const auto& [key, value] : data.state.optimizer) optimizer.add(key.parameter, key.slot, value);
  optimizer.write(folder, kOptimizerFile, manifest);
  write_history(folder, data.history, manifest);
  write_file(place(folder, kManifestFile), [&](const Sink& write) { write(to_json(manifest)); });
  platform::sync_folder(folder);
}

Manifest read_manifest(const std::string& folder) {
  const std::string path = place(folder, kManifestFile);
  Manifest manifest;
  try {
    manifest = manifest_from_json(platform::read_file(path));
  } catch (const UserError& error) {
    throw error.with_where(path);
  }
  for (const auto& [name, file] : manifest.files) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(place(folder, name), error);
    if (error)
      refuse_damage(place(folder, name), "a file that is missing: " + error.message(), "all files of the checkpoint");
    if (bytes == file.bytes) continue;
    refuse_damage(place(folder, name), "a file of " + std::to_string(bytes) + " bytes",
                  std::to_string(file.bytes) + " bytes, as the manifest says");
  }
  for (const std::string_view needed : {kModelFile, kVariablesFile, kOptimizerFile}) {
    if (!manifest.files.contains(needed))
      refuse_damage(path, "a manifest without " + std::string(needed), "all files named");
  }
  return manifest;
}

void check_contents(const std::string& folder, const Manifest& manifest) {
  for (const auto& [name, file] : manifest.files) {
    Checksum sum;
    sum.add(platform::MappedFile::open(place(folder, name))->text());
    if (sum.hex() == file.crc32) continue;
    refuse_damage(place(folder, name), "contents with the checksum " + sum.hex(),
                  file.crc32 + ", as when it was written");
  }
}

CheckpointData read_checkpoint(const std::string& folder, const Manifest& manifest) {
  CheckpointData data;
  try {
    data.model = Model::from_json(platform::read_file(place(folder, kModelFile)));
  } catch (const UserError& error) {
    throw error.with_where(place(folder, kModelFile));
  }
  data.state = read_tensors(folder, kVariablesFile, manifest);
  data.state.optimizer = read_tensors(folder, kOptimizerFile, manifest).optimizer;
  data.state.learning_rate = manifest.learning_rate;
  data.state.steps = manifest.steps;
  data.state.committed = manifest.committed;
  data.state.updates = manifest.updates;
  data.history = read_history(folder, manifest, data.model);
  data.seed = manifest.seed;
  data.optimizer = manifest.optimizer;
  data.extras = manifest.extras;
  data.metrics = manifest.metrics;
  check_fits(folder, data.model.graph(), data.state);
  return data;
}

CheckpointData load_checkpoint(const std::string& folder) {
  const Manifest manifest = read_manifest(folder);
  check_contents(folder, manifest);
  return read_checkpoint(folder, manifest);
}

}  // namespace asg::train
