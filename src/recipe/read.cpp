#include "optim/read.h"

#include <algorithm>

#include "asg/core/platform.h"
#include "asg/recipe/recipe.h"
#include "asg/train/evaluation.h"
#include "core/json_depth.h"
#include "recipe/table.h"

namespace asg::recipe {
namespace {

// "a.b.c=value" changes json["a"]["b"]["c"]; the value is read as TOML, and as a text where it is none.
void change(Json& json, const std::string& change) {
  const std::size_t equals = change.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail(ErrorCode::bad_attribute, "the change '" + change + "'", "a name, = and a value",
         "write for example optimizer.learning_rate=3e-4");
  }
  const std::string name = change.substr(0, equals);
  if (std::count(name.begin(), name.end(), '.') >= limit_of(Limit::depth)) {
    fail_limit(Limit::depth,
               "a change of a value with " + std::to_string(std::count(name.begin(), name.end(), '.') + 1) + " names");
  }
  const std::string text = change.substr(equals + 1);
  Json value;
  try {
    value = json_of_toml("value = " + text).at("value");
  } catch (const UserError&) {
    value = text;
  }
  Json* place = &json;
  for (std::size_t from = 0;;) {
    const std::size_t dot = name.find('.', from);
    const std::string key = name.substr(from, dot == std::string::npos ? dot : dot - from);
    if (key.empty() || !place->is_object()) {
      fail(ErrorCode::bad_attribute, "the change '" + change + "'", "the name of a value, such as course.epochs");
    }
    place = &(*place)[key];
    if (dot == std::string::npos) break;
    if (place->is_null()) *place = Json::object();
    from = dot + 1;
  }
  *place = std::move(value);
}

ModelPart model_of(Table table) {
  ModelPart model;
  table.read("zoo", model.zoo);
  table.read("file", model.file);
  if (!model.zoo.empty() && !model.file.empty()) {
    fail(ErrorCode::bad_attribute, "a model with both 'zoo' and 'file'", "one of them",
         "`asg zoo` lists the models of the zoo");
  }
  if (!model.zoo.empty()) model.settings = table.rest();
  table.done();
  return model;
}

DataPart data_of(Table table) {
  DataPart data;
  int sources = 0;
  for (const auto& [key, to] :
       {std::pair{"name", &data.name}, {"csv", &data.csv}, {"images", &data.images}, {"text", &data.text}}) {
    table.read(key, *to);
    sources += to->empty() ? 0 : 1;
  }
  if (sources != 1) {
    fail(ErrorCode::bad_attribute, std::to_string(sources) + " of 'name', 'csv', 'images' and 'text' in 'data'",
         "one of them", "`asg data list` lists the names");
  }
  table.read("target", data.target);
  if (table.has("classes")) table.read("classes", data.classes.emplace());
  if (table.has("missing")) table.read("missing", data.missing.emplace());
  std::string separator(1, data.separator);
  table.read("separator", separator);
  if (separator.size() != 1 || separator == "\"" || separator == "\n") {
    table.refuse("separator", "one character, such as ';' or a tab");
  }
  data.separator = separator.front();
  table.read("transforms", data.transforms);
  table.read("batch_size", data.batch_size, 1);
  table.read("workers", data.workers);
  constexpr int kMostWorkers = 256;
  if (data.workers > kMostWorkers) {
    table.refuse("workers", "at most " + std::to_string(kMostWorkers) + ": each is a thread, and holds batches");
  }
  table.read("held_out", data.held_out);
  if (!(data.held_out >= 0 && data.held_out < 1)) table.refuse("held_out", "a share of at least 0 and below 1");
  table.read("length", data.length, 1);
  table.read("tokens", data.tokens);
  table.done();
  return data;
}

// Of a metric that is known the program knows itself what is better.
train::BestBy::Mode mode_of(Table& table, const std::string& metric) {
  std::string better = "min";
  for (const metrics::MetricInfo& known : metrics::all_metrics()) {
    if (known.name == metric && known.better == metrics::Better::higher) better = "max";
  }
  return table.choice("mode", {"min", "max"}, better) == "max" ? train::BestBy::Mode::max : train::BestBy::Mode::min;
}

train::EarlyStopping early_stopping_of(Table table) {
  train::EarlyStopping rule;
  table.read("patience", rule.patience);
  table.read("metric", rule.metric);
  rule.mode = mode_of(table, rule.metric);
  table.read("least_change", rule.least_change);
  table.done();
  return rule;
}

train::Saving saving_of(Table table) {
  train::Saving saving;
  table.read("every", saving.every);
  table.read("keep", saving.options.keep);
  if (table.has("best")) {
    Table best = table.table("best");
    train::BestBy by{.metric = "loss"};
    best.read("metric", by.metric);
    by.mode = mode_of(best, by.metric);
    best.done();
    saving.options.best = by;
  }
  table.done();
  return saving;
}

// A name that validation never measures would be waited for until the end.
void check_measured(const train::Course& course, const std::string& metric, const std::string& what) {
  std::vector<std::string> known = {"loss", "accuracy"};
  for (const auto& each : train::metrics_of(course.metrics)) known.push_back(each->info().name);
  if (std::find(known.begin(), known.end(), metric) != known.end()) return;
  std::string names;
  for (const std::string& each : known) names.append(names.empty() ? "" : ", ").append(each);
  fail(ErrorCode::bad_attribute, what + " by '" + metric + "'", "a metric that validation measures: " + names,
       "name it in course.metrics too");
}

train::Course course_of(Table table) {
  train::Course course;
  course.validate = "held_out";
  table.read("steps", course.steps);
  table.read("epochs", course.epochs);
  if (course.steps == 0 && course.epochs == 0) course.epochs = 1;
  table.read("validate_every", course.validate_every);
  course.metrics = table.descriptions("metrics");
  train::metrics_of(course.metrics);
  table.read("evaluate_mean", course.evaluate_mean);
  bool validates = true;
  table.read("validate", validates);
  if (!validates) course.validate.clear();
  const std::string not_finite = table.choice("when_not_finite", {"go_on", "pause"}, "go_on");
  course.when_not_finite = not_finite == "pause" ? train::WhenNotFinite::pause : train::WhenNotFinite::go_on;
  course.early_stopping = early_stopping_of(table.table("early_stopping"));
  course.saving = saving_of(table.table("checkpoints"));
  table.done();
  if (course.early_stopping.patience > 0) check_measured(course, course.early_stopping.metric, "early stopping");
  if (course.saving.options.best) check_measured(course, course.saving.options.best->metric, "the best checkpoint");
  return course;
}

LogPart log_of(Table table) {
  LogPart log;
  table.read("every", log.every, 1);
  table.read("csv", log.csv);
  table.read("jsonl", log.jsonl);
  table.read("tensorboard", log.tensorboard);
  table.read("plot", log.plot);
  table.done();
  return log;
}

}  // namespace

Recipe read_recipe(std::string_view text, Format format, std::span<const std::string> changes) {
  Json json;
  if (format == Format::toml) {
    json = json_of_toml(text);
  } else {
    json = parse_within_limits<Json>(text);
    if (json.is_discarded()) fail(ErrorCode::bad_attribute, "a text that is no JSON", "a JSON object");
  }
  for (const std::string& each : changes) change(json, each);
  Table table(json, "");
  Recipe recipe;
  table.read("name", recipe.name);
  table.read("seed", recipe.seed);
  table.read("device", recipe.device);
  table.read("threads", recipe.threads);
  table.read("bf16", recipe.bf16);
  table.read("folder", recipe.folder);
  recipe.model = model_of(table.table("model"));
  recipe.data = data_of(table.table("data"));
  recipe.optimizer = optim::optimizer_of(table.table("optimizer"));
  recipe.course = course_of(table.table("course"));
  recipe.course.schedule = optim::schedule_of(table.table("schedule"));
  recipe.log = log_of(table.table("log"));
  table.done();
  return recipe;
}

Recipe load_recipe(const std::string& path, std::span<const std::string> changes) {
  const bool is_json = path.size() > 5 && path.ends_with(".json");
  return read_recipe(platform::read_file(path), is_json ? Format::json : Format::toml, changes);
}

}  // namespace asg::recipe
