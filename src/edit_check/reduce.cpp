#include <algorithm>
#include <optional>

#include "asg/edit_check/edit_check.h"
#include "edit_check/json.h"

namespace asg::edit_check {
namespace {

class Reducer {
 public:
  Reducer(Setup setup, std::vector<std::string> lines, Promise promise)
      : setup_(std::move(setup)), lines_(std::move(lines)), promise_(promise) {}

  std::vector<std::string> run() {
    cut_the_end();
    for (std::size_t size = std::max<std::size_t>(lines_.size() / 2, 1);; size /= 2) {
      while (drop_runs_of(size)) {
      }
      if (size <= 1) break;
    }
    drop_commands();
    return lines_;
  }

 private:
  // Nothing where the promise holds.
  std::optional<Failure> failure_of(const std::vector<std::string>& lines) const {
    for (Failure& failure : replay(setup_, lines).failures) {
      if (failure.promise == promise_) return std::move(failure);
    }
    return std::nullopt;
  }

  bool take(std::vector<std::string> lines) {
    if (!failure_of(lines)) return false;
    lines_ = std::move(lines);
    return true;
  }

  // What comes after the failure has no part in it.
  void cut_the_end() {
    const auto failure = failure_of(lines_);
    if (!failure || failure->line + 1 >= lines_.size()) return;
    take({lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(failure->line) + 1});
  }

  bool drop_runs_of(std::size_t size) {
    bool dropped = false;
    for (std::size_t from = 0; from < lines_.size();) {
      std::vector<std::string> fewer = lines_;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(from);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, fewer.size() - from)));
      if (take(std::move(fewer))) {
        dropped = true;
      } else {
        from += size;
      }
    }
    return dropped;
  }

  void drop_commands() {
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      const Json line = Json::parse(lines_[at], nullptr, false);
      if (!line.is_object() || line.value("do", "") != "apply") continue;
      const std::size_t count = line.at("edit").at("commands").size();
      for (std::size_t command = count; command-- > 0;) {
        Json fewer = Json::parse(lines_[at]);
        Json& commands = fewer.at("edit").at("commands");
        if (commands.size() < 2) break;
        commands.erase(command);
        std::vector<std::string> lines = lines_;
        lines[at] = fewer.dump();
        take(std::move(lines));
      }
    }
  }

  Setup setup_;
  std::vector<std::string> lines_;
  Promise promise_;
};

}  // namespace

std::vector<std::string> reduce(const Setup& setup, std::vector<std::string> lines, Promise promise) {
  return Reducer(setup, std::move(lines), promise).run();
}

}  // namespace asg::edit_check
