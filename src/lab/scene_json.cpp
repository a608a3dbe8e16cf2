#include "asg/lab/scene_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "graph/attr_json.h"

namespace asg::lab {
namespace {

using SceneJson = nlohmann::ordered_json;

SceneJson begun(const char* event, const AnswerHead& head) {
  SceneJson json = {{"event", event}};
  if (head.ask) json["ask"] = *head.ask;
  json["training"] = head.training;
  json["version"] = head.version;
  return json;
}

// Names come from model files and may hold any bytes.
std::string written(const SceneJson& json) { return json.dump(-1, ' ', false, SceneJson::error_handler_t::replace); }

SceneJson number_json(double number) { return std::isfinite(number) ? SceneJson(number) : SceneJson(nullptr); }

SceneJson phrase_json(const Sentence& phrase) { return {{"en", phrase.en}, {"ru", phrase.ru}}; }
SceneJson words_json(const Words& words) { return {{"en", words.en}, {"ru", words.ru.empty() ? words.en : words.ru}}; }

SceneJson repeats_json(const Repeats& repeats) {
  return {{"of", repeats.of}, {"index", repeats.index}, {"count", repeats.count}};
}

// ---- Levels

SceneJson item_json(const Item& item, View view) {
  SceneJson outputs = SceneJson::array();
  for (const Item::Output& output : item.outputs) outputs.push_back({{"name", output.name}, {"type", output.type}});
  SceneJson json = {{"path", item.path},
                    {"name", item.name},
                    {"op", item.op},
                    {"category", item.category},
                    {"opens", item.opens},
                    {"nodes", item.nodes},
                    {"parameters", item.parameters},
                    {"outputs", std::move(outputs)},
                    {"flags", item.flags},
                    {"role", name_of(item.role)}};
  if (view != View::model) json["origins"] = item.origins;
  if (item.repeats) json["repeats"] = repeats_json(*item.repeats);
  if (item.seconds) json["seconds"] = number_json(*item.seconds);
  if (item.bytes) json["bytes"] = number_json(*item.bytes);
  if (item.flops) json["flops"] = number_json(*item.flops);
  return json;
}

SceneJson crossings_json(const std::vector<Crossing>& crossings) {
  SceneJson list = SceneJson::array();
  for (const Crossing& each : crossings) {
    list.push_back({{"name", each.name}, {"value", each.value}, {"type", each.type}, {"items", each.items}});
  }
  return list;
}

// ---- Attributes

// The kinds that a page has fields for.
const char* field_kind(AttrKind kind) {
  switch (kind) {
    case AttrKind::integer:
      return "integer";
    case AttrKind::real:
      return "number";
    case AttrKind::boolean:
      return "boolean";
    case AttrKind::integers:
    case AttrKind::reals:
    case AttrKind::texts:
      return "list";
    default:
      return "text";
  }
}

SceneJson attribute_json(const Description::Attribute& attribute) {
  const AttrSpec& spec = *attribute.spec;
  SceneJson json = {{"name", spec.name},
                    {"kind", field_kind(spec.kind)},
                    {"value", attribute.value ? plain_json(*attribute.value) : SceneJson(nullptr)},
                    {"default", spec.fallback ? plain_json(*spec.fallback) : SceneJson(nullptr)}};
  if (!spec.choices.empty()) {
    json["choices"] = SceneJson::array();
    for (const Attr& choice : spec.choices) json["choices"].push_back(plain_json(choice));
  }
  if (spec.least) json["least"] = number_json(*spec.least);
  if (spec.most) json["most"] = number_json(*spec.most);
  json["keeps_shape"] = attribute.keeps_shape;
  json["words"] = words_json(spec.words);
  return json;
}

// ---- Ends and state of a described item

void add_ends_json(const Description& description, SceneJson& json) {
  json["inputs"] = SceneJson::array();
  for (const Description::Input& each : description.inputs) {
    json["inputs"].push_back({{"name", each.name}, {"from", each.from}, {"value", each.value}, {"type", each.type}});
  }
  json["outputs"] = SceneJson::array();
  for (const Description::Output& each : description.outputs) {
    SceneJson output = {{"name", each.name}, {"value", each.value}, {"type", each.type}, {"to", each.to}};
    if (!each.output_as.empty()) output["output_as"] = each.output_as;
    json["outputs"].push_back(std::move(output));
  }
}

void add_state_json(const Description& description, SceneJson& json) {
  json["variables"] = SceneJson::array();
  for (const Description::State& each : description.variables) {
    json["variables"].push_back({{"name", each.name},
                                 {"type", each.type},
                                 {"kind", name_of(each.kind)},
                                 {"trainable", each.trainable},
                                 {"count", each.count},
                                 {"role", phrase_json(each.role)}});
  }
  if (!description.literal) return;
  SceneJson values = SceneJson::array();
  for (const double value : description.literal->values) values.push_back(number_json(value));
  json["literal"] = {
      {"type", description.literal->type}, {"values", std::move(values)}, {"elided", description.literal->elided}};
}

}  // namespace

std::string level_json(const Level& level, const AnswerHead& head) {
  SceneJson json = begun("level", head);
  json["view"] = name_of(level.view);
  json["scope"] = level.scope;
  json["title"] = level.title;
  json["items"] = SceneJson::array();
  for (const Item& item : level.items) json["items"].push_back(item_json(item, level.view));
  json["edges"] = SceneJson::array();
  for (const Edge& edge : level.edges) {
    json["edges"].push_back({{"from", edge.from},
                             {"to", edge.to},
                             {"value", edge.value},
                             {"type", edge.type},
                             {"count", edge.count},
                             {"skips", edge.skips}});
  }
  json["inlets"] = crossings_json(level.inlets);
  json["outlets"] = crossings_json(level.outlets);
  json["portals"] = SceneJson::array();
  for (const Portal& portal : level.portals) {
    json["portals"].push_back({{"name", portal.name},
                               {"value", portal.value},
                               {"type", portal.type},
                               {"from", portal.from ? SceneJson(*portal.from) : SceneJson(nullptr)},
                               {"to", portal.to}});
  }
  if (level.left_out > 0) json["left_out"] = level.left_out;
  return written(json);
}

std::string described_json(const Description& description, const AnswerHead& head) {
  const Item& item = description.item;
  SceneJson json = begun("described", head);
  json["view"] = name_of(description.view);
  json["path"] = item.path;
  json["scopes"] = description.scopes;
  json["op"] = item.op;
  json["category"] = item.category;
  json["title"] = phrase_json(description.title);
  json["what"] = phrase_json(description.what);
  json["why"] = phrase_json(description.why);
  json["formula"] = description.formula;
  json["formula_text"] = description.formula_text;
  if (!description.role.empty()) json["role"] = phrase_json(description.role);
  add_ends_json(description, json);
  json["attributes"] = SceneJson::array();
  for (const Description::Attribute& each : description.attributes) json["attributes"].push_back(attribute_json(each));
  add_state_json(description, json);
  json["replacements"] = SceneJson::array();
  for (const Description::Replacement& each : description.replacements) {
    json["replacements"].push_back({{"op", each.op}, {"title", phrase_json(each.title)}});
  }
  if (!description.why_not.empty()) json["why_not"] = phrase_json(description.why_not);
  json["flags"] = item.flags;
  json["origins"] = item.origins;
  if (item.repeats) json["repeats"] = repeats_json(*item.repeats);
  if (!description.where.empty()) json["where"] = description.where;
  return written(json);
}

std::string found_json(const Found& found, const AnswerHead& head) {
  SceneJson json = begun("found", head);
  json["items"] = SceneJson::array();
  for (const Found::Entry& each : found.entries) {
    json["items"].push_back({{"view", name_of(each.view)},
                             {"path", each.path},
                             {"op", each.op},
                             {"name", each.name},
                             {"category", each.category}});
  }
  json["more"] = found.more;
  return written(json);
}

std::string located_json(const std::vector<Places>& places, const AnswerHead& head) {
  SceneJson json = begun("located", head);
  json["places"] = SceneJson::object();
  for (const Places& each : places) json["places"][std::string(name_of(each.view))] = each.paths;
  return written(json);
}

std::string plan_json(const Plan& plan, const AnswerHead& head) {
  SceneJson json = begun("plan", head);
  json["arena"] = plan.arena;
  json["lower_bound"] = plan.lower_bound;
  json["waste"] = number_json(plan.waste);
  json["variables"] = plan.variables;
  json["scratch"] = plan.scratch;
  json["steps"] = SceneJson::array();
  for (const Plan::Step& step : plan.steps) {
    SceneJson entry = {{"title", step.title}, {"kind", step.kind}, {"path", step.path}};
    if (step.seconds) entry["seconds"] = number_json(*step.seconds);
    json["steps"].push_back(std::move(entry));
  }
  json["buffers"] = SceneJson::array();
  for (const Plan::Piece& piece : plan.buffers) {
    json["buffers"].push_back({{"name", piece.name},
                               {"path", piece.path},
                               {"offset", piece.offset},
                               {"size", piece.size},
                               {"first", piece.first},
                               {"last", piece.last}});
  }
  json["alive"] = plan.alive;
  return written(json);
}

std::string costs_json(const Costs& costs, std::int64_t step, const AnswerHead& head) {
  const auto by_role = [](const Costs::ByRole& numbers) {
    return SceneJson{{"forward", number_json(numbers.forward)},
                     {"gradient", number_json(numbers.gradient)},
                     {"update", number_json(numbers.update)}};
  };
  SceneJson json = begun("costs", head);
  json["step"] = step;
  json["parts"] = SceneJson::array();
  for (const Costs::Part& part : costs.parts) {
    SceneJson entry = {{"path", part.path}, {"bytes", by_role(part.bytes)}};
    if (costs.measured) entry["seconds"] = by_role(part.seconds);
    json["parts"].push_back(std::move(entry));
  }
  return written(json);
}

}  // namespace asg::lab
