#include <algorithm>
#include <cstring>
#include <filesystem>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/graph/card.h"
#include "asg/graph/expand.h"
#include "asg/io/onnx_check.h"
#include "io/onnx/compare.h"
#include "io/onnx/survey.h"
#include "io/onnx/table.h"

namespace asg::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> result;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory(error) && entry.path().filename().string().starts_with(prefix)) {
      result.push_back(entry.path());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

// input_0.pb, input_1.pb … of a data set.
std::vector<Array> tensors_in(const fs::path& folder, const std::string& stem) {
  std::vector<Array> result;
  for (;;) {
    const fs::path file = folder / (stem + "_" + std::to_string(result.size()) + ".pb");
    if (!fs::exists(file)) return result;
    result.push_back(read_onnx_tensor(platform::read_file(file.string())));
  }
}

// NumPy has no bf16: the data hold the bits of such values as u16.
Array as_declared(Array value, const ValueDef& def) {
  if (value.dtype() != DType::u16 || def.type.dtype != DType::bf16) return value;
  Array result(DType::bf16, value.sizes());
  if (value.count() > 0) std::memcpy(result.raw(), value.dense().raw(), static_cast<std::size_t>(value.bytes()));
  return result;
}

// Inputs that a run gives: those without an initialiser, in order.
std::vector<ValueDef> open_inputs(const GraphDef& def) {
  std::vector<ValueDef> open;
  for (const ValueDef& input : def.inputs) {
    const bool initial = std::any_of(def.initializers.begin(), def.initializers.end(),
                                     [&](const TensorDef& tensor) { return tensor.name == input.name; });
    if (!initial) open.push_back(input);
  }
  return open;
}

// Whether a node of the graph or of a graph inside it draws random numbers.
bool holds_random(const Graph& graph) {
  std::vector<GraphPtr> inside;
  const auto look = [&](const Graph& level) {
    bool found = false;
    for (const NodeId id : level.node_ids()) {
      const Node& node = level.node(id);
      found = found || draws(*node.op);
      for (const auto& [name, value] : node.attrs) {
        if (value.kind() == AttrKind::graph) inside.push_back(value.as_graph());
      }
    }
    return found;
  };
  if (look(graph)) return true;
  while (!inside.empty()) {
    const GraphPtr level = inside.back();
    inside.pop_back();
    if (look(*level)) return true;
  }
  return false;
}

enum class Outcome : std::uint8_t { same, random };

// Runs one data set. A difference is an error in words.
Outcome run_data(const ModelDef& def, const fs::path& data, Backend& backend, OnnxOptions options) {
  const std::vector<ValueDef> open = open_inputs(def.graph);
  const std::vector<Array> inputs = tensors_in(data, "input");
  if (inputs.size() > open.size()) {
    fail_onnx(std::to_string(inputs.size()) + " inputs in the data",
              std::to_string(open.size()) + ", as the model has");
  }
  options.given.clear();
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    options.given[open[index].name] = as_declared(inputs[index], open[index]);
  }
  const OnnxModel model = read_model(def, options);
  if (holds_random(model.graph)) return Outcome::random;
  NamedArrays values;
  for (const auto& [onnx_name, name] : model.inputs) {
    const auto given = options.given.find(onnx_name);
    if (given != options.given.end()) values[name] = given->second;
  }
  const Graph plain = expand(model.graph, Mode::eval).graph;
  const NamedArrays results = backend.download_all(backend.execute(plain, backend.upload_all(values)));
  const std::vector<Array> expected = tensors_in(data, "output");
  for (std::size_t index = 0; index < expected.size(); ++index) {
    if (index >= plain.outputs().size()) fail_onnx("more outputs in the data than in the model", "as many");
    const std::string& name = plain.outputs()[index].name;
    const std::string words = difference(results.at(name), as_declared(expected[index], def.graph.outputs[index]));
    if (words.empty()) continue;
    fail(ErrorCode::computation_error, std::string("output '").append(name).append("': ").append(words),
         "the values of the data");
  }
  return Outcome::same;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

OnnxCase skipped(std::string name, std::string reason) {
  return {std::move(name), CaseStatus::skipped, std::move(reason)};
}

OnnxCase run_case(const std::string& name, const fs::path& folder, Backend& backend) {
  OnnxOptions options;
  options.trainable = false;
  options.folder = folder.string();
  const ModelDef def = parse_model(platform::read_file((folder / "model.onnx").string()), options);
  Survey found = survey(def);
  if (!found.missing_ops.empty()) {
    OnnxCase result = skipped(name, "missing op: " + listed(found.missing_ops));
    result.missing_ops = std::move(found.missing_ops);
    return result;
  }
  if (!found.values.empty()) return skipped(name, "not a tensor of numbers: " + found.values);
  if (found.random) return skipped(name, "nondeterministic");
  const std::vector<fs::path> sets = folders_in(folder, "test_data_set_");
  if (sets.empty())
    fail(ErrorCode::io_error, "no test_data_set_0 in '" + folder.string() + "'", "data to compare with");
  for (const fs::path& data : sets) {
    if (run_data(def, data, backend, options) == Outcome::random) return skipped(name, "nondeterministic");
  }
  return {name, CaseStatus::passed, ""};
}

}  // namespace

OnnxCase check_onnx_case(const std::string& folder, Backend& backend) {
  const fs::path path(folder);
  const std::string name = path.filename().string();
  try {
    return run_case(name, path, backend);
  } catch (const std::exception& error) {
    return {name, CaseStatus::failed, error.what()};
  }
}

OnnxReport check_onnx(const std::string& folder, Backend& backend, const OnnxCheckOptions& options) {
  std::vector<fs::path> tests;
  for (fs::path& test : folders_in(folder, "")) {
    const bool wanted = test.filename().string().find(options.only) != std::string::npos;
    if (wanted && fs::exists(test / "model.onnx")) tests.push_back(std::move(test));
  }
  if (tests.empty()) {
    fail(ErrorCode::io_error, "no test in the folder '" + folder + "'", "a folder for each test, with a model.onnx",
         "the official data are in the Debian package libonnx-testdata");
  }
  OnnxReport report;
  for (const fs::path& test : tests) {
    if (options.progress) {
      options.progress(static_cast<std::int64_t>(report.cases.size()), static_cast<std::int64_t>(tests.size()),
                       test.filename().string());
    }
    report.cases.push_back(check_onnx_case(test.string(), backend));
  }
  return report;
}

}  // namespace asg::io
