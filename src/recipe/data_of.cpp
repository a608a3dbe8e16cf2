#include "recipe/data_of.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "asg/data/catalogue.h"
#include "asg/data/csv.h"
#include "asg/data/digits.h"
#include "asg/data/image.h"
#include "asg/data/text.h"
#include "asg/data/transform.h"
#include "asg/io/tokenizer.h"

namespace asg::recipe {
namespace {

// The same split whatever the seed of the training, so that trainings can be compared.
constexpr std::uint64_t kSplitSeed = 20;

// "crop 4" → {"crop", {4}}
struct Words {
  std::string name;
  std::vector<double> numbers;
};

Words words_of(const std::string& text) {
  Words words;
  std::size_t at = text.find(' ');
  words.name = text.substr(0, at);
  while (at != std::string::npos) {
    const std::size_t from = at + 1;
    at = text.find(' ', from);
    const std::string number = text.substr(from, at == std::string::npos ? at : at - from);
    char* end = nullptr;
    words.numbers.push_back(std::strtod(number.c_str(), &end));
    if (number.empty() || *end != 0) {
      fail(ErrorCode::bad_attribute, "the transform '" + text + "'", "a name, then numbers",
           "write for example 'crop 4'");
    }
  }
  return words;
}

struct KnownTransform {
  std::string_view name;
  std::size_t numbers;
  std::string_view form;
  data::Transform (*make)(const std::vector<double>& numbers, const data::Dataset& train);
  bool train_only;  // chance has no place where a model is judged
  bool is_whole;    // its numbers are
};

std::int64_t whole(double number) { return static_cast<std::int64_t>(number); }

data::Transform normalise_by(const data::Dataset& train) {
  data::ChannelStatistics found = data::channel_statistics(train);
  // A channel without any variation becomes 0, as a column does by `standard`.
  std::replace(found.deviations.begin(), found.deviations.end(), 0.0, 1.0);
  return data::normalise(found.means, found.deviations);
}

std::span<const KnownTransform> known_transforms() {
  using Numbers = std::vector<double>;
  using data::Dataset;
  static const KnownTransform kKnown[] = {
      {"normalise", 0, "normalise", [](const Numbers&, const Dataset& train) { return normalise_by(train); }, false,
       false},
      {"standard", 0, "standard", [](const Numbers&, const Dataset& train) { return data::standard(train); }, false,
       false},
      {"flatten", 0, "flatten", [](const Numbers&, const Dataset&) { return data::flatten(); }, false, false},
      {"resize", 2, "resize HEIGHT WIDTH",
       [](const Numbers& n, const Dataset&) { return data::resize(whole(n[0]), whole(n[1])); }, false, true},
      {"flip", 0, "flip", [](const Numbers&, const Dataset&) { return data::flip_horizontally(); }, true, false},
      {"noise", 1, "noise DEVIATION", [](const Numbers& n, const Dataset&) { return data::noise(n[0]); }, true, false},
      {"crop", 1, "crop PADDING",
       [](const Numbers& n, const Dataset& train) {
         const Sizes& sizes = train.field(data::kFeatures).sizes;
         if (sizes.size() < 2) fail(ErrorCode::bad_attribute, "'crop' of what is no picture", "pictures");
         return data::random_crop(sizes[sizes.size() - 2], sizes.back(), whole(n[0]));
       },
       true, true},
  };
  return kKnown;
}

const KnownTransform& known_transform(const Words& words, const std::string& text) {
  constexpr double kMost = 1 << 24;  // pixels of a side
  const auto known = known_transforms();
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& each) { return each.name == words.name; });
  if (found == known.end() || found->numbers != words.numbers.size()) {
    std::string forms;
    for (const KnownTransform& each : known) forms.append(forms.empty() ? "" : ", ").append(each.form);
    fail(ErrorCode::bad_attribute, "the transform '" + text + "'", "one of " + forms);
  }
  for (const double number : words.numbers) {
    const bool is_right = number >= 0 && number <= kMost && std::floor(number) == number;
    if (found->is_whole && !is_right) {
      fail(ErrorCode::bad_attribute, "the transform '" + text + "'", std::string(found->form) + " in whole numbers");
    }
  }
  return *found;
}

void apply_transforms(std::span<const std::string> texts, data::Split& split) {
  for (const std::string& text : texts) {
    const Words words = words_of(text);
    const KnownTransform& known = known_transform(words, text);
    const data::Transform transform = known.make(words.numbers, split.train);
    split.train = split.train.mapped(transform);
    if (!known.train_only) split.held_out = split.held_out.mapped(transform);
  }
}

// Pictures as they are, which must then have one size; says in words of recipes what to do where they do not.
data::Transform of_one_size() {
  const auto first = std::make_shared<Sizes>();  // of the first picture, which is read before all others
  data::Transform result{.text = "of one size"};
  result.type = [first](const data::Field& given) {
    if (first->empty()) *first = given.sizes;
    if (given.sizes != *first) {
      fail(ErrorCode::bad_shape, "a picture of " + Shape::of(given.sizes).to_string(),
           Shape::of(*first).to_string() + ", as the first picture has",
           "let data.transforms begin with a size for all: transforms = [\"resize 32 32\"]");
    }
    return given;
  };
  result.apply = [](const Array& given, const data::Rows&, Array& into) { into.assign(given); };
  return result;
}

// Pictures of a folder. A resize in front of all other transforms is done as each picture is read, so that they
// may differ in size; `transforms` is left with the rest.
data::Dataset pictures_of(const std::string& path, std::span<const std::string>& transforms) {
  const Words words = transforms.empty() ? Words() : words_of(transforms.front());
  if (words.name != "resize") return data::image_folder(path, {.fit = of_one_size()});
  const data::Transform resize = known_transform(words, transforms.front()).make(words.numbers, {});
  transforms = transforms.subspan(1);
  return data::image_folder(path, {.fit = data::chain({data::to_float(), resize})});
}

data::Split cut(const data::Dataset& dataset, double held_out) {
  return data::stratified_split(dataset, held_out, kSplitSeed);
}

// The end of a text is held out, so that no window of it was seen.
RecipeData text_data(const Recipe& recipe, const std::string& name, const std::string& text) {
  const DataPart& part = recipe.data;
  const io::Tokenizer tokenizer =
      part.tokens == "characters" ? io::character_tokenizer(text) : io::load_tokenizer(part.tokens);
  const std::vector<io::TokenId> ids = tokenizer.encode(text);
  const auto seen = static_cast<std::int64_t>(static_cast<double>(ids.size()) * (1 - part.held_out));
  const auto windows = [&](std::int64_t first, std::int64_t last, const std::string& label) {
    Array tokens(DType::i64, {last - first});
    for (std::int64_t k = first; k < last; ++k) tokens.set_i64(k - first, ids[static_cast<std::size_t>(k)]);
    data::WindowOptions options{.length = part.length, .vocabulary = tokenizer.vocabulary_size()};
    return data::token_windows(label, tokens, options);
  };
  RecipeData result;
  const auto count = static_cast<std::int64_t>(ids.size());
  result.split.train = windows(0, seen, name);
  result.split.held_out =
      part.held_out == 0 ? result.split.train.subset({}) : windows(seen, count, name + ", held out");
  result.vocabulary = tokenizer.vocabulary_size();
  result.tokenizer = tokenizer.to_json();
  result.words = name + ": " + std::to_string(count) + " tokens of " + std::to_string(result.vocabulary) + " kinds";
  return result;
}

RecipeData other_data(const Recipe& recipe, bool numbers) {
  constexpr std::int64_t kSyntheticExamples = 640;
  const DataPart& part = recipe.data;
  RecipeData result;
  std::span<const std::string> transforms = part.transforms;
  if (!part.csv.empty()) {
    const data::CsvOptions options{.separator = part.separator,
                                   .label = part.target,
                                   .classes = part.classes.value_or(!numbers),
                                   .missing = part.missing};
    result.split = cut(data::read_csv_file(part.csv, options), part.held_out);
  } else if (!part.images.empty()) {
    result.split = cut(pictures_of(part.images, transforms), part.held_out);
    const data::Transform bytes = data::to_float();
    result.split = {result.split.train.mapped(bytes), result.split.held_out.mapped(bytes)};
  } else if (part.name == "digits") {
    result.split = cut(data::digits(), part.held_out);
  } else if (part.name == "synthetic") {
    result.split = cut(data::synthetic(kSyntheticExamples, {8, 8}, 10, recipe.seed), part.held_out);
  } else {
    result.split = data::open(part.name);
  }
  apply_transforms(transforms, result.split);
  result.words = result.split.train.name() + ": " + std::to_string(result.split.train.count()) + " examples, " +
                 std::to_string(result.split.held_out.count()) + " held out";
  return result;
}

}  // namespace

RecipeData data_of(const Recipe& recipe, bool numbers) {
  const DataPart& part = recipe.data;
  if (!part.text.empty()) return text_data(recipe, part.text, data::read_text_file(part.text));
  if (!part.name.empty() && part.name != "digits" && part.name != "synthetic" &&
      data::catalogue_entry(part.name).is_text) {
    return text_data(recipe, part.name, data::open_text(part.name));
  }
  return other_data(recipe, numbers);
}

}  // namespace asg::recipe
