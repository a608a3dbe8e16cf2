#include "asg/io/load_weights.h"

#include <set>
#include <utility>

namespace asg::io {
namespace {

constexpr std::size_t kShownNames = 8;

bool is_weight(const Variable& variable) {
  return variable.kind == VarKind::parameter || variable.kind == VarKind::buffer;
}

bool has_sizes(const Array& array, const TensorType& type) {
  return type.shape.is_known() && array.sizes() == type.shape.sizes();
}

std::string listed(const char* what, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text = std::to_string(names.size()) + " " + what + ": ";
  for (std::size_t k = 0; k < names.size() && k < kShownNames; ++k) {
    if (k > 0) text += ", ";
    text += names[k];
  }
  if (names.size() > kShownNames) text += " and " + std::to_string(names.size() - kShownNames) + " more";
  return text + "\n";
}

class Loader {
 public:
  Loader(const Graph& model, const Safetensors& file, const LoadOptions& options)
      : model_(model), file_(file), options_(options) {}

  void load(const Variable& variable) {
    const WeightSource source = options_.source ? options_.source(variable) : WeightSource{variable.name};
    if (source.tensor.empty()) return;
    const TensorInfo* info = file_.find(source.tensor);
    if (info == nullptr) {
      result_.report.missing.push_back(variable.name);
      return;
    }
    used_.insert(source.tensor);
    const auto mismatch = [&](std::string in_file) {
      result_.report.mismatched.push_back(
          {variable.name, source.tensor, variable.type.to_string(), std::move(in_file)});
    };
    Array value = file_.read(source.tensor);
    if (source.change) {
      try {
        value = source.change(value);
      } catch (const UserError& error) {
        return mismatch(info->type_string() + ", which cannot be changed: " + error.detail().given);
      }
    }
    const DType wanted = variable.type.dtype;
    const bool castable = value.dtype() == wanted || (options_.cast && is_float(value.dtype()) && is_float(wanted));
    if (!castable || !has_sizes(value, variable.type)) return mismatch(value.type_string());
    result_.values.emplace(variable.id, value.cast(wanted).dense());
    result_.report.loaded.push_back(variable.name);
  }

  LoadedWeights finish() {
    for (const TensorInfo& tensor : file_.tensors()) {
      // Checkpoints of ours also hold what is no weight: the seed and the step of random numbers.
      const bool expected =
          used_.contains(tensor.name) || is_state(tensor.name) || (options_.ignore && options_.ignore(tensor.name));
      if (!expected) result_.report.unexpected.push_back(tensor.name);
    }
    return std::move(result_);
  }

 private:
  bool is_state(std::string_view name) const {
    const VarId id = model_.find_variable(name);
    return id && !is_weight(model_.variable(id));
  }

  const Graph& model_;
  const Safetensors& file_;
  const LoadOptions& options_;
  std::set<std::string, std::less<>> used_;
  LoadedWeights result_;
};

}  // namespace

std::function<Array(const Array&)> transposed(std::vector<int> perm) {
  return [perm = std::move(perm)](const Array& tensor) { return tensor.transposed(perm); };
}

std::string LoadReport::to_text() const {
  std::string text = std::to_string(loaded.size()) + " variables loaded\n";
  text += listed("variables without a tensor", missing);
  text += listed("tensors without a variable", unexpected);
  std::vector<std::string> lines;
  for (const Mismatch& each : mismatched) {
    lines.push_back(each.variable + " is " + each.in_model + ", tensor " + each.tensor + " is " + each.in_file);
  }
  return text + listed("of another type", lines);
}

LoadedWeights load_weights(const Graph& model, const Safetensors& file, const LoadOptions& options) {
  std::map<std::string_view, const Variable*> by_name;
  for (const VarId id : model.variable_ids()) {
    const Variable& variable = model.variable(id);
    if (is_weight(variable)) by_name.emplace(variable.name, &variable);
  }
  Loader loader(model, file, options);
  for (const auto& [name, variable] : by_name) loader.load(*variable);
  LoadedWeights result = loader.finish();
  if (!options.strict || result.report.complete()) return result;
  std::string text = result.report.to_text();
  text.pop_back();
  throw UserError({result.report.mismatched.empty() ? ErrorCode::missing_value : ErrorCode::type_mismatch,
                   "weights that do not fit the model:\n" + text, "a tensor for each variable and no others",
                   "use the model that the file was made for, map the names, or load what fits with strict = false", "",
                   file.path()});
}

}  // namespace asg::io
