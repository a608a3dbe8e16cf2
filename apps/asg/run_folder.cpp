#include "run_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "asg/core/error.h"
#include "asg/recipe/recipe.h"
#include "asg/train/checkpoint.h"

namespace asg::app {
namespace {

namespace fs = std::filesystem;

// "log.jsonl.tmp-4711-0": what platform::write_file_atomically writes before it renames.
bool is_leftover(const std::string& name) {
  constexpr std::array<std::string_view, 5> kFiles = {"log.jsonl", "log.csv", "recipe.json", "tokenizer.json",
                                                      "loss.svg"};
  return std::any_of(kFiles.begin(), kFiles.end(),
                     [&](std::string_view file) { return name.starts_with(std::string(file) + ".tmp-"); });
}

}  // namespace

void check_holds_no_run(const std::string& folder, const std::string& hint) {
  std::error_code ignored;
  const std::string place = recipe::checkpoint_folder(folder);
  if (!fs::is_directory(place, ignored)) return;
  const auto checkpoints = train::CheckpointStore(place).list();
  if (checkpoints.empty()) return;
  fail(ErrorCode::io_error,
       "the folder \"" + folder + "\", which holds a run of " + std::to_string(checkpoints.back().step) + " steps",
       "a folder without checkpoints, so that two runs do not mix", hint);
}

void remove_leftovers(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (is_leftover(entry.path().filename().string())) fs::remove(entry.path(), ignored);
  }
  train::CheckpointStore(recipe::checkpoint_folder(folder)).remove_leftovers();
}

void remove_checkpoints(const std::string& folder) {
  const std::string checkpoints = recipe::checkpoint_folder(folder);
  std::error_code error;
  fs::remove_all(checkpoints, error);
  if (!error) return;
  fail(ErrorCode::io_error, "the folder \"" + checkpoints + "\", which cannot be removed: " + error.message(),
       "a folder whose files may be removed", "name another folder with --folder");
}

}  // namespace asg::app
