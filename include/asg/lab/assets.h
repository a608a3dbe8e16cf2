#pragma once

#include <span>
#include <string_view>

namespace asg::lab {

// A file of the page as it lies in the program, packed by gzip.
struct Asset {
  std::string_view path;  // "/assets/index-B1x.js"
  std::string_view type;  // "text/javascript; charset=utf-8"
  std::string_view gzip;
  std::string_view etag;  // with its quotes, as HTTP has it
};

// A table of files, made at build time by asg_embed_folder() (cmake/AsgEmbedFolder.cmake) and sorted by path. It lives
// as long as the program and costs nothing to copy.
class Assets {
 public:
  Assets() = default;
  explicit Assets(std::span<const Asset> files) : files_(files) {}

  bool empty() const { return files_.empty(); }
  std::span<const Asset> files() const { return files_; }
  const Asset* find(std::string_view path) const;  // null where there is none

 private:
  std::span<const Asset> files_;
};

// The page of the Lab: what lay in web/dist when the program was built; empty where that was missing.
Assets page_assets();

}  // namespace asg::lab
