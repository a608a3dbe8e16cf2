#include "support/temporary_folder.h"

#include <atomic>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace asg::test {

TemporaryFolder::TemporaryFolder(On on) {
  static std::atomic<int> serial{0};
  const std::string name = "asg-test-" + std::to_string(::getpid()) + "-" + std::to_string(serial.fetch_add(1));
  constexpr const char* kMemory = "/dev/shm";
  const bool in_memory = on == On::memory && ::access(kMemory, W_OK) == 0;
  path_ = std::filesystem::path(in_memory ? kMemory : testing::TempDir()) / name;
  std::filesystem::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
}

}  // namespace asg::test
