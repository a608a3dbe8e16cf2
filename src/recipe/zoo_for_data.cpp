#include "recipe/zoo_for_data.h"

#include <algorithm>
#include <array>

#include "asg/core/error.h"

namespace asg::recipe {
namespace {

// Pictures from here on are large enough for a beginning that makes them smaller.
constexpr std::int64_t kLargePicture = 64;

// Two stages of LeNet, each a filter of 5×5 and a pool of two by two, leave one element of 16.
std::int64_t padding_of_lenet(std::int64_t shorter) {
  constexpr std::int64_t kLeast = 16;
  constexpr std::int64_t kUsual = 2;
  return std::max(kUsual, (kLeast - shorter + 1) / 2);
}

// The largest patch that cuts a picture evenly, into no fewer than 16.
std::int64_t patch_of(std::int64_t height, std::int64_t width) {
  constexpr std::int64_t kFewest = 16;
  for (const std::int64_t patch : std::array<std::int64_t, 6>{16, 14, 8, 7, 4, 2}) {
    const bool is_even = height % patch == 0 && width % patch == 0;
    if (is_even && (height / patch) * (width / patch) >= kFewest) return patch;
  }
  return 1;
}

void check_kind(const zoo::Model& model, bool is_text, const std::string& words) {
  const bool reads_text = model.find_setting("vocabulary") != nullptr;
  if (reads_text == is_text) return;
  const std::string kind = reads_text ? "texts" : "pictures";
  fail(ErrorCode::bad_attribute, "the model '" + model.name + "', which reads " + kind + ", for " + words,
       "data that are " + kind,
       reads_text ? "choose a text, such as --data moby-dick" : "choose pictures, such as --data digits");
}

}  // namespace

Attrs settings_for(const zoo::Model& model, const Recipe& recipe, const RecipeData& data) {
  Attrs settings = recipe.model.settings;
  const auto suggest = [&](std::string_view name, Attr value) {
    if (model.find_setting(name) != nullptr && settings.find(name) == nullptr) settings.set(name, std::move(value));
  };
  check_kind(model, data.vocabulary > 0, data.words);
  if (data.vocabulary > 0) {
    suggest("vocabulary", data.vocabulary);
    suggest("positions", recipe.data.length);
    return settings;
  }
  const Sizes& sizes = data.split.train.field(data::kFeatures).sizes;
  const bool has_channels = sizes.size() > 2;
  if (sizes.size() >= 2) {
    const std::int64_t height = sizes[sizes.size() - 2];
    const std::int64_t width = sizes.back();
    suggest("channels", has_channels ? sizes.front() : std::int64_t{1});
    suggest("channel_axis", has_channels);
    suggest("height", height);
    suggest("width", width);
    if (model.family == "lenet") suggest("padding", padding_of_lenet(std::min(height, width)));
    if (std::min(height, width) < kLargePicture) {
      suggest("small_images", true);
      suggest("patch", patch_of(height, width));
    }
  }
  if (data.split.train.classes() > 0) suggest("classes", data.split.train.classes());
  return settings;
}

void check_examples_fit(const Graph& model, const data::Dataset& examples, const std::string& input) {
  const NodeId node = model.find_node(input);
  if (!node || examples.count() == 0) return;
  const Shape& shape = model.type({node, 0}).shape;
  const Sizes& sizes = examples.field(data::kFeatures).sizes;
  bool fits = shape.rank() == static_cast<int>(sizes.size()) + 1;
  for (std::size_t axis = 0; fits && axis < sizes.size(); ++axis) {
    const Dim& dim = shape[static_cast<int>(axis) + 1];
    fits = !dim.is_known() || dim.value() == sizes[axis];
  }
  if (fits) return;
  fail(ErrorCode::bad_shape,
       "examples of shape " + Shape::of(sizes).to_string() + " in '" + examples.name() + "' for the input '" + input +
           "' of type " + model.type({node, 0}).to_string(),
       "examples of the shape that the model takes",
       "choose other data (`asg data list`), or let data.transforms resize them: ['resize 28 28']");
}

}  // namespace asg::recipe
