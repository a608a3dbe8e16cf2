#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>

#include "asg/core/platform.h"
#include "asg/graph/registry.h"
#include "generate.h"

namespace asg::generate {
namespace {

namespace fs = std::filesystem;

// Folders that hold nothing but generated files: what is in them and is not made any more is deleted.
constexpr const char* kFolders[] = {"include/asg/ops/generated", "include/asg/nn/generated",
                                    "include/asg/loss/generated", "docs/ops", "tests/fuzz/corpus/lab_message"};

// Others among files that people write.
constexpr const char* kFiles[] = {"docs/protocol.md", "web/src/generated/protocol.ts"};

struct Options {
  fs::path source;  // where what they are made from lies, cards aside
  fs::path root;
  bool check = false;
};

std::optional<Options> parse(std::span<const char* const> arguments) {
  Options options;
  fs::path out;
  for (std::size_t at = 1; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    const bool has_value = at + 1 < arguments.size();
    if (argument == "--check") {
      options.check = true;
    } else if (argument == "--root" && has_value) {
      options.root = arguments[++at];
    } else if (argument == "--out" && has_value) {
      out = arguments[++at];
    } else {
      return std::nullopt;
    }
  }
  options.source = options.root;
  if (!out.empty()) options.root = out;
  if (options.root.empty()) return std::nullopt;
  return options;
}

std::map<std::string, std::string> files_in(const fs::path& root) {
  std::map<std::string, std::string> files;
  for (const char* folder : kFolders) {
    if (!fs::exists(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      files[fs::relative(entry.path(), root).generic_string()] = platform::read_file(entry.path().string());
    }
  }
  for (const char* file : kFiles) {
    if (fs::exists(root / file)) files[file] = platform::read_file((root / file).string());
  }
  return files;
}

void write(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  platform::write_file_atomically(path.string(), content);
}

// Makes the tree agree with `files`, or only says where it does not. Returns the number of differences.
int synchronise(const Options& options, const std::vector<File>& files) {
  std::map<std::string, std::string> present = files_in(options.root);
  int differences = 0;
  auto report = [&](const char* what, const std::string& path) {
    ++differences;
    std::printf("%s%s\n", what, path.c_str());
  };
  for (const File& file : files) {
    const auto old = present.find(file.path);
    const bool same = old != present.end() && old->second == file.content;
    if (old != present.end()) present.erase(old);
    if (same) continue;
    report(options.check ? "stale: " : "wrote ", file.path);
    if (!options.check) write(options.root / file.path, file.content);
  }
  for (const auto& [path, content] : present) {
    report(options.check ? "left over: " : "deleted ", path);
    if (!options.check) fs::remove(options.root / path);
  }
  return differences;
}

}  // namespace

int run(std::span<const char* const> arguments) {
  const std::optional<Options> options = parse(arguments);
  if (!options) {
    std::fprintf(stderr, "usage: asg_generate --root DIR [--out DIR] [--check]\n");
    return 2;
  }
  try {
    const std::vector<const OpCard*> cards = Registry::global().all();
    std::vector<File> files = builder_headers(cards);
    for (File& page : op_pages(cards)) files.push_back(std::move(page));
    if (fs::exists(options->source / "docs/protocol.schema.json")) {
      files.push_back(protocol_page(options->source.string()));
      files.push_back(protocol_types(options->source.string()));
      for (File& seed : message_seeds(options->source.string())) files.push_back(std::move(seed));
    }
    const int differences = synchronise(*options, files);
    if (!options->check || differences == 0) return 0;
    std::printf("%d generated files do not follow from the cards; `make generate` rewrites them\n", differences);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "asg_generate: %s\n", error.what());
    return 2;
  }
}

}  // namespace asg::generate
