#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace asg::test {

// A folder of its own for a test, removed at its end. In memory where the system has a place for that and it is asked
// for: there is no disk to wait for then.
class TemporaryFolder {
 public:
  enum class On : std::uint8_t { disk, memory };
  explicit TemporaryFolder(On on = On::disk);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(const std::string& name = "") const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

}  // namespace asg::test
