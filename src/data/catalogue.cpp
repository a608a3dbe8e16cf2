#include "asg/data/catalogue.h"

#include <algorithm>
#include <filesystem>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/data/cifar.h"
#include "asg/data/digits.h"
#include "asg/data/idx.h"
#include "asg/data/text.h"
#include "file_hash.h"

namespace asg::data {
namespace {

namespace fs = std::filesystem;

std::string path_of(const CatalogueEntry& entry, std::string_view file) {
  return (fs::path(cache_folder()) / entry.name / file).string();
}

void check_here(const CatalogueEntry& entry) {
  if (is_here(entry)) return;
  fail(ErrorCode::missing_value, "the data set '" + entry.name + "', which is not here",
       "its files in " + path_of(entry, ""), "fetch it: asg data get " + entry.name);
}

// Pictures in four files, as MNIST has them.
Split open_mnist_like(const CatalogueEntry& entry) {
  constexpr std::int64_t kClasses = 10;
  const auto part = [&](const char* what, std::size_t first) {
    return read_idx_pair(entry.name + " " + what, path_of(entry, entry.files[first].name),
                         path_of(entry, entry.files[first + 1].name), kClasses)
        .mapped(to_float());
  };
  return {part("train", 0), part("test", 2)};
}

Split open_cifar10(const CatalogueEntry& entry) {
  std::vector<std::string> paths;
  for (const CatalogueFile& file : entry.files) paths.push_back(path_of(entry, file.name));
  const std::string test = paths.back();
  paths.pop_back();
  return {read_cifar10_files("cifar10 train", paths).mapped(to_float()),
          read_cifar10_files("cifar10 test", {test}).mapped(to_float())};
}

}  // namespace

const CatalogueEntry& catalogue_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  std::string known;
  for (const std::string& each : names) known += (known.empty() ? "" : ", ") + each;
  const std::string near = nearest_name(name, names);
  fail(ErrorCode::missing_value, "no data set '" + std::string(name) + "'", "one of: " + known,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

std::string cache_folder() {
  const auto set = [](const char* name) {
    const auto value = platform::environment(name);
    return value && !value->empty() ? value : std::nullopt;
  };
  if (const auto own = set("ASG_DATA")) return *own;
  if (const auto cache = set("XDG_CACHE_HOME")) return *cache + "/asg";
  if (const auto home = set("HOME")) return *home + "/.cache/asg";
  fail(ErrorCode::missing_value, "no folder for data", "a place to keep data sets in", "set ASG_DATA to a folder");
}

FileState state_of(const CatalogueEntry& entry, const CatalogueFile& file, bool thorough) {
  const std::string path = path_of(entry, file.name);
  std::error_code error;
  const auto bytes = fs::file_size(path, error);
  if (error) return FileState::missing;
  if (static_cast<std::int64_t>(bytes) != file.bytes) return FileState::wrong;
  return !thorough || hash_of_file(path) == file.sha256 ? FileState::right : FileState::wrong;
}

bool is_here(const CatalogueEntry& entry) {
  return std::all_of(entry.files.begin(), entry.files.end(),
                     [&](const CatalogueFile& file) { return state_of(entry, file, false) == FileState::right; });
}

Split open(std::string_view name) {
  constexpr double kHeldOut = 0.2;
  constexpr std::uint64_t kSplitSeed = 20;
  const CatalogueEntry& entry = catalogue_entry(name);
  if (entry.is_text) {
    fail(ErrorCode::type_mismatch, "the text '" + entry.name + "'", "a data set of examples",
         "read it with open_text, and cut it into token_windows");
  }
  if (entry.name == "digits") return stratified_split(digits(), kHeldOut, kSplitSeed);
  check_here(entry);
  return entry.name == "cifar10" ? open_cifar10(entry) : open_mnist_like(entry);
}

std::string open_text(std::string_view name) {
  const CatalogueEntry& entry = catalogue_entry(name);
  if (!entry.is_text) {
    fail(ErrorCode::type_mismatch, "the data set '" + entry.name + "'", "a text", "open it with open");
  }
  if (entry.name == "moby-dick") return moby_dick();
  check_here(entry);
  return read_text_file(path_of(entry, entry.files.front().name));
}

}  // namespace asg::data
