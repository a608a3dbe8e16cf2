#include "asg/train/course.h"

#include <algorithm>
#include <cmath>

#include "asg/optim/json.h"
#include "asg/train/evaluation.h"
#include "graph/json_dom.h"
#include "train/course_json.h"

namespace asg::train {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_course(std::string given, std::string needed, std::string mend = "") {
  fail(ErrorCode::bad_attribute, std::move(given), std::move(needed), std::move(mend));
}

void check_count(std::int64_t count, const char* what) {
  if (count < 0) refuse_course(std::to_string(count) + " for '" + what + "' of a course", "0 or more");
}

}  // namespace

Json json_of_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double number_in(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "nan") return std::nan("");
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  fail(ErrorCode::bad_json, "'" + json.dump() + "' in the state of a course", "a number");
}

std::int64_t integer_in(const Json& json) {
  const bool is_too_large =
      json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (json.is_number_integer() && !is_too_large) return json.get<std::int64_t>();
  fail(ErrorCode::bad_json, "'" + json.dump() + "' in the state of a course", "a whole number");
}

Json json_of_seen(const optim::ScheduleState& seen) {
  Json json = {{"bad", seen.bad}, {"cooldown", seen.cooldown}, {"factor", seen.factor}};
  if (seen.best) json["best"] = json_of_number(*seen.best);
  return json;
}

optim::ScheduleState seen_in(const Json& json) {
  optim::ScheduleState seen;
  seen.bad = integer_in(json.at("bad"));
  seen.cooldown = integer_in(json.at("cooldown"));
  seen.factor = json.at("factor").get<double>();
  if (json.contains("best")) seen.best = number_in(json.at("best"));
  return seen;
}

std::optional<std::int64_t> Course::last_step() const {
  std::optional<std::int64_t> last;
  if (steps > 0) last = steps;
  if (epochs > 0) {
    const bool is_too_long = steps_per_epoch > 0 && epochs > INT64_MAX / steps_per_epoch;
    last = std::min(last.value_or(INT64_MAX), is_too_long ? INT64_MAX : epochs * steps_per_epoch);
  }
  return last;
}

void check_course(const Course& course) {
  check_count(course.steps, "steps");
  check_count(course.epochs, "epochs");
  check_count(course.steps_per_epoch, "steps_per_epoch");
  check_count(course.validate_every, "validate_every");
  check_count(course.early_stopping.patience, "patience");
  check_count(course.saving.every, "save_every");
  optim::check_schedule(course.schedule);
  metrics_of(course.metrics);
  if (course.epochs > 0 && course.steps_per_epoch == 0) {
    refuse_course("a course of " + std::to_string(course.epochs) + " epochs on data without epochs", "data with epochs",
                  "give a number of steps instead");
  }
  if (course.early_stopping.patience > 0 && course.validate.empty()) {
    refuse_course("early stopping without validation", "a data set to validate with", "name one as 'validate'");
  }
  if (optim::watches_metric(course.schedule) && course.validate.empty()) {
    refuse_course("the schedule '" + course.schedule.kind + "' without validation", "a data set to validate with",
                  "name one as 'validate'");
  }
  const bool validates = !course.validate.empty();
  if (validates && course.validate_every == 0 && course.steps_per_epoch == 0) {
    refuse_course("validation at the end of epochs on data without epochs", "a number of steps between two validations",
                  "set 'validate_every'");
  }
}

std::string CourseState::to_json() const {
  Json json = {{"base_rate", base_rate},
               {"epoch_loss", json_of_number(epoch_loss)},
               {"epoch_steps", epoch_steps},
               {"waited", waited}};
  json["schedule"] = json_of_seen(schedule);
  if (best) json["best"] = json_of_number(*best);
  json["metrics"] = Json::object();
  for (const auto& [name, value] : metrics) json["metrics"][name] = json_of_number(value);
  json["made_with"] = {{"optimizer", made_with.optimizer},
                       {"learning_rate", json_of_number(made_with.learning_rate)},
                       {"steps_per_epoch", made_with.steps_per_epoch}};
  if (set_schedule) json["set_schedule"] = Json::parse(optim::to_json(*set_schedule));
  if (set_optimizer) json["set_optimizer"] = Json::parse(optim::to_json(*set_optimizer));
  return json.dump();
}

CourseState CourseState::from_json(std::string_view text) {
  const Json json = dom_from_text(text);
  CourseState state;
  try {
    state.base_rate = json.at("base_rate").get<double>();
    state.epoch_loss = number_in(json.at("epoch_loss"));
    state.epoch_steps = integer_in(json.at("epoch_steps"));
    state.waited = integer_in(json.at("waited"));
    state.schedule = seen_in(json.at("schedule"));
    if (json.contains("best")) state.best = number_in(json.at("best"));
    for (const auto& [name, value] : json.at("metrics").items()) state.metrics[name] = number_in(value);
    if (json.contains("made_with")) {
      const Json& made = json["made_with"];
      state.made_with = {made.at("optimizer").get<std::string>(), number_in(made.at("learning_rate")),
                         integer_in(made.at("steps_per_epoch"))};
    }
    if (json.contains("set_schedule")) state.set_schedule = optim::schedule_from_json(json["set_schedule"].dump());
    if (json.contains("set_optimizer")) state.set_optimizer = optim::settings_from_json(json["set_optimizer"].dump());
  } catch (const Json::exception& error) {
    fail(ErrorCode::bad_json, std::string("the state of a course: ") + error.what(), "what to_json writes",
         "load a checkpoint that this version wrote");
  }
  return state;
}

}  // namespace asg::train
