#include "asg/lab/workspace.h"

#include <filesystem>

#include "asg/core/error.h"

namespace asg::lab {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_file(const std::string& words) {
  fail(ErrorCode::io_error, words, "one below the workspace of the Lab",
       "copy it there, or start the Lab with --workspace");
}

}  // namespace

std::string file_below(const std::string& workspace, const std::string& name) {
  // Where C functions would end it, and open another file than the one that was judged.
  if (name.find('\0') != std::string::npos) refuse_file("a file with a zero byte in its name");
  std::error_code problem;
  const fs::path root = fs::weakly_canonical(workspace, problem);
  const fs::path file = problem ? fs::path() : fs::weakly_canonical(root / name, problem);
  const fs::path way = problem ? fs::path() : file.lexically_relative(root);
  if (problem || fs::path(name).is_absolute() || way.empty() || *way.begin() == "..") {
    refuse_file("the file '" + name + "'");
  }
  return file.string();
}

}  // namespace asg::lab
