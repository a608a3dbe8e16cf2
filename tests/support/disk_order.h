#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace asg::test {

// What makes files survive a power loss is the order in which the system is told: contents, then names, then folders.
struct DiskStep {
  enum class Kind : std::uint8_t { sync, rename };
  Kind kind = Kind::sync;
  std::string path;        // of what was synced; the new name of what was renamed
  std::int64_t bytes = 0;  // of a file, when it was synced
};

// Records the calls of fsync and rename of this process while it lives; one at a time.
class DiskOrder {
 public:
  DiskOrder();
  ~DiskOrder();
  DiskOrder(const DiskOrder&) = delete;
  DiskOrder& operator=(const DiskOrder&) = delete;

  std::vector<DiskStep> steps() const;
  // The place of the first such step at or after `from`; -1 where there is none.
  static int find(const std::vector<DiskStep>& steps, DiskStep::Kind kind, const std::string& path, int from = 0);
};

}  // namespace asg::test
