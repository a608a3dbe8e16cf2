// Any files in a folder as Hugging Face has them are read or refused with a UserError: config.json, safetensors with or
// without an index, and a tokenizer in one file, in GPT-2's two or in vocab.txt. The input is the files, each behind a
// line "== name".
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/io/safetensors.h"
#include "asg/io/tokenizer.h"
#include "asg/zoo/hugging_face.h"

namespace {

namespace fs = std::filesystem;

void demand(bool holds) {
  if (!holds) std::abort();
}

// In memory, and empty at first.
class Folder {
 public:
  Folder() : path_(fs::path("/dev/shm") / ("asg_fuzz_" + std::to_string(::getpid()))) { fs::create_directories(path_); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  // Names that are none of a plain file are left out.
  void write(std::string_view input) {
    constexpr std::string_view kMark = "== ";
    std::size_t at = input.find(kMark);
    while (at != std::string_view::npos) {
      const std::size_t line = std::min(input.find('\n', at), input.size());
      const std::size_t next = input.find("\n== ", line);
      const std::string name(input.substr(at + kMark.size(), line - at - kMark.size()));
      const std::size_t first = std::min(line + 1, input.size());
      const std::string_view content = input.substr(first, next == std::string_view::npos ? next : next - first);
      at = next == std::string_view::npos ? next : next + 1;
      if (name.empty() || name.size() > 60 || name.find_first_of(std::string_view("/\0", 2)) != std::string::npos ||
          name.find_first_not_of('.') == std::string::npos) {
        continue;
      }
      std::ofstream(path_ / name, std::ios::binary) << content;
      names_.push_back(name);
    }
  }

  void clear() {
    for (const std::string& name : names_) fs::remove(path_ / name);
    names_.clear();
  }

  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
  std::vector<std::string> names_;
};

template <class Call>
void attempt(const Call& call) {
  try {
    call();
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Folder folder;
  folder.write({reinterpret_cast<const char*>(data), size});
  attempt([] { asg::zoo::read_hugging_face_config(asg::platform::read_file(folder.path() + "/config.json")); });
  attempt([] {
    const asg::io::Safetensors weights = asg::io::Safetensors::open(folder.path());
    demand(weights.read_all().size() == weights.tensors().size());
  });
  attempt([] {
    const asg::io::Tokenizer tokenizer = asg::io::load_tokenizer(folder.path());
    for (const asg::io::TokenId id : tokenizer.encode("ab abab a")) demand(tokenizer.token(id).has_value());
  });
  folder.clear();
  return 0;
}
