#include "lab/scene_models.h"

#include "asg/backend/backend_registry.h"
#include "asg/zoo/zoo.h"

namespace asg::lab::test {

Graph small_gpt(std::int64_t layers) {
  return zoo::build("gpt2_char_small",
                    {{"layers", layers}, {"features", 16}, {"heads", 2}, {"batch", 2}, {"length", 8}});
}

std::vector<SmallModel> small_models() {
  const Attrs pictures = {{"batch", 2}, {"channels", 3}, {"height", 32}, {"width", 32}, {"classes", 5}};
  std::vector<SmallModel> models;
  models.push_back({"lenet", zoo::build("lenet", {{"batch", 2}})});
  Attrs residual = pictures;
  residual.set("base_channels", 4);
  residual.set("small_images", true);
  models.push_back({"resnet18", zoo::build("resnet18", residual)});
  Attrs vision = pictures;
  vision.set("patch", 8);
  vision.set("layers", 2);
  vision.set("features", 16);
  vision.set("heads", 2);
  models.push_back({"vit", zoo::build("vit_tiny", vision)});
  models.push_back({"gpt2", small_gpt()});
  models.push_back({"llama", zoo::build("llama_tiny", {{"batch", 2}, {"length", 8}, {"layers", 2}})});
  Attrs mobile = pictures;
  mobile.set("width_multiplier", 0.1);
  models.push_back({"mobilenet_v2", zoo::build("mobilenet_v2", mobile)});
  return models;
}

train::StepGraph step_of(const Graph& model) { return train::make_step(model, "loss", optim::optimizer_named("adam")); }

std::shared_ptr<const Explanation> explained(const Graph& model) {
  const train::StepGraph step = step_of(model);
  const auto backend = BackendRegistry::global().make("cpu");
  const auto executable = backend->compile(step.graph, {.mode = Mode::train});
  SizesByName sizes;
  for (const NodeId id : model.inputs()) sizes[model.node(id).name] = model.type({id, 0}).shape.sizes();
  return executable->explain(sizes);
}

}  // namespace asg::lab::test
