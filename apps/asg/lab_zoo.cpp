#include "lab_zoo.h"

#include <algorithm>
#include <cmath>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/zoo/zoo.h"

namespace asg::app {
namespace {

// A number, its gradient and two means that the optimiser keeps of it; and while a training begins the first values of
// all but the gradient a second time.
constexpr double kBytesOfAParameter = 28;

// The parts of a recipe that make a model another one, as in "model.layers=2".
Attrs settings_among(const zoo::Model& model, const std::vector<std::string>& changes) {
  Attrs settings;
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    if (!change.starts_with("model.") || equals == std::string::npos) continue;
    const std::string name = change.substr(6, equals - 6);
    const AttrSpec* spec = model.find_setting(name);
    if (spec == nullptr || spec->kind != AttrKind::integer) continue;
    settings.set(name, zoo::parse_setting(*spec, change.substr(equals + 1)));
  }
  return settings;
}

void check_memory(const zoo::Model& model, double parameters) {
  const auto machine = static_cast<double>(platform::physical_bytes());
  const double needed = parameters * kBytesOfAParameter;
  if (machine == 0 || needed < 0.8 * machine) return;
  const auto gigabytes = [](double bytes) { return std::to_string(std::llround(std::ceil(bytes * 1e-9))) + " GB"; };
  const std::string smaller = model.find_setting("vocabulary") != nullptr ? "gpt2_char_small" : "lenet";
  fail(ErrorCode::limit_exceeded,
       "the model '" + model.name + "', whose training takes " + gigabytes(needed) + " as it begins, on a machine of " +
           gigabytes(machine),
       "more memory, or a smaller model", "open '" + smaller + "', or give it fewer layers: --set model.layers=2");
}

// Of the texts that are shown in a step: short, for a quick one, and no longer than the model takes.
std::int64_t text_length(const zoo::Model& model, const Attrs& settings) {
  constexpr std::int64_t kShort = 64;
  const AttrSpec* spec = model.find_setting("positions");
  if (spec == nullptr) return kShort;
  const Attr* given = settings.find("positions");
  return std::min(kShort, (given != nullptr ? *given : *spec->fallback).as_integer());
}

}  // namespace

std::vector<std::string> changes_for_zoo(const std::string& name, bool has_data,
                                         const std::vector<std::string>& changes) {
  constexpr double kLarge = 5e6;
  const zoo::Model& model = zoo::find(name);
  const Attrs settings = settings_among(model, changes);
  const auto parameters = static_cast<double>(zoo::figures_of(model, settings).parameters);
  check_memory(model, parameters);
  const bool is_large = parameters > kLarge;
  std::vector<std::string> result = {"model.zoo='" + name + "'"};
  if (model.find_setting("vocabulary") != nullptr) {
    if (!has_data) result.emplace_back("data.name='moby-dick'");
    result.emplace_back("data.length=" + std::to_string(text_length(model, settings)));
    result.emplace_back(is_large ? "data.batch_size=4" : "data.batch_size=16");
  } else if (is_large) {
    result.emplace_back("data.batch_size=16");
  }
  result.emplace_back(is_large ? "optimizer.learning_rate=3e-4" : "optimizer.learning_rate=1e-3");
  return result;
}

}  // namespace asg::app
