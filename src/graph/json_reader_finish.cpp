#include <algorithm>
#include <utility>

#include "asg/core/error.h"
#include "asg/core/limits.h"
#include "checks.h"
#include "json_reader.h"

namespace asg {
namespace {

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
  std::sort(bindings.begin(), bindings.end(), [&](const Binding& a, const Binding& b) {
    return std::pair(place_of(a), std::string_view(a.slot)) < std::pair(place_of(b), std::string_view(b.slot));
  });
}

std::string_view name_of(GraphPlace::List list) {
  constexpr std::string_view kListNames[] = {"", "/variables", "/nodes", "/inputs", "/outputs", "/updates"};
  return kListNames[static_cast<std::size_t>(list)];
}

}  // namespace

JsonReader::PartialGraph::PartialGraph(JsonReader& reader)
    : checks(
          graph, [&reader](GraphPlace place, const UserError& error) { reader.report(place, error); },
          [&reader](const Node& read, Inferred& inferred) { reader.accept(read, inferred); }) {}

// A graph has a slot for every id up to the largest, so a large id is as dear as many nodes.
void JsonReader::take_slots(std::uint32_t next, std::uint32_t id) {
  if (id < next) return;
  slot_count_ += id - next + 1;
  if (slot_count_ > limits_.max_ids) {
    fail_limit(Limit::ids,
               "the id " + std::to_string(id) + ", where the largest ids of all graphs sum up to " +
                   std::to_string(slot_count_),
               static_cast<std::int64_t>(limits_.max_ids));
  }
}

void JsonReader::end_node() {
  PartialGraph& partial = graph();
  Node& read = *partial.node;
  if (partial.graph.has(read.id)) {
    fail(ErrorCode::bad_json, "two nodes with the id " + std::to_string(read.id.number), "an id of its own for each");
  }
  take_slots(partial.graph.next_node_id().number, read.id.number);
  if (!read.name.empty() && partial.graph.find_node(read.path())) {
    fail(ErrorCode::duplicate_name, "two nodes named '" + read.path() + "'", "a name that is free in its scope");
  }
  try {
    read.attrs = checked_attributes(*read.op, std::move(read.attrs));
  } catch (const UserError& error) {
    throw error.with_node(read.path());
  }
  if (partial.extra.known != nullptr && !(read.op->traits.leaf && read.op->name == "Input")) {
    fail(ErrorCode::bad_json, "known contents of a node of op '" + read.op->name + "'",
         "\"known\" only at nodes of op 'Input'; those of others follow from their inputs");
  }
  if (partial.extra.known != nullptr || partial.extra.types) {
    partial.extras.insert_or_assign(read.id, std::move(partial.extra));
    partial.extra = {};
  }
  const NodeId id = read.id;
  partial.nodes.push_back(id);
  partial.graph.put(NodePtr(std::move(partial.node)));
  partial.checks.visit(id);
}

void JsonReader::end_graph() {
  PartialGraph& partial = graph();
  partial.closed = true;
  partial.graph.set_inputs(std::move(partial.inputs));
  partial.graph.set_outputs(std::move(partial.outputs));
  partial.graph.set_updates(std::move(partial.updates));
  partial.checks.run();
  Graph complete = std::move(partial.graph);
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

// Says the place as a JSON pointer, instead of the place in a program that the node may carry.
void JsonReader::report(const GraphPlace& place, const UserError& error) {
  const auto index_in = [&place](const auto& ids) {
    return std::find_if(ids.begin(), ids.end(), [&](auto id) { return id.number == place.number; }) - ids.begin();
  };
  ErrorDetail detail = error.detail();
  detail.where = pointer();
  if (graph().closed) {  // else it is about the node that was just read
    std::ptrdiff_t index = place.number;
    if (place.list == GraphPlace::List::nodes) index = index_in(graph().nodes);
    if (place.list == GraphPlace::List::variables) index = index_in(graph().variables);
    detail.where += name_of(place.list);
    if (place.list != GraphPlace::List::graph) detail.where += "/" + std::to_string(index);
  }
  throw UserError(std::move(detail));
}

// Takes what inference found for a node of the graph that is being read.
void JsonReader::accept(const Node& read, Inferred& inferred) {
  // Every node was made in end_node for this graph alone, and nobody else has seen it yet.
  Node& own = const_cast<Node&>(read);
  own.outputs = std::move(inferred.outputs);
  if (!own.op->traits.leaf && !own.bindings.empty()) sort_bindings(own.bindings, inferred.slots);
  if (graph().extras.empty()) return;
  const auto extra = graph().extras.find(own.id);
  if (extra == graph().extras.end()) return;
  if (extra->second.known != nullptr) own.outputs.front().known = extra->second.known;
  if (!extra->second.types) return;
  const auto& types = *extra->second.types;
  const bool same = std::equal(types.begin(), types.end(), own.outputs.begin(), own.outputs.end(),
                               [](const TensorType& type, const OutputInfo& output) { return type == output.type; });
  if (same) return;
  std::string given, found;
  for (const TensorType& type : types) given += (given.empty() ? "" : ", ") + type.to_string();
  for (const OutputInfo& output : own.outputs) found += (found.empty() ? "" : ", ") + output.type.to_string();
  fail(ErrorCode::type_mismatch, "outputs of type (" + given + ")", "what inference gives: (" + found + ")",
       "correct the types, or leave them out");
}

}  // namespace asg
