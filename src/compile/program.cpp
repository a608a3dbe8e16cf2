#include "asg/compile/program.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "asg/compile/executable.h"
#include "asg/compile/memory_plan.h"
#include "asg/compile/verify_program.h"
#include "asg/graph/card.h"
#include "asg/graph/contexts.h"
#include "asg/graph/walk.h"
#include "compile/commit.h"
#include "compile/epilogues.h"
#include "compile/fusion/emit.h"
#include "compile/fusion/recompute.h"
#include "compile/in_place.h"
#include "compile/program_layouts.h"
#include "compile/schedule.h"

namespace asg {
namespace {

using fusion::Layout;
using fusion::Layouts;
using fusion::Unit;
using fusion::Units;
using fusion::ValueSet;

double seconds_from(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<NodeId> needed_in_order(const Graph& graph, const std::vector<bool>& needed) {
  std::vector<NodeId> order;
  for (const NodeId id : topological_order(graph)) {
    if (needed[id.number]) order.push_back(id);
  }
  return order;
}

std::vector<bool> marked_ancestors(const Graph& graph, const std::vector<Value>& roots) {
  std::vector<bool> marks(graph.next_node_id().number, false);
  for (const NodeId id : ancestors(graph, roots)) marks[id.number] = true;
  return marks;
}

[[noreturn]] void fail_external(const Node& node) {
  throw UserError({ErrorCode::unknown_graph,
                   "a value of graph " + std::to_string(AttrReader(*node.op, node.attrs).attr("graph").as_integer()) +
                       " in a graph that is compiled by itself",
                   "a graph whose values all come from its inputs, variables and constants",
                   "join it with the graph that computes the value (link), or run the graphs with a cache", node.path(),
                   node.where.to_string()});
}

// Places of elements are counted in 64 bits, with room for sums of two.
void check_sizes(const Graph& graph, const std::vector<NodeId>& order) {
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 62;
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    for (const OutputInfo& output : node.outputs) {
      const auto count = output.type.shape.element_count().known();
      std::int64_t bytes = 0;
      if (!count || (!__builtin_mul_overflow(*count, bytes_of(output.type.dtype), &bytes) && bytes < kMostBytes))
        continue;
      throw UserError({ErrorCode::bad_dim, "op '" + node.op->name + "' that gives " + output.type.to_string(),
                       "a value of fewer than 2^62 bytes", "use smaller sizes", node.path(), node.where.to_string()});
    }
  }
}

class ProgramMaker {
 public:
  ProgramMaker(Graph graph, const CallRules& device, const PassOptions& options)
      : program_{.graph = std::move(graph)}, graph_(program_.graph), device_(device), options_(options) {}

  Program make() {
    std::vector<Value> results;
    for (const Output& output : graph_.outputs()) results.push_back(output.value);
    needed_by_outputs_ = marked_ancestors(graph_, results);
    for (const Update& update : graph_.updates()) results.push_back(update.value);
    order_ = needed_in_order(graph_, marked_ancestors(graph_, results));
    check_sizes(graph_, order_);
    layouts_.emplace(layouts_for(device_, graph_, order_, results));
    stored_ = recomputed_ = ValueSet(layouts_->numbers());
    buffers_.assign(layouts_->numbers().count(), -1);
    make_units();
    find_stored_values(results);
    run_pass("recompute", "values kept", [&] { drop_cheap_values(results); }, [&] { return stored_.size(); });
    make_leaves();
    make_steps();
    make_results();
    list_new_values();
    verify("recompute");
    run_pass("epilogues", "steps", [&] { join_epilogues(program_, device_); }, step_count());
    run_pass("schedule", "bytes alive", [&] { schedule(program_); }, alive());
    commit_updates(program_, device_, !options_.is_off("in_place"));
    verify("in_place");
    run_pass("in_place", "bytes alive", [&] { share_memory(program_); }, alive());
    list_unfused();
    return std::move(program_);
  }

 private:
  bool is_gated() const { return graph_.find_output(kAllFinite) != nullptr; }

  using Count = std::function<std::size_t()>;
  Count step_count() const {
    return [this] { return program_.steps.size(); };
  }
  Count alive() const {
    return [this] { return static_cast<std::size_t>(live_bytes(program_)); };
  }

  // Runs a pass unless it is off, and reports what it made of what is counted.
  void run_pass(std::string_view name, std::string_view unit, const std::function<void()>& run, const Count& count) {
    PassReport report{.name = std::string(name), .ran = !options_.is_off(name), .unit = unit, .before = count()};
    const auto start = std::chrono::steady_clock::now();
    if (report.ran) run();
    report.seconds = seconds_from(start);
    report.after = count();
    program_.reports.push_back(std::move(report));
    // Before there are steps there is nothing to follow.
    if (!program_.new_values.empty() || !program_.results.empty()) verify(name);
  }

  void verify(std::string_view pass) const {
    if (options_.verify) verify_program(pass, program_, device_);
  }

  void make_units() {
    PassReport report{.name = "fuse", .ran = !options_.is_off("fuse"), .unit = "steps"};
    const auto start = std::chrono::steady_clock::now();
    units_.emplace(graph_, order_, *layouts_, commit_flags(), report.ran);
    report.seconds = seconds_from(start);
    for (const Unit& unit : units_->all()) report.before += unit.nodes.size();
    report.after = units_->all().size();
    program_.reports.push_back(std::move(report));
  }

  // What only updates need may be left out when the step is not all finite.
  std::vector<char> commit_flags() const {
    std::vector<char> flags(needed_by_outputs_.size(), 0);
    if (!is_gated()) return flags;
    for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = needed_by_outputs_[k] ? 0 : 1;
    return flags;
  }

  // Roots that leave the unit which computes them.
  void find_stored_values(const std::vector<Value>& results) {
    for (const NodeId id : order_) {
      const Node& node = graph_.node(id);
      const int user = units_->unit_of(id);
      if (user < 0) continue;
      for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        if (!node.inputs[k]) continue;
        const Value root = layouts_->input_of(node, k).root;
        if (units_->unit_of(root.node) != user) stored_.insert(root);
      }
    }
    for (const Value value : results) stored_.insert(layouts_->of(value).root);
  }

  void drop_cheap_values(const std::vector<Value>& results) {
    ValueSet roots(layouts_->numbers());
    for (const Value value : results) roots.insert(layouts_->of(value).root);
    recomputed_ = fusion::values_to_recompute(graph_, *layouts_, *units_, stored_, roots);
    stored_.erase(recomputed_);
  }

  // ---- Buffers

  int add_buffer(Value root, Buffer buffer) {
    const TensorType& type = graph_.type(root);
    buffer.dtype = type.dtype;
    buffer.count = layouts_->count_of(root);
    program_.buffers.push_back(std::move(buffer));
    const int number = static_cast<int>(program_.buffers.size()) - 1;
    buffers_[layouts_->numbers().of(root)] = number;
    return number;
  }

  void make_leaves() {
    for (const NodeId id : order_) {
      const Node& node = graph_.node(id);
      if (!node.op->traits.leaf) continue;
      const Value root{id, 0};
      if (node.op->name == "Input") {
        add_buffer(root, {.kind = Buffer::Kind::input, .name = node.path()});
      } else if (node.op->name == "Constant") {
        const Array& value = AttrReader(*node.op, node.attrs).attr("value").as_tensor();
        add_buffer(root, {.kind = Buffer::Kind::constant, .value = value.dense()});
      } else if (node.op->name == "Variable") {
        const VarId variable = node.bindings.front().variable;
        add_buffer(root,
                   {.kind = Buffer::Kind::variable, .name = graph_.variable(variable).name, .variable = variable});
      } else if (node.op->name == "External") {
        fail_external(node);
      } else {
        fail_internal("a leaf that programs do not know: " + node.op->name);
      }
    }
  }

  int buffer_of(Value root) const {
    const int buffer = buffers_[layouts_->numbers().of(root)];
    internal_check(buffer >= 0, "a value that lies nowhere is read");
    return buffer;
  }

  View view_of(const Layout& layout) const {
    const int buffer = buffer_of(layout.root);
    return {buffer, layout.offset, layout.sizes, layout.strides, buffer};
  }

  // ---- Steps

  void make_steps() {
    const auto all = units_->all();
    // What commits comes last, so that variables may change in place.
    for (const bool commits : {false, true}) {
      for (std::size_t number = 0; number < all.size(); ++number) {
        if (all[number].commits != commits) continue;
        if (all[number].fused) {
          add_fused(static_cast<int>(number), all[number]);
        } else {
          add_call(all[number]);
        }
      }
    }
  }

  void add_fused(int number, const Unit& unit) {
    fusion::Emitted emitted = fusion::emit_kernel(graph_, *layouts_, *units_, number, stored_, recomputed_);
    if (emitted.kernel.stores.empty()) return;  // nothing of it is needed
    Step step{.kind = Step::Kind::fused, .nodes = unit.nodes, .commits = unit.commits};
    for (const NodeId id : unit.nodes) {
      for (std::uint32_t port = 0; port < layouts_->numbers().ports_of(id); ++port) {
        if (stored_.contains({id, port})) add_buffer({id, port}, {});
      }
    }
    for (std::size_t k = 0; k < emitted.arguments.size(); ++k) {
      View view = view_of(layouts_->of(emitted.arguments[k]));
      step.arguments.push_back(view.buffer);
      (emitted.kernel.arguments[k].output ? step.outputs : step.inputs).push_back(std::move(view));
    }
    step.kernel = std::make_shared<const Kernel>(with_merged_axes(emitted.kernel));
    program_.steps.push_back(std::move(step));
  }

  void add_call(const Unit& unit) {
    const NodePtr& node = graph_.node_ptr(unit.nodes.front());
    Step step{.kind = Step::Kind::call, .node = node, .nodes = unit.nodes, .commits = unit.commits};
    for (std::size_t k = 0; k < node->inputs.size(); ++k) {
      step.inputs.push_back(node->inputs[k] ? view_of(layouts_->of(node->inputs[k])) : View{});
    }
    for (std::uint32_t port = 0; port < node->outputs.size(); ++port) {
      add_buffer({node->id, port}, {});
      step.outputs.push_back(view_of(layouts_->of({node->id, port})));
    }
    program_.steps.push_back(std::move(step));
  }

  // Results that are computed lie where the caller wants them, unless they are only a part of what is computed there;
  // those of a variable that changes show its old value.
  void make_results() {
    for (const Output& output : graph_.outputs()) {
      const Layout& layout = layouts_->of(output.value);
      View view = view_of(layout);
      Buffer& buffer = program_.buffers[static_cast<std::size_t>(view.buffer)];
      const bool whole = element_count(view.sizes) == buffer.count;
      if (buffer.kind == Buffer::Kind::temporary && whole) buffer.kind = Buffer::Kind::output;
      if (buffer.kind == Buffer::Kind::variable && is_updated(buffer.variable)) {
        view.buffer = add_snapshot(program_, view.buffer);
      }
      if (output.name == kAllFinite) program_.all_finite = view.buffer;
      program_.results.push_back(std::move(view));
    }
  }

  // Pairs of units that became steps of their own. Epilogues belong to their calls.
  void list_unfused() {
    std::vector<int> step_of(units_->all().size(), -1);
    for (std::size_t number = 0; number < program_.steps.size(); ++number) {
      const Step& step = program_.steps[number];
      if (step.kind != Step::Kind::fused) continue;
      step_of[static_cast<std::size_t>(units_->unit_of(step.nodes.front()))] = static_cast<int>(number);
    }
    for (const fusion::Unfused& pair : units_->unfused()) {
      const int from = step_of[static_cast<std::size_t>(pair.from)];
      const int to = step_of[static_cast<std::size_t>(pair.to)];
      if (from >= 0 && to >= 0) program_.unfused.push_back({from, to, std::string(words_of(pair.obstacle))});
    }
  }

  bool is_updated(VarId variable) const {
    const auto updates = graph_.updates();
    return std::any_of(updates.begin(), updates.end(), [&](const Update& each) { return each.variable == variable; });
  }

  void list_new_values() {
    for (const Update& update : graph_.updates()) {
      const Layout& layout = layouts_->of(update.value);
      program_.new_values.push_back({update.variable, buffer_of(layout.root), layout.sizes});
    }
  }

  Program program_;
  const Graph& graph_;  // of the program
  const CallRules& device_;
  const PassOptions& options_;
  std::vector<bool> needed_by_outputs_;
  std::vector<NodeId> order_;
  std::optional<Layouts> layouts_;
  std::optional<Units> units_;
  ValueSet stored_;
  ValueSet recomputed_;
  std::vector<int> buffers_;  // by the number of the value; -1: none
};

}  // namespace

bool View::is_dense() const { return asg::is_dense(sizes, strides); }

Program make_program(Graph graph, const CallRules& device, const PassOptions& options) {
  return ProgramMaker(std::move(graph), device, options).make();
}

}  // namespace asg
