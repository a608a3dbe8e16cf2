#pragma once

#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace asg {

// A program that runs beside the test: lines go to its standard input, and lines of JSON come from its output. It is
// killed when the object goes, if it still runs.
class Conversation {
 public:
  explicit Conversation(const std::string& arguments);
  ~Conversation();
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  void say(const std::string& line) const;
  // The next event that fits; null where the program ends before.
  nlohmann::json hear(const std::function<bool(const nlohmann::json& event)>& fits);
  nlohmann::json hear(const std::string& name);
  // The next line, whatever it is; nothing where the program ends before.
  std::optional<std::string> hear_line();
  // SIGKILL, which no program can answer. Whether it ended by that, and not before by itself.
  bool kill();

 private:
  pid_t child_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string rest_;  // what has been read beyond the last line
};

}  // namespace asg
