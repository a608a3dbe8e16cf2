#include "asg/lab/assets.h"

#include <algorithm>

namespace asg::lab {

const Asset* Assets::find(std::string_view path) const {
  const auto before = [](const Asset& asset, std::string_view wanted) { return asset.path < wanted; };
  const auto found = std::lower_bound(files_.begin(), files_.end(), path, before);
  return found != files_.end() && found->path == path ? &*found : nullptr;
}

}  // namespace asg::lab
