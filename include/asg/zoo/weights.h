#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/core/array.h"
#include "asg/graph/graph.h"
#include "asg/io/load_weights.h"
#include "asg/io/safetensors.h"

// Weights that others trained: under which names torchvision and Hugging Face keep what our variables hold, and how it
// lies there.
namespace asg::zoo {

enum class WeightFormat : std::uint8_t { torchvision, hugging_face };
std::string_view name_of(WeightFormat format);  // "torchvision", "hugging_face"
std::optional<WeightFormat> parse_weight_format(std::string_view name);

// Where the numbers of a variable lie in the tensors of somebody else. Ours are made of theirs in this order.
struct WeightPlace {
  std::vector<std::string> tensors;  // its name, the usual one first, then others that are met
  bool leading_axis = false;         // theirs has a first axis of length 1, which ours has not
  int axis = 0;                      // ours is the part number `part` of `parts` equal ones along this axis
  int part = 0;
  int parts = 1;
  bool transposed = false;  // theirs is [units, features]
};

// What is known of the weights of one family of models in one format.
struct WeightMap {
  std::string family;
  WeightFormat format = WeightFormat::torchvision;
  // Whether released weights were loaded and tried. Where none are to be had only the names, shapes and numbers of
  // randomly initialised models are compared.
  bool tried_on_released_weights = false;
  std::string source;  // whose names they are: "torchvision.models.resnet"
};
std::span<const WeightMap> weight_maps();
const WeightMap* find_weight_map(std::string_view family, WeightFormat format);  // null where there is none

// Where a variable of the model lies; nothing where it has no counterpart. It looks at names only, so models may have
// been edited.
std::optional<WeightPlace> place_of(const WeightMap& map, const Graph& model, std::string_view variable);

// A variable of ours from a tensor of theirs, in the tensor's own dtype, and the other way round. Throw bad_shape where
// the rank or a length does not allow it. `join_parts` takes all parts of a tensor in order.
Array take_part(const WeightPlace& place, const Array& tensor);
Array join_parts(const WeightPlace& place, std::span<const Array> parts);

// Values for the parameters and buffers of the model, from a file (or several with an index) in somebody else's format.
// What became of each name stands in the report; strict: everything must fit, else it is thrown. Nothing is assigned:
// put `values` into an executable or the state of a trainer.
io::LoadedWeights load_weights(const Graph& model, const WeightMap& map, const io::Safetensors& file,
                               bool strict = true);
// The tensors that somebody else would read, under their usual names. Variables without a counterpart are left out.
io::Tensors export_weights(const Graph& model, const WeightMap& map, const std::function<Array(VarId)>& value_of);

}  // namespace asg::zoo
