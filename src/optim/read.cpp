#include "optim/read.h"

#include "asg/optim/json.h"
#include "core/json_depth.h"

namespace asg::optim {
namespace {

Group group_of(JsonTable table) {
  Group group;
  table.read("name", group.name);
  table.read("match", group.match);
  if (table.has("rank_below")) table.read("rank_below", group.rank_below.emplace(0), 1);
  if (table.has("learning_rate_factor")) table.read("learning_rate_factor", group.learning_rate_factor.emplace(1));
  table.read("frozen", group.frozen);
  group.settings = table.rest();
  return group;
}

}  // namespace

Optimizer optimizer_of(JsonTable table) {
  Optimizer optimizer;
  optimizer.kind = table.choice("kind", optimizer_names(), "adamw");
  table.read("clip_norm", optimizer.clip_norm);
  table.read("clip_value", optimizer.clip_value);
  optimizer.gradient_norm = true;
  table.read("gradient_norm", optimizer.gradient_norm);
  table.read("accumulate", optimizer.accumulate, 1);
  JsonTable ema = table.table("ema");
  ema.read("decay", optimizer.ema.decay);
  ema.read("warmup", optimizer.ema.warmup);
  ema.done();
  for (JsonTable& group : table.tables("groups")) optimizer.groups.push_back(group_of(std::move(group)));
  optimizer.settings = table.rest();
  check_optimizer(optimizer);
  return optimizer;
}

Schedule schedule_of(JsonTable table) {
  Schedule schedule;
  schedule.kind = table.choice("kind", schedule_names(), "constant");
  schedule.settings = table.rest();
  return schedule;
}

Schedule schedule_from_json(std::string_view json) {
  const JsonTable::Json table = parse_within_limits<JsonTable::Json>(json);
  if (table.is_discarded()) fail(ErrorCode::bad_json, "a schedule that is no JSON", R"(an object: {"kind": "cosine"})");
  Schedule schedule = schedule_of(JsonTable(table, "schedule"));
  check_schedule(schedule);
  return schedule;
}

Attrs settings_from_json(std::string_view json) {
  const JsonTable::Json table = parse_within_limits<JsonTable::Json>(json);
  if (table.is_discarded()) fail(ErrorCode::bad_json, "settings that are no JSON", R"(an object: {"beta1": 0.9})");
  return JsonTable(table, "settings").rest();
}

}  // namespace asg::optim
