#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

#include "asg/core/files.h"
#include "asg/core/log.h"
#include "checkpoint_best.h"
#include "checkpoint_folder.h"
#include "checkpoint_order.h"

namespace asg::train {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kTemporary = ".tmp-";  // begins the names of folders that are being written or removed
constexpr std::size_t kStepDigits = 8;
constexpr std::size_t kMostDigits = 18;

// step-00000100, or step-00000100-2 for the second one of that step.
struct Named {
  std::int64_t step = 0;
  std::int64_t repeat = 1;
  std::string path;

  std::string name() const { return fs::path(path).filename().string(); }
  friend bool operator<(const Named& a, const Named& b) {
    return std::tie(a.step, a.repeat) < std::tie(b.step, b.repeat);
  }
};

std::string folder_name(std::int64_t step, std::int64_t repeat) {
  std::string digits = std::to_string(step);
  if (digits.size() < kStepDigits) digits.insert(0, kStepDigits - digits.size(), '0');
  return std::string(kPrefix) + digits + (repeat > 1 ? "-" + std::to_string(repeat) : "");
}

std::optional<std::int64_t> number_of(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  std::int64_t value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    value = value * 10 + (digit - '0');
  }
  return value;
}

std::optional<Named> parse_name(const fs::path& path) {
  const std::string name = path.filename().string();
  std::string_view rest = name;
  if (!rest.starts_with(kPrefix)) return std::nullopt;
  rest.remove_prefix(kPrefix.size());
  const std::size_t dash = rest.find('-');
  const auto step = number_of(rest.substr(0, dash));
  const auto repeat =
      dash == std::string_view::npos ? std::optional<std::int64_t>(1) : number_of(rest.substr(dash + 1));
  if (!step || !repeat) return std::nullopt;
  return Named{*step, *repeat, path.string()};
}

// All that is in a folder; nothing where there is no such folder.
std::vector<fs::path> entries_of(const std::string& folder) {
  std::vector<fs::path> result;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    result.push_back(entry->path());
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    fail(ErrorCode::io_error, "\"" + folder + "\": " + error.message(), "a folder with checkpoints");
  }
  return result;
}

// Folders with the name of a checkpoint, by rising step.
std::vector<Named> named_folders(const std::string& folder) {
  std::vector<Named> result;
  for (const fs::path& path : entries_of(folder)) {
    std::error_code ignored;
    auto named = parse_name(path);
    if (named && fs::is_directory(path, ignored)) result.push_back(std::move(*named));
  }
  std::sort(result.begin(), result.end());
  return result;
}

// The same by when they were written, the newest last. What the note of the order does not name came after it was
// written, from an older ASG or by hand. The note is read last, since a checkpoint stands in it before it has its name.
std::vector<Named> as_written(const std::string& folder) {
  std::vector<Named> result = named_folders(folder);
  std::map<std::string, std::size_t> places;
  for (const std::string& name : noted_order(folder)) places.insert_or_assign(name, places.size());
  const auto place_of = [&](const Named& each) {
    const auto found = places.find(each.name());
    return found == places.end() ? places.size() : found->second;
  };
  std::sort(result.begin(), result.end(), [&](const Named& a, const Named& b) {
    return std::tuple(place_of(a), a.step, a.repeat) < std::tuple(place_of(b), b.step, b.repeat);
  });
  return result;
}

// Before the next checkpoint has its name, so that a kill at any moment leaves no doubt which one is the newest. A name
// that is noted and not there counts for nothing.
void note_next(const std::string& folder, std::vector<Named> written, Named next) {
  written.push_back(std::move(next));
  std::vector<std::string> names;
  if (!std::is_sorted(written.begin(), written.end())) {
    for (const Named& each : written) names.push_back(each.name());
  }
  note_order(folder, names);
}

bool is_unfinished(const std::string& name) {
  const auto is_of = [&](std::string_view file) {
    return name.starts_with(std::string(file) + std::string(kTemporary));
  };
  return is_of("") || is_of(kBestFile) || is_of(kOrderFile);
}

// What a process left that was ended while it saved. The lock says that nobody is writing it any more.
void remove_unfinished(const std::string& folder, const platform::FolderLock&) {
  for (const fs::path& path : entries_of(folder)) {
    std::error_code ignored;
    if (is_unfinished(path.filename().string())) fs::remove_all(path, ignored);
  }
}

// The name goes first, so that a folder that is half removed is never taken for a checkpoint.
void remove_checkpoint(const std::string& path) {
  const fs::path original(path);
  const fs::path aside = original.parent_path() / (std::string(kTemporary) + original.filename().string());
  std::error_code error;
  fs::rename(original, aside, error);
  if (!error) fs::remove_all(aside, error);
  if (error) log(LogLevel::warning, "the old checkpoint \"" + path + "\" cannot be removed: " + error.message());
}

// A folder that is removed again unless it was renamed to its place.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    fs::create_directory(path_, error);
    if (error) {
      fail(ErrorCode::io_error, "\"" + path_.string() + "\": " + error.message(), "a folder that can be written to");
    }
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  void move_to(const fs::path& place) {
    std::error_code error;
    fs::rename(path_, place, error);
    if (error) fail(ErrorCode::io_error, "\"" + place.string() + "\": " + error.message(), "a name that is free");
    path_.clear();
  }

 private:
  fs::path path_;
};

// Made with its parents, each of them safe on the disk.
void create_folder(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  const fs::path parent = folder.parent_path();
  create_folder(parent);
  fs::create_directory(folder, error);
  if (error) {
    fail(ErrorCode::io_error, "\"" + folder.string() + "\": " + error.message(), "a folder that can be made",
         "choose another folder for checkpoints");
  }
  platform::sync_folder(parent.empty() ? "." : parent.string());
}

std::vector<CheckpointInfo> complete_ones(const std::vector<Named>& all) {
  std::vector<CheckpointInfo> result;
  for (const Named& named : all) {
    try {
      result.push_back({named.step, named.path, read_manifest(named.path).metrics});
    } catch (const UserError&) {  // load_latest tells of those that matter
    }
  }
  return result;
}

// A new checkpoint in its place, all of it on the disk. Returns its path; what fails leaves nothing.
std::string write_beside(const std::string& folder, const CheckpointData& data) {
  const std::int64_t step = data.state.steps;
  const std::vector<Named> written = as_written(folder);
  std::int64_t repeat = 1;
  for (const Named& each : written) {
    if (each.step == step) repeat = std::max(repeat, each.repeat + 1);
  }
  const fs::path place = fs::path(folder) / folder_name(step, repeat);
  try {
    TemporaryFolder temporary(fs::path(folder) / (std::string(kTemporary) + folder_name(step, repeat)));
    write_checkpoint(temporary.path(), data);
    note_next(folder, written, {step, repeat, place.string()});
    temporary.move_to(place);
  } catch (const UserError& error) {
    if (error.code() != ErrorCode::io_error) throw;
    const ErrorDetail& detail = error.detail();
    fail(ErrorCode::io_error, "step " + std::to_string(step) + " could not be saved: " + detail.given, detail.needed,
         (detail.mend.empty() ? "" : detail.mend + "; ") + "the checkpoints that were there before are as they were");
  }
  platform::sync_folder(folder);
  return place.string();
}

// The first that is not damaged.
std::optional<LoadedCheckpoint> load_first(const std::vector<CheckpointInfo>& candidates) {
  std::optional<UserError> first;
  for (const CheckpointInfo& each : candidates) {
    Manifest manifest;
    try {
      manifest = read_manifest(each.path);
      check_contents(each.path, manifest);
    } catch (const UserError& error) {
      if (error.code() == ErrorCode::unsupported_version) throw;
      log(LogLevel::warning, "the checkpoint \"" + each.path + "\" is damaged, another one is tried: " + error.what());
      if (!first) first = error;
      continue;
    }
    return LoadedCheckpoint{{each.step, each.path, manifest.metrics}, read_checkpoint(each.path, manifest)};
  }
  if (first) throw UserError(*first);
  return std::nullopt;
}

// Beyond the last `keep`, without those that stay in any case.
void rotate(const std::vector<CheckpointInfo>& all, int keep, const std::vector<std::string>& staying) {
  if (keep == 0 || all.size() <= static_cast<std::size_t>(keep)) return;
  for (std::size_t k = 0; k + static_cast<std::size_t>(keep) < all.size(); ++k) {
    const bool stays = std::find(staying.begin(), staying.end(), all[k].path) != staying.end();
    if (!stays) remove_checkpoint(all[k].path);
  }
}

}  // namespace

CheckpointStore::CheckpointStore(std::string folder, CheckpointOptions options)
    : folder_(std::move(folder)), options_(std::move(options)) {
  if (options_.keep < 0) {
    fail(ErrorCode::bad_attribute, std::to_string(options_.keep) + " checkpoints to keep",
         "a number of at least 1, or 0 to keep all");
  }
}

CheckpointInfo CheckpointStore::save(const CheckpointData& data) {
  if (data.state.steps < 0) {
    fail(ErrorCode::bad_attribute, "a checkpoint of step " + std::to_string(data.state.steps), "at least step 0");
  }
  create_folder(folder_);
  const platform::FolderLock lock(folder_);
  remove_unfinished(folder_, lock);
  const CheckpointInfo saved{data.state.steps, write_beside(folder_, data), data.metrics};
  const std::vector<CheckpointInfo> all = list();
  const std::optional<BestBy> by = options_.best ? options_.best : noted_best(folder_);
  const CheckpointInfo* best = by ? best_of(all, *by) : nullptr;
  if (options_.best) note_best(folder_, *options_.best, best);
  rotate(complete_ones(as_written(folder_)), options_.keep, {saved.path, best == nullptr ? "" : best->path});
  return saved;
}

void CheckpointStore::remove_leftovers() const {
  std::error_code ignored;
  if (!fs::is_directory(folder_, ignored)) return;
  remove_unfinished(folder_, platform::FolderLock(folder_));
}

std::vector<CheckpointInfo> CheckpointStore::list() const { return complete_ones(named_folders(folder_)); }

std::optional<LoadedCheckpoint> CheckpointStore::load_latest() const {
  std::vector<CheckpointInfo> candidates;
  for (const Named& named : as_written(folder_)) candidates.push_back({named.step, named.path});
  std::reverse(candidates.begin(), candidates.end());
  return load_first(candidates);
}

std::optional<LoadedCheckpoint> CheckpointStore::load_best() const {
  const std::optional<BestBy> by = options_.best ? options_.best : noted_best(folder_);
  if (!by) {
    fail(ErrorCode::missing_value, "the best checkpoint of \"" + folder_ + "\" without a metric",
         "the name of a metric and whether less or more of it is better", "set CheckpointOptions::best");
  }
  return load_first(ranked(list(), *by));
}

}  // namespace asg::train
