#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/recipe/recipe.h"
#include "asg/recipe/toml.h"
#include "core/json_depth.h"

namespace asg::recipe {
namespace {

std::string kept_file(const std::string& folder) { return folder + "/recipe.json"; }

[[noreturn]] void fail_kept(const std::string& folder) {
  fail(ErrorCode::bad_json, "the file '" + kept_file(folder) + "'", "a recipe as `asg train` keeps it",
       "give the recipe itself, with --resume");
}

}  // namespace

void keep_recipe(const std::string& folder, std::string_view text, Format format,
                 std::span<const std::string> changes) {
  const nlohmann::ordered_json kept = {{"format", format == Format::toml ? "toml" : "json"},
                                       {"text", text},
                                       {"changes", std::vector<std::string>(changes.begin(), changes.end())}};
  platform::write_file_atomically(kept_file(folder), kept.dump(2) + "\n");
}

Recipe load_kept_recipe(const std::string& folder, std::span<const std::string> changes) {
  const auto kept = parse_within_limits<nlohmann::json>(platform::read_file(kept_file(folder)));
  std::string text;
  std::string format;
  std::vector<std::string> all;
  try {
    text = kept.at("text").get<std::string>();
    format = kept.at("format").get<std::string>();
    all = kept.at("changes").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    fail_kept(folder);
  }
  if (format != "toml" && format != "json") fail_kept(folder);
  all.push_back("folder=" + toml_text(folder));  // it may have been moved
  all.insert(all.end(), changes.begin(), changes.end());
  return read_recipe(text, format == "toml" ? Format::toml : Format::json, all);
}

}  // namespace asg::recipe
