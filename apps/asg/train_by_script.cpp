#include "train_by_script.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <optional>
#include <utility>

#include "asg/train/script.h"
#include "interrupt.h"

namespace asg::app {
namespace {

template <class... Kinds>
bool is_one_of(const train::Event& event) {
  return (std::holds_alternative<Kinds>(event) || ...);
}

// The files of the run hear of events on the engine's thread, while the lines of the script are read on another.
class ScriptFiles {
 public:
  explicit ScriptFiles(RunFiles& files) : files_(files) {}

  void take(const train::Event& event) {
    const std::lock_guard lock(mutex_);
    using namespace train::events;
    if (is_one_of<CheckpointSaved, CheckpointLoaded>(event)) is_saved_ = true;
    const auto* loaded = std::get_if<CheckpointLoaded>(&event);
    if (loaded != nullptr && loaded->part) is_saved_ = false;
    if (is_one_of<StepDone, EditApplied, Returned, ValueSet, ResetDone, LearningRateSet, ScheduleSet, OptimizerSet>(
            event)) {
      is_saved_ = false;
    }
    files_.take(event);
  }

  // Whether a checkpoint would hold no more than there is: also of a training that has done nothing yet.
  bool is_saved() const {
    const std::lock_guard lock(mutex_);
    return is_saved_;
  }

 private:
  RunFiles& files_;
  mutable std::mutex mutex_;
  bool is_saved_ = true;  // guarded by mutex_
};

// The lines of a script. After a signal there are others in their place: those that save what is not saved yet.
class ScriptLines {
 public:
  ScriptLines(std::istream& lines, const ScriptFiles& files, bool saves)
      : lines_(lines), files_(files), saves_(saves) {}

  bool next(std::string& line) {
    if (!is_interrupted() && std::getline(lines_, line)) return true;
    if (!is_interrupted() || !saves_) return false;
    if (!std::exchange(has_paused_, true)) {  // what the step under way does is to be saved too
      line = R"({"do": "pause"})";
      return true;
    }
    if (files_.is_saved() || std::exchange(has_saved_, true)) return false;
    line = R"({"do": "save"})";
    return true;
  }

 private:
  std::istream& lines_;
  const ScriptFiles& files_;
  bool saves_;
  bool has_paused_ = false;
  bool has_saved_ = false;
};

}  // namespace

void check_script(const std::string& script) {
  if (script == "-") return;
  std::error_code ignored;
  if (!std::filesystem::is_directory(script, ignored) && std::ifstream(script)) return;
  fail(ErrorCode::io_error, "the script '" + script + "'", "a file that can be read",
       "check the path, or give - for the standard input");
}

int train_by_script(recipe::Prepared prepared, const std::string& script, RunFiles& files) {
  const bool saves = !prepared.spec.course.saving.folder.empty();
  std::ifstream file;
  if (script != "-") file.open(script);
  std::istream& lines = script == "-" ? std::cin : file;
  catch_interrupts(script == "-" ? OnInterrupt::end_input : OnInterrupt::note);
  ScriptFiles heard(files);
  ScriptLines script_lines(lines, heard, saves);
  std::optional<UserError> failure;  // to begin the files
  prepared.spec.before_start = [&failure, begin = std::move(prepared.spec.before_start)] {
    try {
      begin();
    } catch (const UserError& error) {
      failure = error;
      throw;
    }
  };
  const train::Script carried_out{.next_line = [&](std::string& line) { return script_lines.next(line); },
                                  .sink =
                                      [&](train::TrainingId id, const train::Event& event) {
                                        if (id == train::TrainingId{1}) heard.take(event);  // no branches of it
                                        std::cout << train::to_json(id, event) << std::endl;
                                      },
                                  .is_broken_off = is_interrupted};
  const train::ScriptResult result = train::run_script(std::move(prepared.spec), carried_out);
  files.finish();
  if (failure) throw UserError(*failure);
  return result.refused == 0 ? 0 : 1;
}

}  // namespace asg::app
