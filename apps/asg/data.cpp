#include <chrono>
#include <cstdio>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/data/catalogue.h"
#include "asg/data/text.h"
#include "commands.h"
#include "console.h"

namespace asg::app {
namespace {

struct DataOptions {
  std::string name;
  std::string from;
  bool force = false;
  bool json = false;
};

std::int64_t bytes_of(const data::CatalogueEntry& entry) {
  std::int64_t bytes = 0;
  for (const data::CatalogueFile& file : entry.files) bytes += file.bytes;
  return bytes;
}

const char* place_of(const data::CatalogueEntry& entry) {
  if (entry.origin == data::Origin::embedded) return "in the program";
  return data::is_here(entry) ? "here" : "not here";
}

void list(const DataOptions& options) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const data::CatalogueEntry& entry : data::catalogue()) {
    if (options.json) {
      all.push_back(
          {{"name", entry.name}, {"words", entry.words}, {"state", place_of(entry)}, {"bytes", bytes_of(entry)}});
    } else {
      fmt::print("{:<14} {:<15} {}\n", painted(entry.name, Paint::bold), place_of(entry), entry.words);
    }
  }
  if (options.json) {
    fmt::print("{}\n", all.dump(2));
  } else {
    fmt::print("\nFetch one with `asg data get NAME`; they are kept in {}.\n", data::cache_folder());
  }
}

// One line that changes on a terminal, elsewhere a plain line for each thing that is begun.
class Teller {
 public:
  ~Teller() { end(); }

  void tell(const std::string& what, std::int64_t done, std::int64_t total) {
    if (what != what_) {
      end();
      what_ = what;
      start_ = std::chrono::steady_clock::now();
      if (!terminal_) fmt::print("  {}\n", what);
    }
    if (!terminal_) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const std::string how_far =
        total > 0 ? fmt::format("{:3} %", done * 100 / total) : fmt::format("{:.0f} s", seconds);
    fmt::print("\r\x1b[K  {} {}", what, how_far);
    std::fflush(stdout);
    open_ = true;
  }

  void end() {
    if (open_) fmt::print("\n");
    open_ = false;
  }

 private:
  bool terminal_ = platform::is_terminal(1);
  bool open_ = false;
  std::string what_;
  std::chrono::steady_clock::time_point start_;
};

void get(const DataOptions& options) {
  const data::CatalogueEntry& entry = data::catalogue_entry(options.name);
  Teller teller;
  const bool fetched = data::fetch(entry, {.force = options.force,
                                           .from = options.from,
                                           .tell = [&](const std::string& what, std::int64_t done, std::int64_t total) {
                                             teller.tell(what, done, total);
                                           }});
  teller.end();
  if (entry.origin == data::Origin::embedded) {
    fmt::print("{} is part of the program\n", entry.name);
  } else {
    fmt::print("{} is {} in {}/{}\n", entry.name, fetched ? "now" : "already, and rightly,", data::cache_folder(),
               entry.name);
  }
}

const char* words_of(data::FileState state) {
  switch (state) {
    case data::FileState::right:
      return "right";
    case data::FileState::missing:
      return "not here";
    case data::FileState::wrong:
      return "wrong: not the file that is meant";
  }
  return "";
}

nlohmann::ordered_json describe(const data::CatalogueEntry& entry) {
  nlohmann::ordered_json about = {{"name", entry.name},       {"words", entry.words},
                                  {"licence", entry.licence}, {"package", entry.package},
                                  {"state", place_of(entry)}, {"files", nlohmann::ordered_json::array()}};
  bool right = true;
  for (const data::CatalogueFile& file : entry.files) {
    const data::FileState state = data::state_of(entry, file, true);
    right = right && state == data::FileState::right;
    about["files"].push_back(
        {{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}, {"state", words_of(state)}});
  }
  if (right && entry.is_text) {
    about["characters"] = data::open_text(entry.name).size();
  } else if (right) {
    const data::Split split = data::open(entry.name);
    about["train"] = split.train.count();
    about["held_out"] = split.held_out.count();
    for (const data::Field& field : split.train.fields()) about["fields"].push_back(field.to_string());
  }
  return about;
}

void info(const DataOptions& options) {
  const data::CatalogueEntry& entry = data::catalogue_entry(options.name);
  const nlohmann::ordered_json about = describe(entry);
  if (options.json) {
    fmt::print("{}\n", about.dump(2));
    return;
  }
  fmt::print("{}: {}\n  licence   {}\n", painted(entry.name, Paint::bold), entry.words, entry.licence);
  if (!entry.package.empty()) fmt::print("  package   {}\n", entry.package);
  for (const auto& file : about["files"]) {
    fmt::print("  file      {}, {} bytes, {}\n", file["name"].get<std::string>(), file["bytes"].get<std::int64_t>(),
               file["state"].get<std::string>());
  }
  if (about.contains("characters")) fmt::print("  text      {} bytes\n", about["characters"].get<std::int64_t>());
  if (about.contains("train")) {
    fmt::print("  examples  {} to learn from, {} held out\n", about["train"].get<std::int64_t>(),
               about["held_out"].get<std::int64_t>());
    for (const auto& field : about["fields"]) fmt::print("  field     {}\n", field.get<std::string>());
  }
  if (!data::is_here(entry)) fmt::print("Fetch it with `asg data get {}`.\n", entry.name);
}

}  // namespace

void add_data(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<DataOptions>();
  CLI::App* command = app.add_subcommand("data", "List, fetch and describe data sets");
  command->require_subcommand(1);
  CLI::App* list_command = command->add_subcommand("list", "The data sets that are known by name");
  list_command->add_flag("--json", options->json, "As JSON");
  list_command->callback([options] { list(*options); });
  CLI::App* get_command = command->add_subcommand("get", "Fetch a data set, check it and keep it");
  get_command->add_option("name", options->name, "Its name; see `asg data list`")->required();
  get_command->add_flag("--force", options->force, "Fetch it also when it is here");
  get_command->add_option("--from", options->from, "A package or a folder that was fetched by hand");
  get_command->callback([options] { get(*options); });
  CLI::App* info_command = command->add_subcommand("info", "Everything about a data set; checks its files");
  info_command->add_option("name", options->name, "Its name; see `asg data list`")->required();
  info_command->add_flag("--json", options->json, "As JSON");
  info_command->callback([options] { info(*options); });
}

}  // namespace asg::app
