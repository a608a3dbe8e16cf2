#include "edit_check/judge.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "edit_check/json.h"

namespace asg::edit_check {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool is_among(const std::string& word, const std::set<std::string>& words) { return words.contains(word); }

// A cards' tolerance holds for one op; a model has some tens of them.
std::string outputs_difference(const NamedArrays& before, const NamedArrays& after) {
  constexpr double kTolerance = 1e-4;
  for (const auto& [name, old] : before) {
    const auto found = after.find(name);
    if (found == after.end()) continue;
    const Array& value = found->second;
    if (old.sizes() != value.sizes()) return "output '" + name + "' is " + value.type_string();
    double largest = 1;
    for (std::int64_t k = 0; k < old.count(); ++k) {
      if (std::isfinite(old.get(k))) largest = std::max(largest, std::abs(old.get(k)));
    }
    for (std::int64_t k = 0; k < old.count(); ++k) {
      const double was = old.get(k);
      const double is = value.get(k);
      if (was == is || (std::isnan(was) && std::isnan(is)) || std::abs(was - is) <= kTolerance * largest) continue;
      return "output '" + name + "': element " + std::to_string(k) + " was " + std::to_string(was) + " and is " +
             std::to_string(is);
    }
  }
  return "";
}

}  // namespace

bool Said::is_change() const {
  return is_among(kind, {"apply", "undo", "redo", "reset", "set_value", "set_learning_rate", "set_schedule",
                         "set_optimizer", "return_to", "load"});
}

bool Said::is_question() const { return is_among(kind, {"read", "watch", "evaluate", "journal", "save", "branch"}); }

Said said_by(const std::string& line) {
  Said said{.line = line};
  try {
    said.kind = train::name_of(train::message_from_json(line).message);
    const Json json = Json::parse(line);
    if (said.kind == "apply") said.policy = json.at("edit").value("policy", "");
  } catch (const UserError&) {
    said.kind.clear();
  }
  return said;
}

Judge::Judge(Setup setup, std::string folder)
    : setup_(std::move(setup)), folder_(std::move(folder)), session_(make_spec(setup_, folder_ + "/first")) {
  now_ = take_picture(session_);
  first_ = now_;
}

void Judge::fail_promise(Promise promise, const std::string& detail) {
  for (const Failure& known : failures_) {
    if (known.promise == promise) return;
  }
  failures_.push_back({promise, line_, detail});
}

std::vector<train::JournalEntry> Judge::journal() {
  const Answer answer = session_.say(R"({"do":"journal"})");
  return answer.journal ? answer.journal->entries : std::vector<train::JournalEntry>();
}

void Judge::count(const Said& said, const Answer& answer) {
  const char* verdict = answer.accepted ? " accepted" : " refused";
  if (said.kind.empty()) {
    ++coverage_["malformed"];
    return;
  }
  ++coverage_["message " + said.kind + verdict];
  if (is_among(said.kind, {"apply", "undo", "redo"})) {
    ++edits_;
    if (answer.accepted) ++accepted_;
  }
  if (said.kind != "apply") return;
  const Json json = Json::parse(said.line);
  for (const Json& command : json.at("edit").at("commands")) {
    const std::string policy = said.policy.empty() ? "default" : said.policy;
    ++coverage_["edit " + command.at("do").get<std::string>() + " " + policy + verdict];
  }
}

void Judge::say(const std::string& line, int steps_to_wait) {
  const Said said = said_by(line);
  const bool was_running = session_.is_running();
  const PicturePtr before = was_running ? nullptr : now_;
  const bool keeps = said.kind == "apply" && said.policy == "preserve" && !was_running && now_->has_batch;
  const NamedArrays outputs = keeps ? take_outputs(session_) : NamedArrays();
  const std::size_t steps_before = session_.steps().size();
  const Answer answer = session_.say(line);
  if (session_.is_lost()) {
    fail_promise(Promise::one_verdict, "no answer in time: " + line);
    return;
  }
  if (session_.is_running()) session_.wait_for_steps(static_cast<std::size_t>(steps_to_wait));
  check_verdict(said, answer, was_running);
  count(said, answer);
  now_ = take_picture(session_);
  if (!goes_on()) return fail_promise(Promise::keeps_running, "the training is gone after " + line);
  // A twin gets no questions either. What it loads must have been saved.
  const bool is_for_twin = said.is_change() || said.kind == "snapshot" || said.kind == "save";
  if (answer.accepted && notes_actions_ && is_for_twin) actions_.push_back({line, answer.steps_before});
  if (before != nullptr && !session_.is_running()) {
    if (said.kind == "run") check_step(before, steps_before);
    if (!answer.accepted || said.is_question()) check_unchanged(said, before, answer.accepted);
    if (answer.accepted) check_accepted(said, answer, before);
    if (answer.accepted && said.kind == "apply") check_edit(said, before, outputs);
    if (!answer.accepted) check_refused_step_back(said, answer);
  } else {
    expected_.reset();
    if (answer.accepted && said.is_change()) follow_journal(nullptr);
    if (answer.accepted && (said.kind == "return_to" || said.kind == "load")) changes_.clear();
    if (answer.accepted && said.kind == "save") saved_.reset();
  }
  note_snapshots(before);
  ++line_;
}

void Judge::check_verdict(const Said& said, const Answer& answer, bool was_running) {
  constexpr std::int64_t kSoon = 3;
  if (!answer.in_time) fail_promise(Promise::one_verdict, "no answer in time: " + said.line);
  if (answer.verdicts != 1) {
    std::string events;
    for (const std::string& event : answer.events) events += " " + event;
    fail_promise(Promise::one_verdict,
                 std::to_string(answer.verdicts) + " verdicts for " + said.line + ", events:" + events);
  }
  if (answer.steps_meanwhile > kSoon && said.kind != "run") {
    fail_promise(Promise::one_verdict,
                 std::to_string(answer.steps_meanwhile) + " steps before the answer to " + said.line);
  }
  for (const std::string& trouble : session_.take_troubles()) {
    fail_promise(Promise::keeps_running, trouble + ", after " + said.line);
  }
  if (was_running && !answer.accepted && !session_.is_running()) {
    fail_promise(Promise::keeps_running, "a message that was refused paused the training: " + said.line);
  }
}

// What is refused changes nothing. Neither does a question, but a checkpoint may be new.
void Judge::check_unchanged(const Said& said, const PicturePtr& before, bool was_accepted) {
  const std::string difference = whole_difference(*before, *now_);
  if (difference.empty()) return;
  fail_promise(Promise::refusal, std::string(was_accepted ? "the question" : "the refused message") + " changed " +
                                     difference + ": " + said.line);
}

void Judge::check_accepted(const Said& said, const Answer& answer, const PicturePtr& before) {
  if (is_among(said.kind, {"set_schedule", "set_learning_rate", "set_optimizer"})) expected_.reset();
  if (said.kind == "return_to") return check_return(said);
  if (said.kind == "load") {
    if (saved_ && saved_->picture != nullptr && said.line.find("latest") != std::string::npos) {
      const std::string difference = content_difference(*saved_->picture, *now_);
      if (!difference.empty())
        fail_promise(Promise::checkpoint, "loaded, " + difference + " differs from what was saved");
    }
    changes_.clear();
    journal_ = journal();
    return;
  }
  if (said.kind == "save") return check_saved();
  if (said.kind == "branch") return check_branch(answer.branch);
  if (said.is_change()) follow_journal(before);
}

void Judge::check_step(const PicturePtr& before, std::size_t steps_before) {
  const std::vector<StepHeard> steps = session_.steps();
  if (steps.size() == steps_before) return;
  if (expected_ && content_difference(*expected_->picture, *before).empty() &&
      !same_bits(expected_->loss, steps[steps_before].loss)) {
    fail_promise(Promise::checkpoint, "a copy of the training had the loss " + std::to_string(expected_->loss) +
                                          " in its next step, and the training itself " +
                                          std::to_string(steps[steps_before].loss));
  }
  expected_.reset();
}

void Judge::check_edit(const Said& said, const PicturePtr& before, const NamedArrays& outputs) {
  if (said.policy == "preserve" && !outputs.empty()) {
    const std::string difference = outputs_difference(outputs, take_outputs(session_));
    if (!difference.empty()) fail_promise(Promise::preserve, difference + ", after " + said.line);
  }
  if (said.policy.empty()) {
    const std::string difference = lost_unasked(*before, *now_);
    if (!difference.empty()) fail_promise(Promise::unasked, difference + ", after " + said.line);
  }
}

// ---- The history

// `before` is null where the training ran meanwhile: what it was right before the message is not known.
void Judge::follow_journal(const PicturePtr& before) {
  const std::vector<train::JournalEntry> old = std::exchange(journal_, journal());
  std::map<std::int64_t, bool> was_undone;
  for (const train::JournalEntry& entry : old) was_undone[entry.id] = entry.undone;
  for (const train::JournalEntry& entry : journal_) {
    const auto known = was_undone.find(entry.id);
    if (known == was_undone.end()) {
      const std::string how(train::name_of(entry.how));
      if (how == "undo" || how == "redo") continue;
      changes_[entry.id] = before == nullptr ? Change{how, nullptr, nullptr} : Change{how, before, now_};
    } else if (entry.undone != known->second) {
      if (before == nullptr) {
        changes_[entry.id] = {std::string(train::name_of(entry.how)), nullptr, nullptr};
      } else if (entry.undone) {
        check_undo(entry.id, before);
      } else {
        check_redo(entry.id, before);
      }
    }
  }
}

// What undo takes back, redo brings again, so that from now on these two are what lies on either side of the change.
void Judge::check_undo(std::int64_t id, const PicturePtr& before) {
  const auto found = changes_.find(id);
  if (found == changes_.end() || found->second.before == nullptr) return;
  const Change change = std::exchange(found->second, Change{found->second.how, now_, before});
  if (content_difference(*change.after, *before).empty()) {
    const std::string difference = content_difference(*change.before, *now_);
    if (!difference.empty()) fail_change(Promise::undo, "undo", id, "did not restore " + difference);
    return;
  }
  if (change.how != "apply") return;
  if (now_->graph_json != change.before->graph_json) {
    return fail_change(Promise::learned, "undo", id, "gave another model");
  }
  const std::string lost = lost_by_undo(*change.before, *before, *now_);
  if (!lost.empty()) fail_change(Promise::learned, "undo", id, "lost " + lost);
}

void Judge::check_redo(std::int64_t id, const PicturePtr& before) {
  const auto found = changes_.find(id);
  if (found == changes_.end() || found->second.before == nullptr) return;
  const Change change = std::exchange(found->second, Change{found->second.how, before, now_});
  if (!content_difference(*change.before, *before).empty()) return;
  const std::string difference = content_difference(*change.after, *now_);
  if (!difference.empty()) fail_change(Promise::undo, "redo", id, "did not restore " + difference);
}

void Judge::fail_change(Promise promise, const char* what, std::int64_t id, const std::string& detail) {
  fail_promise(promise, std::string(what) + " of change " + std::to_string(id) + " " + detail);
}

// What was once in force can be again.
void Judge::check_refused_step_back(const Said& said, const Answer& answer) {
  const bool is_undo = said.kind == "undo" || said.kind == "redo";
  if (is_undo && answer.why && answer.why->code != ErrorCode::nothing_to_undo) {
    fail_promise(Promise::undo, said.kind + " was refused: " + answer.why->given + " / " + answer.why->needed);
  }
  if (said.kind == "return_to" && answer.why && answer.why->code != ErrorCode::no_such_snapshot) {
    fail_promise(Promise::return_to, "refused: " + answer.why->given + " / " + answer.why->needed);
  }
}

// ---- Snapshots and checkpoints

void Judge::note_snapshots(const PicturePtr& before) {
  std::set<std::uint32_t> there;
  for (const auto& [id, step] : now_->snapshots) {
    there.insert(id);
    if (!snapshots_.contains(id)) snapshots_[id] = {before, changes_, journal_};
  }
  std::erase_if(snapshots_, [&](const auto& each) { return !there.contains(each.first); });
}

void Judge::check_return(const Said& said) {
  const auto id = Json::parse(said.line).at("id").get<std::uint32_t>();
  const auto found = snapshots_.find(id);
  if (found == snapshots_.end()) {
    changes_.clear();
  } else {
    if (found->second.picture != nullptr) {
      const std::string difference = content_difference(*found->second.picture, *now_);
      if (!difference.empty())
        fail_promise(Promise::return_to, "snapshot " + std::to_string(id) + " did not restore " + difference);
    }
    changes_ = found->second.changes;
  }
  journal_ = journal();
}

// What goes on from the checkpoint elsewhere is the same.
void Judge::check_saved() {
  saved_ = Kept{now_, changes_, journal_};
  train::TrainingSpec spec = make_spec(setup_, folder_ + "/first");
  spec.resume = true;
  Session copy(std::move(spec));
  const PicturePtr picture = take_picture(copy);
  if (picture == nullptr) return fail_promise(Promise::checkpoint, "a new training cannot go on from the checkpoint");
  const std::string difference = content_difference(*now_, *picture);
  if (!difference.empty())
    return fail_promise(Promise::checkpoint, "in a new training from the checkpoint differs " + difference);
  copy.say(R"({"do":"step"})");
  const std::vector<StepHeard> steps = copy.steps();
  if (steps.empty()) return fail_promise(Promise::checkpoint, "a new training from the checkpoint makes no step");
  expect_next(steps.front().loss);
}

void Judge::check_branch(train::TrainingId branch) {
  const PicturePtr picture = take_picture_of(session_, branch);
  if (picture == nullptr) return fail_promise(Promise::checkpoint, "the branch is gone");
  const std::string difference = content_difference(*now_, *picture);
  if (!difference.empty()) return fail_promise(Promise::checkpoint, "in a branch differs " + difference);
  session_.say_to(branch, R"({"do":"step"})");
  for (const StepHeard& step : session_.steps_of(branch)) expect_next(step.loss);
  session_.say_to(branch, R"({"do":"stop"})");
}

void Judge::expect_next(double loss) { expected_ = Expected{now_, loss}; }

// ---- The end

void Judge::conclude() {
  if (goes_on() && session_.is_running()) say(R"({"do":"pause"})", 0);
  if (goes_on() && !session_.steps().empty()) say(R"({"do":"step"})", 0);
  notes_actions_ = false;
  compare_with_twin();
  if (goes_on()) undo_everything();
  if (goes_on()) return_to_first();
  if (goes_on()) say(R"({"do":"step"})", 0);
}

void Judge::undo_everything() {
  const std::size_t most = journal_.size() + 2;
  for (std::size_t count = 0; count < most && goes_on(); ++count) {
    const std::int64_t accepted = accepted_;
    say(R"({"do":"undo"})", 0);
    if (accepted_ == accepted) break;
  }
  if (!goes_on()) return;
  const bool moved = !session_.steps().empty();
  const std::string difference =
      moved && now_->graph_json == first_->graph_json ? "" : content_difference(*first_, *now_);
  if (!difference.empty()) fail_promise(Promise::undo_all, "undoing everything did not restore " + difference);
}

void Judge::return_to_first() {
  for (const auto& [id, kept] : snapshots_) {
    if (kept.picture == nullptr) continue;
    say(R"({"do":"return_to","id":)" + std::to_string(id) + "}", 0);
    return;
  }
}

void Judge::compare_with_twin() {
  if (!goes_on()) return;
  const std::vector<StepHeard> steps = session_.steps();
  Session twin(make_spec(setup_, folder_ + "/twin"));
  std::size_t done = 0;
  const auto run_to = [&](std::size_t goal) {
    for (; done < goal && !twin.is_lost(); ++done) twin.say(R"({"do":"step"})");
  };
  for (const Action& action : actions_) {
    run_to(action.after_steps);
    const Answer answer = twin.say(action.line);
    if (answer.accepted) continue;
    return fail_promise(Promise::twin, "a twin refused what the training accepted: " + action.line);
  }
  run_to(steps.size());
  const std::vector<StepHeard> others = twin.steps();
  for (std::size_t k = 0; k < std::min(steps.size(), others.size()); ++k) {
    if (steps[k].step == others[k].step && same_bits(steps[k].loss, others[k].loss)) continue;
    return fail_promise(Promise::twin, "the loss of step " + std::to_string(steps[k].step) + " is " +
                                           std::to_string(steps[k].loss) + ", and that of a twin " +
                                           std::to_string(others[k].loss));
  }
  if (steps.size() != others.size()) return fail_promise(Promise::twin, "a twin makes another number of steps");
  const PicturePtr picture = take_picture(twin);
  if (picture == nullptr) return fail_promise(Promise::twin, "the twin is gone");
  std::string difference = content_difference(*picture, *now_);
  if (difference.empty() && picture->snapshots != now_->snapshots) difference = "the list of snapshots";
  if (!difference.empty()) fail_promise(Promise::twin, "a twin differs in " + difference);
}

}  // namespace asg::edit_check
