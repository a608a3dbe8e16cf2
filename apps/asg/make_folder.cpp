#include "make_folder.h"

#include <filesystem>

#include "asg/core/error.h"

namespace asg::app {

void make_folder(const std::string& folder, const std::string& option) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem) return;
  fail(ErrorCode::io_error, "the folder \"" + folder + "\": " + problem.message(),
       "a folder that is there or can be made", "name another one with " + option);
}

}  // namespace asg::app
