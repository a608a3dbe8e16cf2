#include "zoo/settings.h"

#include <algorithm>
#include <cmath>

#include "asg/core/error.h"

namespace asg::zoo {
namespace {

// Sizes beyond these describe no picture or text; they keep products of lengths inside 64 bits.
constexpr double kMostPixels = 1 << 16;
constexpr double kMostWords = 1 << 24;
constexpr double kMostBatch = 1 << 24;

Attr value_at(const Place& place) {
  return std::visit([](const auto* value) { return Attr(*value); }, place);
}

Setting made(std::string_view name, AttrKind kind, const Place& place, Words words) {
  return {{.name = name, .kind = kind, .fallback = value_at(place), .words = words}, place};
}

Setting within(Setting setting, double least, double most) {
  setting.spec.least = least;
  setting.spec.most = most;
  return setting;
}

std::string told(const AttrSpec& spec, std::string_view model) {
  return "setting '" + std::string(spec.name) + "' of '" + std::string(model) + "'";
}

void check_number(const AttrSpec& spec, double number, std::string_view model) {
  if (number >= *spec.least && number <= *spec.most) return;
  fail(ErrorCode::bad_attribute, Attr(number).to_string() + " for " + told(spec, model),
       "a number from " + Attr(*spec.least).to_string() + " to " + Attr(*spec.most).to_string());
}

void check_choice(const AttrSpec& spec, const Attr& value, std::string_view model) {
  if (spec.choices.empty() || std::find(spec.choices.begin(), spec.choices.end(), value) != spec.choices.end()) return;
  std::string choices;
  std::vector<std::string> names;
  for (const Attr& each : spec.choices) {
    names.push_back(each.as_text());
    choices += choices.empty() ? "one of " : ", ";
    choices += names.back();
  }
  const std::string nearest = nearest_name(value.as_text(), names);
  fail(ErrorCode::bad_attribute, value.to_string() + " for " + told(spec, model), std::move(choices),
       nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

void check_list(const AttrSpec& spec, const std::vector<std::int64_t>& values, std::string_view model) {
  constexpr std::size_t kMostEntries = 32;
  if (values.empty() || values.size() > kMostEntries) {
    fail(ErrorCode::bad_attribute, std::to_string(values.size()) + " numbers for " + told(spec, model),
         "from 1 to " + std::to_string(kMostEntries) + " numbers");
  }
  for (const std::int64_t each : values) check_number(spec, static_cast<double>(each), model);
}

// Writes a value to its field; a whole number is a fine real.
void put(const Setting& setting, const Attr& value, std::string_view model) {
  const bool widened = setting.spec.kind == AttrKind::real && value.kind() == AttrKind::integer;
  if (value.kind() != setting.spec.kind && !widened) {
    fail(ErrorCode::bad_attribute, std::string(name_of(value.kind())) + " for " + told(setting.spec, model),
         std::string(name_of(setting.spec.kind)));
  }
  struct Writer {
    const Attr& value;
    void operator()(std::int64_t* field) const { *field = value.as_integer(); }
    void operator()(double* field) const { *field = value.as_real(); }
    void operator()(bool* field) const { *field = value.as_boolean(); }
    void operator()(std::string* field) const { *field = value.as_text(); }
    void operator()(std::vector<std::int64_t>* field) const { *field = value.as_integers(); }
  };
  std::visit(Writer{value}, setting.place);
}

[[noreturn]] void fail_unknown(const Settings& settings, const std::string& name, std::string_view model) {
  std::vector<std::string> names;
  std::string listed;
  for (const Setting& setting : settings) {
    names.emplace_back(setting.spec.name);
    listed += listed.empty() ? "one of " : ", ";
    listed += names.back();
  }
  const std::string nearest = nearest_name(name, names);
  fail(ErrorCode::unknown_attribute, "setting '" + name + "' of '" + std::string(model) + "'", std::move(listed),
       nearest.empty() ? "" : "did you mean '" + nearest + "'?");
}

}  // namespace

Setting whole(std::string_view name, std::int64_t& value, double least, double most, Words words) {
  return within(made(name, AttrKind::integer, &value, words), least, most);
}

Setting real(std::string_view name, double& value, double least, double most, Words words) {
  return within(made(name, AttrKind::real, &value, words), least, most);
}

Setting flag(std::string_view name, bool& value, Words words) { return made(name, AttrKind::boolean, &value, words); }

Setting choice(std::string_view name, std::string& value, std::vector<Attr> choices, Words words) {
  Setting setting = made(name, AttrKind::text, &value, words);
  setting.spec.choices = std::move(choices);
  return setting;
}

Setting list(std::string_view name, std::vector<std::int64_t>& value, double least, double most, Words words) {
  return within(made(name, AttrKind::integers, &value, words), least, most);
}

void add_images(Settings& settings, Images& images) {
  settings.push_back(whole("channels", images.channels, 1, kMostPixels,
                           {"channels of a picture: 1 grey, 3 colours", "каналы картинки: 1 — серая, 3 — цветная"}));
  settings.push_back(whole("height", images.height, 1, kMostPixels, {"height of a picture", "высота картинки"}));
  settings.push_back(whole("width", images.width, 1, kMostPixels, {"width of a picture", "ширина картинки"}));
  settings.push_back(whole("batch", images.batch, 0, kMostBatch,
                           {"pictures at once; 0: any number", "картинок сразу; 0 — сколько угодно"}));
  settings.push_back(
      flag("channel_axis", images.channel_axis,
           {"whether pictures come with an axis for their channels; else they are [batch, height, width]",
            "есть ли у картинок ось каналов; иначе они имеют вид [пакет, высота, ширина]"}));
}

void add_tokens(Settings& settings, Tokens& tokens) {
  settings.push_back(
      whole("vocabulary", tokens.vocabulary, 1, kMostWords, {"number of different tokens", "число разных токенов"}));
  settings.push_back(whole("batch", tokens.batch, 0, kMostBatch,
                           {"texts at once; 0: any number", "текстов сразу; 0 — сколько угодно"}));
  settings.push_back(whole("length", tokens.length, 0, kMostWords,
                           {"tokens of a text; 0: any number", "токенов в тексте; 0 — сколько угодно"}));
}

Setting classes_setting(std::int64_t& classes) {
  return whole("classes", classes, 1, kMostFeatures, {"classes to tell apart", "сколько классов различать"});
}

Setting layers_setting(std::int64_t& layers) {
  return whole("layers", layers, 1, kMostLayers, {"number of transformer blocks", "число блоков трансформера"});
}

Setting heads_setting(std::int64_t& heads) {
  return whole("heads", heads, 1, kMostFeatures, {"attention heads of a block", "голов внимания в блоке"});
}

Setting features_setting(std::int64_t& features) {
  return whole("features", features, 1, kMostFeatures,
               {"numbers that stand for a position between blocks", "сколько чисел описывают позицию между блоками"});
}

Setting epsilon_setting(double& epsilon) {
  return real("epsilon", epsilon, 0, 1,
              {"added under the root of the norms", "прибавляется под корнем в нормализациях"});
}

Setting dropout_setting(double& dropout) {
  return real("dropout", dropout, 0, 0.95,
              {"share of elements that training sets to zero", "доля элементов, обнуляемых при обучении"});
}

Setting tied_setting(bool& tied) {
  return flag("tied", tied,
              {"whether the head shares the table of the tokens", "общая ли у выходного слоя таблица с токенами"});
}

Setting loss_setting(bool& loss) {
  return flag("loss", loss,
              {"whether the graph takes the right answers and computes the loss, for training",
               "принимает ли граф правильные ответы и считает ли потери, для обучения"});
}

void check_settings(const Settings& settings, std::string_view model) {
  for (const Setting& setting : settings) {
    const Attr value = value_at(setting.place);
    switch (setting.spec.kind) {
      case AttrKind::integer:
      case AttrKind::real:
        check_number(setting.spec, value.as_real(), model);
        break;
      case AttrKind::integers:
        check_list(setting.spec, value.as_integers(), model);
        break;
      case AttrKind::text:
        check_choice(setting.spec, value, model);
        break;
      default:
        break;
    }
  }
}

void assign_settings(const Settings& settings, const Attrs& attrs, std::string_view model) {
  for (const Attrs::Entry& given : attrs) {
    const auto named = [&given](const Setting& setting) { return setting.spec.name == given.first; };
    const auto found = std::find_if(settings.begin(), settings.end(), named);
    if (found == settings.end()) fail_unknown(settings, given.first, model);
    put(*found, given.second, model);
  }
}

}  // namespace asg::zoo
