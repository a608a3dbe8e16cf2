#include "checkpoint_best.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tuple>
#include <utility>

#include <nlohmann/json.hpp>

#include "asg/core/log.h"
#include "asg/core/platform.h"
#include "core/json_depth.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBestFormat = "asg-best";

std::string best_path(const std::string& folder) { return (fs::path(folder) / kBestFile).string(); }

bool has(const CheckpointInfo& info, const BestBy& by) {
  const auto value = info.metrics.find(by.metric);
  return value != info.metrics.end() && !std::isnan(value->second);
}

bool is_better(const CheckpointInfo& a, const CheckpointInfo& b, const BestBy& by) {
  const double left = a.metrics.at(by.metric);
  const double right = b.metrics.at(by.metric);
  return by.mode == BestBy::Mode::min ? left < right : left > right;
}

}  // namespace

std::vector<CheckpointInfo> ranked(std::vector<CheckpointInfo> all, const BestBy& by) {
  std::erase_if(all, [&](const CheckpointInfo& each) { return !has(each, by); });
  // Of one step the folder with the longer name is the newer one.
  const auto age = [](const CheckpointInfo& each) { return std::tuple(each.step, each.path.size(), each.path); };
  std::sort(all.begin(), all.end(), [&](const CheckpointInfo& a, const CheckpointInfo& b) {
    if (is_better(a, b, by)) return true;
    return !is_better(b, a, by) && age(a) < age(b);
  });
  return all;
}

const CheckpointInfo* best_of(const std::vector<CheckpointInfo>& all, const BestBy& by) {
  const CheckpointInfo* best = nullptr;
  for (const CheckpointInfo& each : all) {
    if (has(each, by) && (best == nullptr || is_better(each, *best, by))) best = &each;
  }
  return best;
}

void note_best(const std::string& folder, const BestBy& by, const CheckpointInfo* best) {
  nlohmann::ordered_json json;
  json["format"] = kBestFormat;
  json["metric"] = by.metric;
  json["mode"] = by.mode == BestBy::Mode::min ? "min" : "max";
  if (best != nullptr) {
    const double value = best->metrics.at(by.metric);
    json["checkpoint"] = fs::path(best->path).filename().string();
    json["step"] = best->step;
    json["value"] = std::isfinite(value) ? nlohmann::ordered_json(value) : (value > 0 ? "inf" : "-inf");
  }
  const std::string path = best_path(folder);
  const std::string text = json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  try {
    std::error_code ignored;
    if (fs::exists(path, ignored) && platform::read_file(path) == text) return;
    platform::write_file_atomically(path, text);
  } catch (const UserError& error) {
    log(LogLevel::warning, "the best checkpoint could not be noted: " + std::string(error.what()));
  }
}

std::optional<BestBy> noted_best(const std::string& folder) {
  std::string text;
  try {
    text = platform::read_file(best_path(folder));
  } catch (const UserError&) {
    return std::nullopt;
  }
  const auto json = parse_within_limits<nlohmann::json>(text);
  const auto is_text = [&](const char* key) { return json.is_object() && json.contains(key) && json[key].is_string(); };
  if (!is_text("format") || json["format"] != kBestFormat || !is_text("metric") || !is_text("mode"))
    return std::nullopt;
  return BestBy{json["metric"].get<std::string>(), json["mode"] == "max" ? BestBy::Mode::max : BestBy::Mode::min};
}

}  // namespace asg::train
