#include <algorithm>
#include <utility>

#include "asg/core/error.h"
#include "checks.h"
#include "json_reader.h"

namespace asg {
namespace {

// The same error with the place in the file, whatever place in a program it had.
[[noreturn]] void fail_at(const UserError& error, std::string pointer) {
  ErrorDetail detail = error.detail();
  detail.where = std::move(pointer);
  throw UserError(std::move(detail));
}

// The keys of a JSON object have no order; bindings stand in the order of the slots.
void sort_bindings(std::vector<Binding>& bindings, const std::vector<Variable>& slots) {
  const auto same_name = [](const Variable& slot, const Binding& binding) { return slot.name == binding.slot; };
  if (std::equal(slots.begin(), slots.end(), bindings.begin(), bindings.end(), same_name)) return;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t index = 0; index < slots.size(); ++index) places.emplace(slots[index].name, index);
  const auto place_of = [&places](const Binding& binding) {
    const auto found = places.find(binding.slot);
    return found == places.end() ? places.size() : found->second;
  };
  std::stable_sort(bindings.begin(), bindings.end(),
                   [&](const Binding& a, const Binding& b) { return place_of(a) < place_of(b); });
}

std::string_view name_of(GraphPlace::List list) {
  constexpr std::string_view kNames[] = {"", "/variables", "/nodes", "/inputs", "/outputs", "/updates"};
  return kNames[static_cast<std::size_t>(list)];
}

}  // namespace

void JsonReader::end_graph() {
  Graph complete = finish();
  graphs_.pop_back();
  switch (top().state) {
    case JsonState::document:
      graph_ = std::move(complete);
      return;
    case JsonState::node:
      node().body = std::make_shared<const Graph>(std::move(complete));
      return;
    default:
      attr_ = GraphPtr(std::make_shared<const Graph>(std::move(complete)));
      return;
  }
}

// Puts everything together, then infers types in topological order: in the file users may stand before producers.
Graph JsonReader::finish() {
  Graph complete(std::move(graph().name), graph().id);
  put_variables(complete);
  const std::vector<std::uint32_t> positions = put_nodes(complete);
  complete.set_inputs(std::move(graph().inputs));
  complete.set_outputs(std::move(graph().outputs));
  complete.set_updates(std::move(graph().updates));
  check(complete, positions);
  return complete;
}

// A graph has a slot for every id up to the largest, so a large id is as dear as many nodes.
void JsonReader::take_slots(std::uint64_t count) {
  slot_count_ += count;
  if (slot_count_ > limits_.max_nodes) {
    fail(ErrorCode::limit_exceeded, "ids up to " + std::to_string(count),
         "ids that together need at most " + std::to_string(limits_.max_nodes) + " slots",
         "raise JsonLimits::max_nodes if the file is to be trusted");
  }
}

void JsonReader::put_variables(Graph& complete) {
  std::vector<Variable>& variables = graph().variables;
  VarId last;
  for (const Variable& variable : variables) last = std::max(last, variable.id);
  take_slots(last.number);
  complete.reserve_ids({}, VarId{last.number + 1});
  for (std::size_t index = 0; index < variables.size(); ++index) {
    if (complete.has(variables[index].id)) {
      fail_at(UserError({ErrorCode::bad_json, "two variables with the id " + std::to_string(variables[index].id.number),
                         "an id of its own for each", "", "", ""}),
              pointer() + "/variables/" + std::to_string(index));
    }
    complete.put(std::move(variables[index]));
  }
}

// Returns where in the file each node stands, by id.
std::vector<std::uint32_t> JsonReader::put_nodes(Graph& complete) {
  const auto& nodes = graph().nodes;
  NodeId last;
  for (const auto& each : nodes) last = std::max(last, each->id);
  take_slots(last.number);
  complete.reserve_ids(NodeId{last.number + 1}, {});
  std::vector<std::uint32_t> positions(std::size_t{last.number} + 1, 0);
  for (std::uint32_t index = 0; index < nodes.size(); ++index) {
    const NodeId id = nodes[index]->id;
    if (complete.has(id)) {
      fail_at(UserError({ErrorCode::bad_json, "two nodes with the id " + std::to_string(id.number),
                         "an id of its own for each", "", "", ""}),
              pointer() + "/nodes/" + std::to_string(index));
    }
    positions[id.number] = index;
    complete.put(NodePtr(nodes[index]));
  }
  return positions;
}

void JsonReader::check(const Graph& complete, const std::vector<std::uint32_t>& positions) {
  const auto report = [&](GraphPlace place, const UserError& error) {
    std::string where = pointer() + std::string(name_of(place.list));
    std::uint32_t index = place.number;
    if (place.list == GraphPlace::List::nodes) index = positions[place.number];
    if (place.list == GraphPlace::List::variables) {
      const auto& variables = graph().variables;  // moved from, but for their ids
      const auto found = std::find_if(variables.begin(), variables.end(),
                                      [&](const Variable& variable) { return variable.id.number == place.number; });
      index = static_cast<std::uint32_t>(found - variables.begin());
    }
    if (place.list != GraphPlace::List::graph) where += "/" + std::to_string(index);
    fail_at(error, std::move(where));
  };
  const auto accept = [&](const Node& inferred_node, Inferred& inferred) {
    Node& read = *graph().nodes[positions[inferred_node.id.number]];
    read.outputs = std::move(inferred.outputs);
    if (!read.op->traits.leaf) sort_bindings(read.bindings, inferred.slots);
    const auto extra = graph().extras.find(read.id);
    if (extra == graph().extras.end()) return;
    if (extra->second.known != nullptr) read.outputs.front().known = extra->second.known;
    if (!extra->second.types) return;
    const auto& types = *extra->second.types;
    const bool same = std::equal(types.begin(), types.end(), read.outputs.begin(), read.outputs.end(),
                                 [](const TensorType& type, const OutputInfo& output) { return type == output.type; });
    if (same) return;
    std::string given, found;
    for (const TensorType& type : types) given += (given.empty() ? "" : ", ") + type.to_string();
    for (const OutputInfo& output : read.outputs) found += (found.empty() ? "" : ", ") + output.type.to_string();
    fail(ErrorCode::type_mismatch, "outputs of type (" + given + ")", "what inference gives: (" + found + ")",
         "correct the types, or leave them out");
  };
  GraphChecks(complete, report, accept).run();
}

}  // namespace asg
