#include "asg/optim/json.h"
#include "asg/train/trainer.h"
#include "graph/edit_report.h"
#include "graph/variables_below.h"

// What of a training is changed beside its model, and how changes of both kinds are taken back.
namespace asg::train {
namespace {

using How = JournalEntry::How;

// The settings that are constants of a step. The learning rate is a variable of it.
Attrs numbers_in_step(const optim::Optimizer& optimizer) {
  Attrs settings = optim::settings_in_force(optimizer);
  settings.erase("learning_rate");
  return settings;
}

bool has_same_step(const optim::Optimizer& a, const optim::Optimizer& b) {
  return numbers_in_step(a) == numbers_in_step(b);
}

// What a schedule has seen of a metric is that of before only where nothing was seen since.
RateSettings rate_after(const Change& change, bool is_whole, const RateSettings& now) {
  const bool is_of_rate =
      change.how == How::set_learning_rate || change.how == How::set_schedule || change.how == How::set_optimizer;
  if (!is_of_rate) return now;
  RateSettings rate = change.rate;
  if (!is_whole) rate.seen = rate.schedule == now.schedule ? now.seen : optim::ScheduleState();
  return rate;
}

Transition transition_back(const Change& change, const Graph& now, const Graph& before, bool is_whole) {
  return {.after = before,
          .resizes = change.resizes ? *change.resizes : plan_resize(now, before, ResizePolicy::overlap),
          .other = &change.other,
          .is_whole = is_whole};
}

[[noreturn]] void fail_without_change(How how) {
  const std::string name(name_of(how));
  fail(ErrorCode::nothing_to_undo, name + " of a training without a change to " + name,
       how == How::undo ? "a change that was made" : "a change that was undone, and no new one since");
}

}  // namespace

void Trainer::follow_schedule() {
  set_learning_rate(rate_.base * optim::factor_at(rate_.schedule, updates_, rate_.seen));
}

void Trainer::set_base_rate(double rate) {
  check_learning_rate(built_, rate);
  Change change = change_from_here(How::set_learning_rate, {});
  write_learning_rate(built_, rate);
  rate_.base = rate;
  note(std::move(change), {.text = words_of_rate(rate)});
}

void Trainer::set_schedule(optim::Schedule schedule) {
  optim::check_schedule(schedule);
  check_learning_rate(built_, rate_.base * optim::factor_at(schedule, updates_));
  Change change = change_from_here(How::set_schedule, {});
  const Sentence words = words_of_schedule(schedule);
  rate_.schedule = std::move(schedule);
  rate_.seen = {};
  note(std::move(change), {.text = words});
}

bool Trainer::set_optimizer(const Attrs& settings) {
  optim::Optimizer next = options_.optimizer;
  for (const auto& [name, value] : settings) next.set(name, value);
  optim::check_optimizer(next);  // what settings must hold together, those of groups too
  if (next.settings == options_.optimizer.settings) return false;
  const Attr* rate = settings.find("learning_rate");
  if (rate != nullptr) check_learning_rate(built_, rate->as_real());
  const bool anew = !has_same_step(next, options_.optimizer);
  const TrainingState old = anew ? held_state() : TrainingState();
  Ready ready;
  if (anew) ready = make_ready(model_, next, {.after = model_.graph(), .seed = options_.seed}, old, true);
  Change change = change_from_here(How::set_optimizer, difference(old, ready.carried));
  if (anew) accept(std::move(ready), old);
  options_.optimizer = std::move(next);
  if (rate != nullptr) {
    write_learning_rate(built_, rate->as_real());
    rate_.base = rate->as_real();
  }
  note(std::move(change), {.text = words_of_settings(settings)});
  return anew;
}

std::vector<std::string> Trainer::reset(std::span<const std::string> paths) {
  const Graph& model = model_.graph();
  std::set<VarId> variables;
  for (const std::string& path : paths) variables.merge(variables_below(model, path));
  if (paths.empty()) {
    for (const VarId id : model.variable_ids()) variables.insert(id);
  }
  // Seed and step of random ops are those of the training, which goes on.
  for (const std::string_view name : {kSeedVariable, kStepVariable}) variables.erase(model.find_variable(name));
  std::vector<std::string> names;
  for (const VarId id : variables) names.push_back(model.variable(id).name);

  const TrainingState old = held_state();
  const Transition transition = {.after = model, .seed = options_.seed, .anew = &variables};
  Ready ready = make_ready(model_, options_.optimizer, transition, old, false);
  Change change = change_from_here(How::reset, difference(old, ready.carried));
  const Sentence words = words_of_reset({paths.begin(), paths.end()});
  const SnapshotId before = keep_snapshot(as_it_is({"before: " + words.en, "перед: " + words.ru}, true, old));
  accept(std::move(ready), old);
  note(std::move(change), {.text = words, .snapshot = before});
  return names;
}

EditReport Trainer::undo() { return invert(history_.undo, history_.redo, How::undo); }

EditReport Trainer::redo() { return invert(history_.redo, history_.undo, How::redo); }

// Both sides have the same model but for edits, and the same values but for those that the change is about.
EditReport Trainer::invert(History::Changes& from, History::Changes& to, How how) {
  if (from.empty()) fail_without_change(how);
  const std::shared_ptr<const Change> change = from.back();
  const bool is_whole = change->moment == history_.moment;
  Model next = model_;
  const bool is_edit = change->how == How::apply;
  if (is_edit && how == How::undo) next.undo();
  if (is_edit && how == How::redo) next.redo();
  EditReport report = report_between(model_.graph(), next.graph());
  optim::Optimizer optimizer = options_.optimizer;
  if (change->how == How::set_optimizer) optimizer.settings = change->optimizer;
  optim::check_optimizer(optimizer);
  const bool anew = is_edit || !has_same_step(optimizer, options_.optimizer);
  const bool has_values = anew || change->how == How::reset || change->how == How::set_value;
  const TrainingState old = has_values ? held_state() : TrainingState();
  Transition transition = transition_back(*change, model_.graph(), next.graph(), is_whole);
  transition.seed = options_.seed;
  Ready ready;
  if (has_values) ready = make_ready(next, optimizer, transition, old, anew);
  const RateSettings rate = rate_after(*change, is_whole, rate_);
  const bool has_other_rate = rate.base != rate_.base || rate.schedule != rate_.schedule;
  const double now = is_whole ? change->other.learning_rate : rate.base;
  if (has_other_rate) check_learning_rate(built_, now);

  Change inverse = change_from_here(change->how, difference(old, ready.carried));
  inverse.resizes = inverted(transition.resizes);
  if (has_values) accept(std::move(ready), old);
  model_ = std::move(next);
  options_.optimizer = std::move(optimizer);
  rate_ = rate;
  if (has_other_rate) write_learning_rate(built_, now);
  from.pop_back();
  to.push_back(std::make_shared<const Change>(std::move(inverse)));
  history_.notes.push_back(std::make_shared<const JournalNote>(JournalNote{.how = how, .step = steps_}));
  return report;
}

}  // namespace asg::train
