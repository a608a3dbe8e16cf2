#include "asg/zoo/zoo.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "asg/compile/explain.h"
#include "asg/core/error.h"
#include "asg/graph/expand.h"
#include "zoo/settings.h"

namespace asg::zoo {
namespace {

std::vector<Model> all_models() {
  std::vector<Model> all;
  for (const auto& family : {lenet_models, resnet_models, mobilenet_models, vit_models, gpt2_models, llama_models}) {
    std::vector<Model> models = family();
    std::move(models.begin(), models.end(), std::back_inserter(all));
  }
  return all;
}

[[noreturn]] void fail_to_parse(const AttrSpec& setting, std::string_view text) {
  fail(ErrorCode::bad_attribute, "'" + std::string(text) + "' for setting '" + std::string(setting.name) + "'",
       std::string(name_of(setting.kind)), setting.kind == AttrKind::integers ? "as in 2,2,2,2" : "");
}

std::int64_t parse_integer(const AttrSpec& setting, std::string_view text) {
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || stop != text.data() + text.size()) fail_to_parse(setting, text);
  return number;
}

double parse_real(const AttrSpec& setting, std::string_view text) {
  std::size_t used = 0;
  double number = 0;
  try {
    number = std::stod(std::string(text), &used);
  } catch (const std::logic_error&) {
    fail_to_parse(setting, text);
  }
  if (used != text.size() || !std::isfinite(number)) fail_to_parse(setting, text);
  return number;
}

std::vector<std::int64_t> parse_integers(const AttrSpec& setting, std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (true) {
    const std::size_t comma = text.find(',');
    numbers.push_back(parse_integer(setting, text.substr(0, comma)));
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

// These settings on top of the example, whose text would not fit fewer positions than the model has by itself.
Attrs with_example(const Model& model, const Attrs& settings) {
  Attrs given = model.example;
  for (const auto& [name, value] : settings) given.set(name, value);
  const Attr* positions = settings.find("positions");
  const Attr* length = given.find("length");
  const bool is_shortened = positions != nullptr && positions->kind() == AttrKind::integer && length != nullptr &&
                            settings.find("length") == nullptr && positions->as_integer() < length->as_integer();
  if (is_shortened) given.set("length", std::max<std::int64_t>(1, positions->as_integer()));
  return given;
}

}  // namespace

const AttrSpec* Model::find_setting(std::string_view setting) const {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const AttrSpec& spec) { return spec.name == setting; });
  return found == settings.end() ? nullptr : &*found;
}

std::span<const Model> models() {
  static const std::vector<Model> all = all_models();
  return all;
}

const Model& find(std::string_view name) {
  std::vector<std::string> names;
  std::string listed;
  for (const Model& model : models()) {
    if (model.name == name) return model;
    names.push_back(model.name);
    listed += listed.empty() ? "one of " : ", ";
    listed += model.name;
  }
  const std::string nearest = nearest_name(name, names);
  fail(ErrorCode::bad_command, "a model named '" + std::string(name) + "'", std::move(listed),
       nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

Graph build(std::string_view name, const Attrs& settings) { return find(name).build(settings); }

Attr parse_setting(const AttrSpec& setting, std::string_view text) {
  switch (setting.kind) {
    case AttrKind::integer:
      return parse_integer(setting, text);
    case AttrKind::real:
      return parse_real(setting, text);
    case AttrKind::integers:
      return parse_integers(setting, text);
    case AttrKind::boolean:
      if (text != "true" && text != "false") fail_to_parse(setting, text);
      return text == "true";
    default:
      return std::string(text);
  }
}

Figures figures_of(const Graph& model) {
  Figures figures;
  for (const VarId id : model.variable_ids()) {
    const Variable& variable = model.variable(id);
    if (variable.kind == VarKind::parameter) figures.parameters += variable.type.shape.element_count().value();
  }
  const Graph plain = expand(model, Mode::eval).graph;
  for (const NodeId id : plain.node_ids()) figures.flops += flops_of(plain, plain.node(id));
  return figures;
}

Figures figures_of(const Model& model, const Attrs& settings) {
  Attrs given = with_example(model, settings);
  given.set("loss", false);
  return figures_of(model.build(given));
}

}  // namespace asg::zoo
