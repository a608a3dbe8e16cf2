#include "checkpoint_order.h"

#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "asg/core/log.h"
#include "asg/core/platform.h"
#include "core/json_depth.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOrderFormat = "asg-checkpoint-order";

std::string order_path(const std::string& folder) { return (fs::path(folder) / kOrderFile).string(); }

std::vector<std::string> names_of(const std::string& text) {
  const auto json = parse_within_limits<nlohmann::json>(text);
  const bool fits = json.is_object() && json.value("format", nlohmann::json()) == kOrderFormat &&
                    json.contains("written") && json["written"].is_array();
  if (!fits) fail(ErrorCode::bad_json, "what is no order of checkpoints", R"({"format": ..., "written": [...]})");
  std::vector<std::string> names;
  for (const auto& name : json["written"]) {
    if (!name.is_string()) fail(ErrorCode::bad_json, "a checkpoint without a name", "names of folders");
    names.push_back(name.get<std::string>());
  }
  return names;
}

}  // namespace

std::vector<std::string> noted_order(const std::string& folder) {
  const std::string path = order_path(folder);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  try {
    return names_of(platform::read_file(path));
  } catch (const UserError& error) {
    log(LogLevel::warning, "\"" + path + "\" is damaged, the order of the steps counts: " + error.what());
    return {};
  }
}

void note_order(const std::string& folder, const std::vector<std::string>& names) {
  const std::string path = order_path(folder);
  if (names.empty()) {
    std::error_code ignored;
    fs::remove(path, ignored);
    return;
  }
  const nlohmann::ordered_json json = {{"format", kOrderFormat}, {"written", names}};
  platform::write_file_atomically(path, json.dump(1) + "\n");
}

}  // namespace asg::train
