#include "asg/zoo/zoo.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/core/text.h"
#include "asg/graph/catalogue.h"
#include "asg/graph/json.h"
#include "asg/zoo/hugging_face.h"
#include "asg/zoo/weights.h"
#include "commands.h"
#include "console.h"
#include "zoo_settings.h"

namespace asg::app {
namespace {

using Json = nlohmann::ordered_json;

struct ZooOptions {
  std::string name;
  std::vector<std::string> settings;
  std::string config;
  std::string out;
  std::string lang = "en";
  bool json = false;
};

// "3.64 G"
std::string flops_text(double flops) {
  if (flops >= 1e12) return fmt::format("{:.2f} T", flops * 1e-12);
  if (flops >= 1e9) return fmt::format("{:.2f} G", flops * 1e-9);
  return fmt::format("{:.2f} M", flops * 1e-6);
}

std::string_view in_words(const zoo::WeightMap& map) {
  return map.tried_on_released_weights ? "tried on released weights" : "not tried on released weights";
}

// As it was given, or by default.
const Attr& value_of(const AttrSpec& spec, const Attrs& settings) {
  const Attr* given = settings.find(spec.name);
  return given != nullptr ? *given : *spec.fallback;
}

Json setting_json(const AttrSpec& spec, const Attrs& settings, Lang lang) {
  Json json = {{"name", spec.name},
               {"kind", name_of(spec.kind)},
               {"default", spec.fallback->to_string()},
               {"value", value_of(spec, settings).to_string()},
               {"words", in_language(spec.words, lang)}};
  if (spec.least) json["least"] = *spec.least;
  if (spec.most) json["most"] = *spec.most;
  for (const Attr& choice : spec.choices) json["choices"].push_back(choice.as_text());
  return json;
}

Json weights_json(const zoo::Model& model) {
  Json json = Json::array();
  for (const zoo::WeightMap& map : zoo::weight_maps()) {
    if (map.family != model.family) continue;
    json.push_back({{"format", zoo::name_of(map.format)},
                    {"source", map.source},
                    {"tried_on_released_weights", map.tried_on_released_weights}});
  }
  return json;
}

Json model_json(const zoo::Model& model, const Attrs& settings, Lang lang) {
  const zoo::Figures figures = zoo::figures_of(model, settings);
  Json json = {{"name", model.name},
               {"family", model.family},
               {"words", in_language(model.words, lang)},
               {"parameters", figures.parameters},
               {"flops", figures.flops},
               {"weights", weights_json(model)}};
  json["settings"] = Json::array();
  for (const AttrSpec& spec : model.settings) json["settings"].push_back(setting_json(spec, settings, lang));
  return json;
}

void list_models(Lang lang) {
  fmt::print("{}\n", painted(fmt::format("{:<16} {:>14} {:>10}", "model", "parameters", "FLOPs"), Paint::bold));
  for (const zoo::Model& model : zoo::models()) {
    const zoo::Figures figures = zoo::figures_of(model);
    fmt::print("{:<16} {:>14} {:>10}  {}\n", model.name, grouped(figures.parameters), flops_text(figures.flops),
               in_language(model.words, lang));
  }
  fmt::print(
      "\nFLOPs are those of a forward pass of one picture, or one text of the longest length.\n"
      "`asg zoo NAME` tells the settings of a model, `asg zoo NAME --out model.json` writes it.\n");
}

std::string bound_text(double bound) {
  const auto whole = static_cast<std::int64_t>(bound);
  return static_cast<double>(whole) == bound ? grouped(whole) : fmt::format("{}", bound);
}

std::string range_of(const AttrSpec& spec) {
  std::string text;
  for (const Attr& choice : spec.choices) {
    text += text.empty() ? "" : ", ";
    text += choice.as_text();
  }
  if (spec.kind == AttrKind::boolean) return "true, false";
  return spec.least && spec.most ? bound_text(*spec.least) + " to " + bound_text(*spec.most) : text;
}

void tell_model(const zoo::Model& model, const Attrs& settings, Lang lang) {
  const zoo::Figures figures = zoo::figures_of(model, settings);
  fmt::print("{}: {}\n", painted(model.name, Paint::bold), in_language(model.words, lang));
  fmt::print("  {} parameters, {}FLOP\n", grouped(figures.parameters), flops_text(figures.flops));
  for (const zoo::WeightMap& map : zoo::weight_maps()) {
    if (map.family != model.family) continue;
    fmt::print("  weights of {} ({}; {})\n", zoo::name_of(map.format), map.source, in_words(map));
  }
  fmt::print("{}\n", painted("settings", Paint::bold));
  for (const AttrSpec& spec : model.settings) {
    fmt::print("  {:<17} {:<28} {:<16} {}\n", spec.name, value_of(spec, settings).to_string(), range_of(spec),
               in_language(spec.words, lang));
  }
}

// And says how many nodes it has.
std::size_t write_model(const zoo::Model& model, const Attrs& settings, const std::string& file) {
  const Graph graph = model.build(settings);
  if (file == "-") {
    fmt::print("{}", to_json(graph));
  } else {
    platform::write_file_atomically(file, to_json(graph));
  }
  return graph.node_count();
}

void run(const ZooOptions& options) {
  const Lang lang = *parse_lang(options.lang);
  if (options.json && options.out == "-") {
    fail(ErrorCode::bad_command, "--json with --out -", "one text on the standard output",
         "give --out a file, or leave --json out: the model is written as JSON anyway");
  }
  zoo::HuggingFaceModel described{options.name, {}};
  if (!options.config.empty()) described = zoo::read_hugging_face_config(platform::read_file(options.config));
  if (described.name.empty()) {
    if (!options.settings.empty() || !options.out.empty()) {
      fail(ErrorCode::bad_command, "--set or --out without a model", "its name", "run `asg zoo` for the list");
    }
    if (!options.json) return list_models(lang);
    Json all = Json::array();
    for (const zoo::Model& model : zoo::models()) all.push_back(model_json(model, {}, lang));
    fmt::print("{}\n", all.dump(2));
    return;
  }
  const zoo::Model& model = zoo::find(described.name);
  Attrs settings = described.settings;
  for (const auto& [name, value] : zoo_settings(model, options.settings)) settings.set(name, value);
  if (!options.json && options.out.empty()) return tell_model(model, settings, lang);
  const std::size_t nodes = options.out.empty() ? 0 : write_model(model, settings, options.out);
  if (options.json) {
    Json json = model_json(model, settings, lang);
    if (!options.out.empty()) json["written"] = {{"file", options.out}, {"nodes", nodes}};
    fmt::print("{}\n", json.dump(2));
  } else if (options.out != "-") {
    fmt::print("{} with {} nodes written to {}\n", model.name, nodes, options.out);
  }
}

}  // namespace

void add_zoo(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<ZooOptions>();
  CLI::App* command = app.add_subcommand("zoo", "List ready models, tell the settings of one, or write it as JSON");
  CLI::Option* name = command->add_option("name", options->name, "Name of a model, such as resnet18");
  command->add_option("--set", options->settings, "A setting, as in --set classes=10 (may be repeated)")
      ->allow_extra_args(false);
  command
      ->add_option("--config", options->config,
                   "A config.json of Hugging Face (gpt2, llama, vit) that says which model and which settings")
      ->excludes(name);
  command->add_option("--out", options->out,
                      "File for the model, which inspect, explain, run and train read; - for the terminal");
  command->add_flag("--json", options->json, "As JSON");
  command->add_option("--lang", options->lang, "Language of the words")
      ->check(CLI::IsMember({"en", "ru"}))
      ->capture_default_str();
  command->callback([options] { run(*options); });
}

}  // namespace asg::app
