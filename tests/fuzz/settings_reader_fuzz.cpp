// Any text is read as a recipe in TOML or JSON, a config.json of Hugging Face, a schedule, settings, a metric, a
// message, a manifest or the state of a checkpoint, or refused with a UserError. The first byte chooses the reader.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "asg/graph/model.h"
#include "asg/loss/loss.h"
#include "asg/metrics/confusion.h"
#include "asg/metrics/metric.h"
#include "asg/nn/nn.h"
#include "asg/ops/ops.h"
#include "asg/optim/json.h"
#include "asg/recipe/recipe.h"
#include "asg/train/course.h"
#include "asg/train/messages.h"
#include "asg/zoo/hugging_face.h"
#include "train/checkpoint_manifest.h"
#include "train/checksum.h"

namespace {

using namespace asg;

void demand(bool holds) {
  if (!holds) std::abort();
}

// With the check sum at its end that belongs to it, which no chance would find.
std::string with_checksum(std::string_view text) {
  train::Checksum sum;
  sum.add(text);
  return std::string(text) + "\"crc32_of_the_text_before\": \"" + sum.hex() + "\"}\n";
}

void read_model(std::string_view text) {
  const Model model = Model::from_json(text);
  demand(Model::from_json(model.to_json()).to_json() == model.to_json());
}

void read(unsigned reader, std::string_view text) {
  switch (reader % 10) {
    case 0:
      recipe::read_recipe(text, recipe::Format::toml);
      break;
    case 1:
      recipe::read_recipe(text, recipe::Format::json);
      break;
    case 2:
      demand(!zoo::read_hugging_face_config(text).name.empty());
      break;
    case 3:
      optim::schedule_from_json(text);
      break;
    case 4:
      optim::settings_from_json(text);
      break;
    case 5:
      demand(metrics::metric_from_json(text) != nullptr);
      break;
    case 6:
      train::message_from_json(text);
      break;
    case 7:
      train::manifest_from_json(with_checksum(text));
      break;
    case 8:
      train::CourseState::from_json(text);
      break;
    default:
      read_model(text);
  }
}

void set_small_limits() {
  set_limit(Limit::depth, 64);
  set_limit(Limit::nodes, 2000);
  set_limit(Limit::ids, 2000);
  set_limit(Limit::elements, 1 << 16);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool kReady = [] {
    set_small_limits();
    return true;
  }();
  if (!kReady || size == 0) return 0;
  try {
    read(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const UserError& error) {
    demand(!error.detail().given.empty());
  }
  return 0;
}
