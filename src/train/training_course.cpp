#include <chrono>
#include <cmath>

#include "graph/json_dom.h"
#include "train/checkpoint_best.h"
#include "train/training.h"

// What a training does by itself as it runs.
namespace asg::train {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::optional<double> scalar_of(const NamedArrays& outputs, std::string_view name) {
  const auto found = outputs.find(name);
  return found == outputs.end() ? std::nullopt : std::optional<double>(found->second.get(0));
}

bool is_better(double value, const std::optional<double>& best, const EarlyStopping& rule) {
  if (std::isnan(value)) return false;
  if (!best) return true;
  return rule.mode == BestBy::Mode::min ? value < *best - rule.least_change : value > *best + rule.least_change;
}

}  // namespace

void Training::start() {
  trainer_.begin_rate({.base = trainer_.learning_rate(), .schedule = spec_.course.schedule});
  state_.made_with = {spec_.options.optimizer.kind, spec_.options.optimizer.learning_rate(),
                      spec_.course.steps_per_epoch};
  const Saving& saving = spec_.course.saving;
  if (!saving.folder.empty()) store_.emplace(saving.folder, saving.options);
  if (!spec_.course.validate.empty()) dataset(spec_.course.validate);
  if (spec_.course.evaluate_mean && spec_.options.optimizer.ema.decay == 0) {
    fail(ErrorCode::bad_attribute, "an evaluation of the means of weights in a training that keeps none",
         "an optimiser with 'ema'", "set its decay, such as 0.999");
  }
  if (!spec_.resume) return;
  if (!store_) {
    fail(ErrorCode::bad_attribute, "a training that is to go on, without a folder", "a folder with checkpoints",
         "name the folder");
  }
  const auto loaded = store_->load_latest();
  if (!loaded) return;
  CourseState state = course_of(loaded->data);
  const MadeWith before = state.made_with;
  compare_with(loaded->data, before);
  // Another rate than the one that the training was made with is meant.
  const double rate = state_.made_with.learning_rate;
  if (!before.optimizer.empty() && before.learning_rate != rate) state.base_rate = rate;
  go_on_from(loaded->data, std::move(state), loaded->info.path);
}

// Tells where a training that goes on was made otherwise than it is described now: what is in the checkpoint counts.
void Training::compare_with(const CheckpointData& data, const MadeWith& before) {
  const auto warn = [&](Sentence what) { emit_(events::Warned{std::move(what), ""}); };
  if (data.model.first() != trainer_.model().graph()) {
    warn({"the checkpoint is of another model than the one that is described: its own goes on",
          "контрольная точка относится к другой модели, чем описанная: обучение продолжится с её моделью"});
  }
  if (data.seed != spec_.options.seed) {
    const std::string was = std::to_string(data.seed);
    const std::string is = std::to_string(spec_.options.seed);
    warn({"the seed was " + was + " and is " + is + ": data may come in another order",
          "зерно было " + was + ", теперь " + is + ": порядок данных может измениться"});
  }
  if (!before.optimizer.empty() && before.steps_per_epoch != spec_.course.steps_per_epoch) {
    const std::string was = std::to_string(before.steps_per_epoch);
    const std::string is = std::to_string(spec_.course.steps_per_epoch);
    warn({"an epoch had " + was + " steps and has " + is + ": the training stands at another place in the data",
          "в эпохе было " + was + " шагов, теперь " + is + ": обучение стоит в другом месте данных"});
  }
}

bool Training::is_over() const {
  const auto last = spec_.course.last_step();
  return patience_is_out_ || (last && trainer_.steps() >= *last);
}

// A run that began when the course was over already has no end but its own.
bool Training::ends_here() const { return is_over() && !is_beyond_end_; }

// Where the course stands, with what the trainer knows of it.
CourseState Training::course_state() const {
  CourseState state = state_;
  const RateSettings& rate = trainer_.rate_settings();
  state.base_rate = rate.base;
  state.schedule = rate.seen;
  state.set_schedule.reset();
  if (rate.schedule != spec_.course.schedule) state.set_schedule = rate.schedule;
  state.set_optimizer.reset();
  const Attrs& settings = trainer_.optimizer().settings;
  if (settings != spec_.options.optimizer.settings) state.set_optimizer = settings;
  return state;
}

void Training::step() {
  guarded("run", [this] {
    if (ends_here()) return finish();
    const auto start = std::chrono::steady_clock::now();
    metrics_hold_ = false;
    trainer_.follow_schedule();
    NamedArrays batch = spec_.batch(trainer_.steps());
    const StepReport report = trainer_.step(batch);
    batch_ = std::move(batch);
    tell_step(report, seconds_since(start));
    epoch_seconds_ += seconds_since(start);
    reading_.earn(seconds_since(start));
    const Course& course = spec_.course;
    const auto is_due = [&](std::int64_t every) { return every > 0 && report.step % every == 0; };
    if (!report.committed) tell_not_finite();
    if (!watched_.paths.empty() && is_due(watched_.every) && can_afford_reading()) try_taps();
    const bool ends_epoch = is_due(course.steps_per_epoch);
    if (ends_epoch) end_epoch();
    if (!course.validate.empty() && (course.validate_every > 0 ? is_due(course.validate_every) : ends_epoch))
      validate();
    if (store_ && (is_best_so_far() || (course.saving.every > 0 ? is_due(course.saving.every) : ends_epoch))) save();
    if (ends_here()) return finish();
    if (!report.committed && course.when_not_finite == WhenNotFinite::pause) {
      if (store_ && saved_step_ != trainer_.steps()) save();
      return pause("not_finite");
    }
    if (steps_left_ > 0 && --steps_left_ == 0) pause("steps_done");
  });
}

void Training::tell_step(const StepReport& report, double seconds) {
  events::StepDone event;
  event.step = report.step;
  const std::int64_t per_epoch = spec_.course.steps_per_epoch;
  if (per_epoch > 0) event.epoch = (report.step - 1) / per_epoch + 1;
  event.loss = report.loss;
  event.learning_rate = trainer_.learning_rate();
  event.gradient_norm = scalar_of(report.outputs, optim::kGradientNorm);
  event.committed = report.committed;
  event.seconds = seconds;
  if (report.committed) {
    state_.epoch_loss += report.loss;
    ++state_.epoch_steps;
  }
  emit_(event);
}

// Looking for the node takes long, so it is done once.
void Training::tell_not_finite() {
  const std::string number = std::to_string(trainer_.steps());
  const Sentence step = {"step " + number + " was not finite", "шаг " + number + " дал не конечные числа"};
  const auto warn = [&](const Sentence& more, const std::string& node) {
    emit_(events::Warned{{step.en + more.en, step.ru + more.ru}, node});
  };
  if (std::exchange(told_not_finite_, true)) return warn({" again", " снова"}, "");
  const auto found = trainer_.find_not_finite();
  if (!found) return warn({"; it changed nothing", "; он ничего не изменил"}, "");
  warn({" and changed nothing: " + found->what.en, " и ничего не изменил: " + found->what.ru}, found->path);
  const ModelPlace place = trainer_.place_of(*found);
  emit_(events::NotFinite{trainer_.steps(), place.path, place.op, found->what, found->count});
}

// Micro-batches do not wait for those of the next epoch.
void Training::end_epoch() {
  trainer_.flush();
  const double count = static_cast<double>(std::max<std::int64_t>(state_.epoch_steps, 1));
  const std::int64_t epoch = trainer_.steps() / spec_.course.steps_per_epoch;
  emit_(events::EpochDone{epoch, trainer_.steps(), state_.epoch_loss / count, epoch_seconds_});
  state_.epoch_loss = 0;
  state_.epoch_steps = 0;
  epoch_seconds_ = 0;
}

const data::Dataset& Training::dataset(const std::string& name) const {
  const auto found = spec_.datasets.find(name);
  if (found != spec_.datasets.end()) return found->second;
  std::string known;
  std::vector<std::string> names;
  for (const auto& [each, data] : spec_.datasets) {
    known.append(known.empty() ? "" : ", ").append(each);
    names.push_back(each);
  }
  const std::string near = nearest_name(name, names);
  fail(ErrorCode::bad_command, "the dataset '" + name + "'",
       known.empty() ? "a training with datasets" : "one of: " + known,
       near.empty() ? "" : "did you mean '" + near + "'?");
}

Evaluation Training::evaluate(const std::string& name) {
  Evaluation result =
      trainer_.evaluate(dataset(name), {.metrics = spec_.course.metrics, .mean = spec_.course.evaluate_mean});
  emit_(events::Evaluated{name, result, trainer_.steps()});
  return result;
}

void Training::validate() {
  const Evaluation result = evaluate(spec_.course.validate);
  state_.metrics = figures_of(result);
  metrics_hold_ = true;
  trainer_.observe(result.loss);
  const EarlyStopping& rule = spec_.course.early_stopping;
  if (rule.patience == 0) return;
  const auto metric = state_.metrics.find(rule.metric);
  if (metric == state_.metrics.end()) {
    fail(ErrorCode::bad_attribute, "early stopping by '" + rule.metric + "'", "a metric that validation measures");
  }
  if (is_better(metric->second, state_.best, rule)) {
    state_.best = metric->second;
    state_.waited = 0;
  } else if (++state_.waited >= rule.patience) {
    patience_is_out_ = true;
  }
}

void Training::finish() {
  if (store_ && saved_step_ != trainer_.steps()) save();
  pause(patience_is_out_ ? "early_stopping" : "course_done");
}

void Training::stop_here() {
  guarded("save", [this] {
    if (store_ && saved_step_ != trainer_.steps()) save();
    pause("asked");
  });
}

void Training::save() {
  if (!store_) {
    fail(ErrorCode::bad_command, "'save' in a training without a folder", "a folder for checkpoints",
         "name one when the training is made");
  }
  if (spec_.before_save) spec_.before_save();
  CheckpointData data = trainer_.checkpoint();
  data.extras = course_state().to_json();
  if (metrics_hold_) data.metrics = state_.metrics;
  const CheckpointInfo info = store_->save(data);
  saved_step_ = info.step;
  const auto& by = spec_.course.saving.options.best;
  const std::vector<CheckpointInfo> all = by ? store_->list() : std::vector<CheckpointInfo>();
  const CheckpointInfo* best = by ? best_of(all, *by) : nullptr;
  emit_(events::CheckpointSaved{info.step, info.path, best != nullptr && best->path == info.path});
}

// Whether what was just measured is better than all that checkpoints hold.
bool Training::is_best_so_far() const {
  const auto& by = spec_.course.saving.options.best;
  if (!metrics_hold_ || !by) return false;
  std::vector<CheckpointInfo> all = store_->list();
  all.push_back({trainer_.steps(), "", state_.metrics});
  const CheckpointInfo* best = best_of(all, *by);
  return best != nullptr && best->path.empty();
}

// A checkpoint that a Trainer wrote by itself has no course: one begins there, at the learning rate that is in force.
CourseState Training::course_of(const CheckpointData& data) {
  if (!dom_from_text(data.extras).empty()) return CourseState::from_json(data.extras);
  CourseState state;
  state.base_rate = data.state.learning_rate;
  return state;
}

void Training::go_on_from(const CheckpointData& data, CourseState state, const std::string& path) {
  const InForce before = in_force();
  const std::string& kind = spec_.options.optimizer.kind;
  if (!state.made_with.optimizer.empty() && state.made_with.optimizer != kind) {
    fail(ErrorCode::bad_attribute,
         "a checkpoint of a training by '" + state.made_with.optimizer + "' for one by '" + kind + "'",
         "a checkpoint with the state of the same optimiser",
         "go on with '" + state.made_with.optimizer + "', or begin anew");
  }
  trainer_.restore(data, state.set_optimizer.value_or(spec_.options.optimizer.settings));
  state.made_with = state_.made_with;
  take_course(std::move(state));
  saved_step_ = trainer_.steps();
  metrics_hold_ = !data.metrics.empty();
  forget();
  emit_(events::CheckpointLoaded{trainer_.steps(), path});
  tell_settings(before);
}

// Goes on as the course stood somewhere else.
void Training::take_course(CourseState state) {
  state_ = std::move(state);
  trainer_.begin_rate({.base = state_.base_rate,
                       .schedule = state_.set_schedule.value_or(spec_.course.schedule),
                       .seen = state_.schedule});
  const std::int64_t patience = spec_.course.early_stopping.patience;
  patience_is_out_ = patience > 0 && state_.waited >= patience;
  is_beyond_end_ = is_beyond_end_ && is_over();
}

bool Training::can_afford_reading() const { return watched_.share >= 1 || reading_.is_left(); }

// Of what was asked for, what there is: an edit may have taken some away, and an undo may bring it back.
void Training::make_taps() {
  tapped_ = watched_.paths;
  std::erase_if(tapped_, [this](const std::string& path) { return !trainer_.has_value(path); });
  taps_.emplace(trainer_.watch_paths(tapped_, {.gradients = watched_.gradients}));
}

// Before the first batch there is nothing to read.
void Training::read_taps() {
  const auto start = std::chrono::steady_clock::now();
  if (!taps_ && !watched_.paths.empty()) make_taps();
  if (watched_.paths.empty() || tapped_.empty() || !trainer_.has_batch()) {
    return emit_(events::Watched{trainer_.steps(), {}, {}});
  }
  emit_(events::Watched{trainer_.steps(), taps_->read(trainer_.last_batch()), tapped_});
  if (running()) reading_.spend(seconds_since(start));
  read_step_ = trainer_.steps();
}

// Looking is no part of the training: where it fails, it ends.
void Training::try_taps() {
  try {
    read_taps();
  } catch (const std::exception& error) {
    watched_ = {};
    taps_.reset();
    emit_(events::Warned{{std::string("values are no longer watched: ") + error.what(),
                          std::string("значения больше не наблюдаются: ") + error.what()},
                         detail_of(error).node});
  }
}

TrainingResult run_training(TrainingSpec spec, const std::function<bool(const Event& event)>& sink,
                            const std::function<void(Trainer& trainer)>& at_end) {
  if (!spec.course.last_step() && spec.course.early_stopping.patience == 0) {
    fail(ErrorCode::bad_attribute, "a course without an end", "a number of steps or epochs");
  }
  TrainingResult result;
  bool goes_on = true;
  std::optional<ErrorDetail> error;
  const auto training = Training::make(std::move(spec), [&](const Event& event) {
    if (const auto* failed = std::get_if<events::Failed>(&event)) error = failed->error;
    if (const auto* paused = std::get_if<events::Paused>(&event)) result.reason = paused->reason;
    if (sink && !sink(event)) goes_on = false;
  });
  if (training != nullptr && !error) training->handle(messages::Run{.within_course = true});
  while (training != nullptr && !error && goes_on && training->running()) training->step();
  if (!error && training->running()) training->stop_here();
  if (error) throw UserError(*error);
  result.steps = training->steps();
  result.metrics = training->metrics();
  if (at_end) at_end(training->trainer());
  return result;
}

}  // namespace asg::train
