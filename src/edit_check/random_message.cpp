#include "edit_check/random_message.h"

#include <array>

#include "asg/optim/schedule.h"
#include "edit_check/json.h"
#include "edit_check/random_command.h"

namespace asg::edit_check {
namespace {

Json edit_json(const Edit& edit, const std::string& policy) {
  Json json = Json::parse(to_json(edit));
  json.erase("policy");
  if (!policy.empty()) json["policy"] = policy;
  return json;
}

// "": the default of whoever reads it.
std::string any_policy(Dice& dice) {
  return dice.any_of(std::vector<std::string>{"", "", "fresh", "overlap", "preserve", "preserve"});
}

// Changes of sizes come more often: what was learned depends on them.
std::size_t any_kind(Dice& dice) {
  static const std::size_t kSetConfig = Command(edits::SetConfig{}).index();
  return dice.one_in(6) ? kSetConfig : dice.below(kCommandKinds);
}

// Several commands at times; each is drawn for what the ones before have made.
Json random_edit(Dice& dice, const Graph& first) {
  Edit edit;
  Graph graph = first;
  for (int count = dice.one_in(4) ? 2 + dice.pick(2) : 1; count > 0; --count) {
    std::optional<Command> command;
    while (!command) command = random_command(dice, graph, any_kind(dice));
    edit.commands.push_back(*command);
    if (count == 1) break;
    EditOutcome outcome = check(graph, {.commands = {*command}, .policy = ResizePolicy::overlap});
    if (outcome.report.ok()) graph = std::move(outcome.after);
  }
  return {{"do", "apply"}, {"edit", edit_json(edit, any_policy(dice))}};
}

std::string any_variable(Dice& dice, const Graph& graph) {
  const std::vector<VarId> ids = graph.variable_ids();
  if (ids.empty() || dice.one_in(12)) return dice.one_in(2) ? "nowhere.weight" : "";
  const std::string& name = graph.variable(dice.any_of(ids)).name;
  static const std::vector<std::string> kSlots = {"mean", "square", "velocity", "ema", "sum", "count"};
  return dice.one_in(8) ? "optimizer/" + name + "." + dice.any_of(kSlots) : name;
}

std::string any_path(Dice& dice, const Graph& graph) {
  if (dice.one_in(2)) return any_variable(dice, graph);
  const Node& node = graph.node(dice.any_of(graph.node_ids()));
  if (dice.one_in(10)) return node.path() + ":1";
  return dice.one_in(10) ? node.path() + "/inside" : node.path();
}

double any_number(Dice& dice) {
  static const std::vector<double> kNumbers = {0, 1, -1, 0.5, 1e-3, 1e30, 1e300, 7};
  return dice.one_in(2) ? dice.between(-0.5, 0.5) : dice.any_of(kNumbers);
}

Json set_value(Dice& dice, const Graph& graph) {
  const std::string name = any_variable(dice, graph);
  const VarId id = graph.find_variable(name);
  Json value = any_number(dice);
  if (id && graph.variable(id).type.shape.is_known() && dice.one_in(2)) {
    value = Json::array();
    std::int64_t count = graph.variable(id).type.shape.element_count().value();
    if (dice.one_in(6)) ++count;
    for (std::int64_t k = 0; k < std::min<std::int64_t>(count, 1000); ++k) value.push_back(dice.between(-0.5, 0.5));
  }
  return {{"do", "set_value"}, {"path", name}, {"value", value}};
}

Json set_learning_rate(Dice& dice) {
  static const std::vector<double> kRates = {0.01, 0.001, 0, 0.1, -1, 1e39, 1e-320};
  return {{"do", "set_learning_rate"}, {"rate", dice.any_of(kRates)}};
}

Json set_schedule(Dice& dice) {
  Json schedule = {{"kind", dice.one_in(10) ? "no_such" : dice.any_of(optim::schedule_names())}};
  static const std::vector<std::pair<std::string, Json>> kSettings = {
      {"steps", 20},   {"minimum", 0.1}, {"warmup", 4},
      {"gamma", 0.5},  {"every", 3},     {"power", 2},
      {"factor", 0.5}, {"patience", 1},  {"milestones", Json::array({2, 5})},
      {"steps", -1}};
  for (const auto& [name, value] : kSettings) {
    if (dice.one_in(3)) schedule[name] = value;
  }
  return {{"do", "set_schedule"}, {"schedule", schedule}};
}

Json set_optimizer(Dice& dice) {
  static const std::vector<std::pair<std::string, Json>> kSettings = {
      {"weight_decay", 0.1}, {"momentum", 0.5},  {"momentum", 0},         {"beta1", 0.8},   {"beta2", 0.95},
      {"amsgrad", true},     {"nesterov", true}, {"learning_rate", 0.01}, {"beta1", 2},     {"learning_rate", -1},
      {"no_such", 1},        {"epsilon", 1e-6},  {"centered", true},      {"momentum", "x"}};
  Json settings = Json::object();
  for (int count = 1 + dice.pick(2); count > 0; --count) {
    const auto& [name, value] = dice.any_of(kSettings);
    settings[name] = value;
  }
  return {{"do", "set_optimizer"}, {"settings", settings}};
}

Json reset(Dice& dice, const Graph& graph) {
  Json paths = Json::array();
  for (int count = dice.pick(3); count > 0; --count) paths.push_back(any_path(dice, graph));
  return {{"do", "reset"}, {"paths", paths}};
}

Json return_to(Dice& dice, const Picture& picture) {
  if (picture.snapshots.empty() || dice.one_in(6)) return {{"do", "return_to"}, {"id", 500 + dice.pick(3)}};
  return {{"do", "return_to"}, {"id", dice.any_of(picture.snapshots).first}};
}

Json watch(Dice& dice, const Graph& graph) {
  Json paths = Json::array();
  for (int count = dice.pick(3); count > 0; --count) paths.push_back(any_path(dice, graph));
  return {{"do", "watch"}, {"paths", paths}, {"every", dice.from_to(1, 3)}, {"gradients", dice.one_in(2)}};
}

Json load(Dice& dice) {
  static const std::vector<std::string> kWhich = {"latest", "latest", "latest", "best", "/nowhere"};
  return {{"do", "load"}, {"which", dice.any_of(kWhich)}};
}

Json evaluate(Dice& dice) { return {{"do", "evaluate"}, {"dataset", dice.one_in(5) ? "nothing" : "held_out"}}; }

Json question(Dice& dice, const Picture& picture) {
  switch (dice.pick(6)) {
    case 0:
      return watch(dice, picture.graph);
    case 1:
      return evaluate(dice);
    case 2:
      return {{"do", "journal"}};
    case 3:
      return {{"do", "branch"}, {"label", "b"}};
    default:
      return {{"do", "read"}, {"path", any_path(dice, picture.graph)}};
  }
}

Json setting(Dice& dice, const Picture& picture) {
  switch (dice.pick(6)) {
    case 0:
      return set_learning_rate(dice);
    case 1:
      return set_schedule(dice);
    case 2:
      return set_optimizer(dice);
    case 3:
      return reset(dice, picture.graph);
    default:
      return set_value(dice, picture.graph);
  }
}

Json keeping(Dice& dice, const Picture& picture) {
  switch (dice.pick(7)) {
    case 0:
    case 1:
      return {{"do", "snapshot"}, {"label", "s"}};
    case 2:
      return {{"do", "save"}};
    case 3:
      return load(dice);
    default:
      return return_to(dice, picture);
  }
}

Json training(Dice& dice, bool running) {
  if (running) return dice.one_in(3) ? Json{{"do", "run"}, {"steps", dice.from_to(0, 3)}} : Json{{"do", "pause"}};
  if (dice.one_in(4)) return {{"do", "run"}};
  if (dice.one_in(3)) return {{"do", "step"}};
  return {{"do", "run"}, {"steps", dice.from_to(0, 4)}};
}

Json valid_message(Dice& dice, const Picture& picture, bool running) {
  const int drawn = dice.pick(100);
  if (drawn < 46) return random_edit(dice, picture.graph);
  if (drawn < 58) return {{"do", "undo"}};
  if (drawn < 64) return {{"do", "redo"}};
  if (drawn < 76) return training(dice, running);
  if (drawn < 84) return setting(dice, picture);
  if (drawn < 92) return keeping(dice, picture);
  return question(dice, picture);
}

// ---- Malformed

// A random place in the tree of a value.
Json& any_place(Dice& dice, Json& json) {
  if (!json.is_structured() || json.empty() || dice.one_in(4)) return json;
  auto child = json.begin();
  std::advance(child, static_cast<std::ptrdiff_t>(dice.below(json.size())));
  return any_place(dice, *child);
}

void spoil(Dice& dice, Json& json) {
  static const std::vector<Json> kJunk = {nullptr,
                                          true,
                                          -1,
                                          4294967296,
                                          1.5,
                                          "",
                                          "no such",
                                          "../x",
                                          Json::array(),
                                          Json::object(),
                                          Json::array({1}),
                                          Json::array({nullptr}),
                                          1e300,
                                          "\u0000",
                                          {{"do", "run"}}};
  Json& place = any_place(dice, json);
  if (place.is_object() && !place.empty() && dice.one_in(2)) {
    auto field = place.begin();
    std::advance(field, static_cast<std::ptrdiff_t>(dice.below(place.size())));
    if (dice.one_in(2)) {
      place.erase(field.key());
    } else {
      place["surplus"] = dice.any_of(kJunk);
    }
    return;
  }
  place = dice.any_of(kJunk);
}

}  // namespace

std::string edit_line(Dice& dice, const Graph& graph, std::size_t kind, const std::string& policy) {
  const std::optional<Command> command = random_command(dice, graph, kind);
  if (!command) return "";
  return Json{{"do", "apply"}, {"edit", edit_json({.commands = {*command}}, policy)}}.dump();
}

std::string random_line(Dice& dice, const Picture& picture, bool running) {
  Json message = valid_message(dice, picture, running);
  if (!dice.one_in(14)) return message.dump();
  spoil(dice, message);
  std::string line = message.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (dice.one_in(8)) line.resize(dice.below(line.size() + 1));
  return line;
}

}  // namespace asg::edit_check
