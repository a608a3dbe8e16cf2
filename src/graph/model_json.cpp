// A model as JSON: the first graph, the ids that come next, and the journal. Reading plays the journal again, so undo
// and redo work in the model that was read as they did in the one that was written.
#include "asg/graph/json.h"
#include "asg/graph/model.h"
#include "edit_json.h"
#include "json_dom.h"

namespace asg {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kFormat = "asg-model";
constexpr int kVersion = 1;

[[noreturn]] void refuse(const std::string& pointer, std::string given, std::string needed) {
  throw UserError({ErrorCode::bad_json, std::move(given), std::move(needed), "", "", pointer});
}

const Json& member(const Json& object, const char* name, bool fits, const std::string& needed) {
  if (!fits) refuse("/" + std::string(name), "no such value", needed);
  return object[name];
}

std::uint32_t counter(const Json& object, const char* name) {
  const bool fits = object.contains(name) && object[name].is_number_unsigned() &&
                    object[name].get<std::uint64_t>() <= static_cast<std::uint64_t>(limit_of(Limit::ids));
  return member(object, name, fits, "the next id, a number of at most " + std::to_string(limit_of(Limit::ids)))
      .get<std::uint32_t>();
}

std::vector<Model::Entry> read_journal(const Json& list) {
  std::vector<Model::Entry> journal;
  for (std::size_t index = 0; index < list.size(); ++index) {
    const std::string pointer = "/journal/" + std::to_string(index);
    if (list[index] == "undo") {
      journal.push_back({Model::Entry::Kind::undo});
    } else if (list[index] == "redo") {
      journal.push_back({Model::Entry::Kind::redo});
    } else {
      journal.push_back({Model::Entry::Kind::apply, std::make_shared<const Edit>(read_edit(list[index], pointer))});
    }
  }
  return journal;
}

void write_entry(JsonOut& out, const Model::Entry& entry) {
  switch (entry.kind) {
    case Model::Entry::Kind::apply:
      return write_edit(out, *entry.edit);
    case Model::Entry::Kind::undo:
      return out.text("undo");
    case Model::Entry::Kind::redo:
      return out.text("redo");
  }
}

void check_head(const Json& model) {
  if (!model.is_object() || !model.contains("format") || model["format"] != kFormat) {
    refuse("", "something else than a model", "an object with \"format\": \"asg-model\"");
  }
  const bool numbered = model.contains("version") && model["version"].is_number_integer();
  if (!numbered) refuse("/version", "no version", "a number");
  if (model["version"].get<std::int64_t>() > kVersion) {
    throw UserError({ErrorCode::unsupported_version, "a model of version " + model["version"].dump(),
                     "at most version " + std::to_string(kVersion), "use a newer ASG", "", "/version"});
  }
  for (const auto& [key, value] : model.items()) {
    constexpr std::string_view kKnown[] = {"format", "version", "next_node", "next_variable", "graph", "journal"};
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown)) {
      refuse("/" + key, "the field '" + key + "'", "one of format, version, next_node, next_variable, graph, journal");
    }
  }
}

}  // namespace

std::string Model::to_json() const {
  const std::string journal = json_text([&](JsonOut& out) {
    out.begin_array();
    for (const Entry& entry : journal_) {
      out.line();
      write_entry(out, entry);
    }
    out.end_array();
  });
  std::string text = "{\"format\":\"" + std::string(kFormat) + "\",\"version\":" + std::to_string(kVersion);
  text += ",\"next_node\":" + std::to_string(first_.next_node_id().number);
  text += ",\"next_variable\":" + std::to_string(first_.next_variable_id().number);
  return text + ",\"graph\":" + asg::to_json(first_) + ",\"journal\":" + journal + "}\n";
}

Model Model::from_json(std::string_view text) {
  const Json model = dom_from_text(text);
  check_head(model);
  const Json& list = member(model, "journal", model.contains("journal") && model["journal"].is_array(), "a list");
  Graph graph = graph_from_json(member(model, "graph", model.contains("graph"), "the first graph"));
  graph.reserve_ids(NodeId{counter(model, "next_node")}, VarId{counter(model, "next_variable")});
  return replay(std::move(graph), read_journal(list));
}

}  // namespace asg
