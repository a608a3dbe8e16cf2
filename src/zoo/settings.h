#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asg/graph/card.h"
#include "asg/zoo/inputs.h"
#include "asg/zoo/zoo.h"

// A configuration seen as a list of settings. Each family writes one function settings_of(Config&), which says
// everything about its fields once: name, range, words and where the value stands. Reading by name, ranges, lists for
// people and the check of typed configurations follow from it.
namespace asg::zoo {

using Place =
    std::variant<std::int64_t*, double*, bool*, std::string*, std::vector<std::int64_t>*>;  // in a configuration

struct Setting {
  AttrSpec spec;  // its default is the value that stands there
  Place place;
};
using Settings = std::vector<Setting>;

inline constexpr double kMostFeatures = 1 << 20;
inline constexpr double kMostLayers = 10'000;

// Constructors by the type of the field.
Setting whole(std::string_view name, std::int64_t& value, double least, double most, Words words);
Setting real(std::string_view name, double& value, double least, double most, Words words);
Setting flag(std::string_view name, bool& value, Words words);
Setting choice(std::string_view name, std::string& value, std::vector<Attr> choices, Words words);
Setting list(std::string_view name, std::vector<std::int64_t>& value, double least, double most, Words words);

// The settings that many models have.
void add_images(Settings& settings, Images& images);
void add_tokens(Settings& settings, Tokens& tokens);
Setting classes_setting(std::int64_t& classes);
Setting layers_setting(std::int64_t& layers);
Setting heads_setting(std::int64_t& heads);
Setting features_setting(std::int64_t& features);
Setting epsilon_setting(double& epsilon);
Setting dropout_setting(double& dropout);
Setting tied_setting(bool& tied);
Setting loss_setting(bool& loss);

Settings settings_of(LeNetConfig& config);
Settings settings_of(ResNetConfig& config);
Settings settings_of(MobileNetV2Config& config);
Settings settings_of(VitConfig& config);
Settings settings_of(Gpt2Config& config);
Settings settings_of(LlamaConfig& config);

// Ranges and choices of all values. Throws bad_attribute in the name of the model.
void check_settings(const Settings& settings, std::string_view model);
// Throws unknown_attribute and bad_attribute. The values are checked by whoever builds.
void assign_settings(const Settings& settings, const Attrs& attrs, std::string_view model);

// A model of a family: its preset with other settings by name.
template <class Config>
Model entry(std::string name, std::string family, Config preset, Graph (*make)(const Config&), Attrs example,
            Words words) {
  Model model{.name = name, .family = std::move(family), .words = words, .example = std::move(example)};
  Config fields = preset;
  for (Setting& setting : settings_of(fields)) model.settings.push_back(std::move(setting.spec));
  model.build = [name = std::move(name), preset = std::move(preset), make](const Attrs& attrs) {
    Config config = preset;
    assign_settings(settings_of(config), attrs, name);
    Graph graph = make(config);
    graph.set_name(name);
    return graph;
  };
  return model;
}

// The models of each family.
std::vector<Model> lenet_models();
std::vector<Model> resnet_models();
std::vector<Model> mobilenet_models();
std::vector<Model> vit_models();
std::vector<Model> gpt2_models();
std::vector<Model> llama_models();

}  // namespace asg::zoo
