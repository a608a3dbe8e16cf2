#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"
#include "asg/zoo/gpt2.h"
#include "asg/zoo/lenet.h"
#include "asg/zoo/llama.h"
#include "asg/zoo/mobilenet.h"
#include "asg/zoo/resnet.h"
#include "asg/zoo/vit.h"

// Ready models: by a typed function with a configuration (zoo::resnet18({.classes = 10})), or by name with settings
// (zoo::build("resnet18", {{"classes", 10}})). Both give a graph with the outputs "logits" and, unless the
// configuration says otherwise, "loss".
namespace asg::zoo {

struct Model {
  std::string name;    // "resnet18"
  std::string family;  // "resnet": models that differ by their settings only
  Words words;         // a sentence
  // What may be set, with the value that this model has as its default.
  std::vector<AttrSpec> settings;
  // Settings of the input for which costs are told: one picture, or one text.
  Attrs example;
  std::function<Graph(const Attrs& settings)> build;

  const AttrSpec* find_setting(std::string_view setting) const;  // null where there is none
};

std::span<const Model> models();
const Model& find(std::string_view name);  // throws bad_command, with the nearest name

// Throws bad_command for an unknown model, unknown_attribute for an unknown setting, bad_attribute for a value of
// another kind or outside its range, and what the layers throw where settings do not fit together.
Graph build(std::string_view name, const Attrs& settings = {});

// A setting as the command line gives it: "10", "0.5", "true", "2,2,2,2". Throws bad_attribute.
Attr parse_setting(const AttrSpec& setting, std::string_view text);

// What a model costs.
struct Figures {
  std::int64_t parameters = 0;
  double flops = 0;  // of a forward pass; a multiplication and an addition count as two
};
Figures figures_of(const Graph& model);
// For the model's example input, with these settings. Where they leave fewer positions, its text is shorter.
Figures figures_of(const Model& model, const Attrs& settings = {});

}  // namespace asg::zoo
