#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace asg::train {

// A file that grows record by record. Throws io_error.
class AppendFile {
 public:
  // `anew`: empties it; else what is written comes after what it holds.
  AppendFile(std::string path, bool anew);

  // Hands it to the system before it returns, so that the end of the process cannot take it back.
  void write(std::string_view record);
  void sync() const;  // all that was written is on the disk when it returns
  const std::string& path() const { return path_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

double seconds_since_1970();

}  // namespace asg::train
