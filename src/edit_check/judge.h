#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "asg/edit_check/edit_check.h"
#include "edit_check/picture.h"

namespace asg::edit_check {

// What a message is to the checks.
struct Said {
  std::string line;
  std::string kind;          // "apply", "run" …; "" where it is no message
  std::string policy;        // of an edit; "" where it names none
  bool is_change() const;    // of model, values, optimizer or schedule
  bool is_question() const;  // changes nothing but what is watched or kept elsewhere
};
Said said_by(const std::string& line);

// Sends messages to one training and checks after each what was promised.
class Judge {
 public:
  Judge(Setup setup, std::string folder);

  Session& session() { return session_; }
  // As it was after the last message; of a running training at some moment since. Null: it is gone.
  const PicturePtr& now() const { return now_; }
  bool goes_on() const { return now_ != nullptr && !session_.is_lost(); }

  void say(const std::string& line, int steps_to_wait);
  // Pauses, makes a step, undoes all, returns to the first snapshot, and compares with a twin.
  void conclude();

  std::vector<Failure> take_failures() { return std::move(failures_); }
  const Coverage& coverage() const { return coverage_; }
  std::int64_t edits() const { return edits_; }
  std::int64_t accepted() const { return accepted_; }

 private:
  // A change in the history, by its number in the journal. Null: it was made while the training ran.
  struct Change {
    std::string how;
    PicturePtr before;
    PicturePtr after;
  };
  using Changes = std::map<std::int64_t, Change>;
  struct Kept {
    PicturePtr picture;  // null: it was made while the training ran
    Changes changes;
    std::vector<train::JournalEntry> journal;
  };
  struct Action {
    std::string line;
    std::size_t after_steps = 0;
  };

  void fail_promise(Promise promise, const std::string& detail);
  void count(const Said& said, const Answer& answer);
  void check_verdict(const Said& said, const Answer& answer, bool was_running);
  void check_unchanged(const Said& said, const PicturePtr& before, bool was_accepted);
  void check_accepted(const Said& said, const Answer& answer, const PicturePtr& before);
  void check_step(const PicturePtr& before, std::size_t steps_before);
  void check_edit(const Said& said, const PicturePtr& before, const NamedArrays& outputs);
  void follow_journal(const PicturePtr& before);
  void check_undo(std::int64_t id, const PicturePtr& before);
  void check_redo(std::int64_t id, const PicturePtr& before);
  void fail_change(Promise promise, const char* what, std::int64_t id, const std::string& detail);
  void check_refused_step_back(const Said& said, const Answer& answer);
  void note_snapshots(const PicturePtr& before);
  void check_return(const Said& said);
  void check_saved();
  void check_branch(train::TrainingId branch);
  void expect_next(double loss);
  void undo_everything();
  void return_to_first();
  void compare_with_twin();
  std::vector<train::JournalEntry> journal();

  Setup setup_;
  std::string folder_;
  Session session_;
  PicturePtr first_;
  PicturePtr now_;
  std::size_t line_ = 0;
  std::vector<Failure> failures_;
  Coverage coverage_;
  std::int64_t edits_ = 0;
  std::int64_t accepted_ = 0;
  bool notes_actions_ = true;
  std::vector<Action> actions_;
  std::vector<train::JournalEntry> journal_;
  Changes changes_;
  std::map<std::uint32_t, Kept> snapshots_;
  std::optional<Kept> saved_;
  // Of a copy that went on from such a training: the loss of the next step.
  struct Expected {
    PicturePtr picture;
    double loss = 0;
  };
  std::optional<Expected> expected_;
};

}  // namespace asg::edit_check
