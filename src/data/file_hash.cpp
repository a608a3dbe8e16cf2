#include "file_hash.h"

#include <fstream>
#include <vector>

#include "asg/core/error.h"
#include "asg/core/sha256.h"

namespace asg::data {

std::string hash_of_file(const std::string& path, const std::function<void(std::int64_t done)>& tell) {
  std::ifstream file(path, std::ios::binary);
  Sha256 hash;
  std::vector<char> block(std::size_t{1} << 20);
  std::int64_t done = 0;
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    hash.add({block.data(), static_cast<std::size_t>(file.gcount())});
    done += file.gcount();
    if (tell) tell(done);
  }
  if (!file.eof()) fail(ErrorCode::io_error, "'" + path + "'", "a file that can be read");
  return hash.hex();
}

}  // namespace asg::data
