#include "compile/commit.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "compile/accesses.h"

namespace asg {
namespace {

Step copy_step(const Sizes& sizes, View from, int to, bool commits) {
  const Sizes strides = dense_strides(sizes);
  Step step{.kind = Step::Kind::copy, .commits = commits};
  step.outputs = {View{to, 0, sizes, strides, from.value}};
  step.inputs = {std::move(from)};
  return step;
}

// All of a value, in the buffer that holds it.
View whole(const Sizes& sizes, int buffer, int value) { return {buffer, 0, sizes, dense_strides(sizes), value}; }

int add_copy_of(Program& program, int buffer) {
  const Buffer& held = program.buffers[static_cast<std::size_t>(buffer)];
  program.buffers.push_back({.kind = Buffer::Kind::temporary, .dtype = held.dtype, .count = held.count});
  return static_cast<int>(program.buffers.size()) - 1;
}

// All of a variable into a copy of it, whatever part of it is wanted.
Step snapshot_step(const Program& program, int variable, int copy) {
  const Sizes sizes = {program.buffers[static_cast<std::size_t>(variable)].count};
  return copy_step(sizes, whole(sizes, variable, variable), copy, false);
}

class Committer {
 public:
  Committer(Program& program, const CallRules& device, bool in_place)
      : program_(program),
        device_(device),
        in_place_(in_place),
        is_gated_(program.all_finite >= 0),
        uses_(program.buffers.size()) {
    for (std::size_t k = 0; k < program.buffers.size(); ++k) {
      if (program.buffers[k].kind == Buffer::Kind::variable) {
        variables_[program.buffers[k].variable] = static_cast<int>(k);
      }
    }
    for (std::size_t step = 0; step < program.steps.size(); ++step) note(program.steps[step], static_cast<int>(step));
    for (const View& view : program.results) uses_[static_cast<std::size_t>(view.buffer)].is_result = true;
  }

  void commit(const NewValue& value) {
    const int variable = buffer_of(value.variable);
    int computed = value.value;
    const auto in_another = lies_in_.find(computed);
    if (in_another != lies_in_.end()) return copy_at_end(value, in_another->second, variable);
    if (can_write_in_place(computed, variable)) return write_in_place(computed, variable);
    if (can_change_in_place(computed, variable)) return change_in_place(computed, variable);
    if (program_.buffers[static_cast<std::size_t>(computed)].kind == Buffer::Kind::variable) {
      const int copy = add_copy_of(program_, computed);
      snapshots_.push_back(snapshot_step(program_, computed, copy));
      computed = copy;
    }
    copy_at_end(value, computed, variable);
  }

  void finish() {
    program_.steps.insert(program_.steps.begin(), std::make_move_iterator(snapshots_.rbegin()),
                          std::make_move_iterator(snapshots_.rend()));
  }

 private:
  // What steps do with a buffer; snapshots, which come before all others, aside.
  struct Uses {
    int writer = -1;  // the step that writes it
    int last = -1;    // the last one that reads or writes it
    bool is_read = false;
    bool is_result = false;
  };

  void copy_at_end(const NewValue& value, int from, int variable) {
    program_.steps.push_back(copy_step(value.sizes, whole(value.sizes, from, value.value), variable, is_gated_));
    uses_.resize(program_.buffers.size());
    note(program_.steps.back(), static_cast<int>(program_.steps.size()) - 1);
  }

  void note(const Step& step, int number) {
    for_each_view(step, [&](const View& view, bool writes) {
      Uses& uses = uses_[static_cast<std::size_t>(view.buffer)];
      uses.last = number;
      if (writes) uses.writer = number;
      if (!writes) uses.is_read = true;
    });
  }

  // Its buffer; one is made for a variable that nothing reads.
  int buffer_of(VarId id) {
    const auto [entry, is_new] = variables_.try_emplace(id, static_cast<int>(program_.buffers.size()));
    if (is_new) {
      const Variable& variable = program_.graph.variable(id);
      program_.buffers.push_back({.kind = Buffer::Kind::variable,
                                  .dtype = variable.type.dtype,
                                  .count = element_count(variable.type.shape.sizes()),
                                  .name = variable.name,
                                  .variable = id});
      uses_.emplace_back();
    }
    return entry->second;
  }

  // A value of which the variable takes only a part has no room in it.
  bool fits(int computed, int variable) const {
    const Buffer& value = program_.buffers[static_cast<std::size_t>(computed)];
    return value.kind == Buffer::Kind::temporary &&
           value.count == program_.buffers[static_cast<std::size_t>(variable)].count;
  }

  // The value is computed by a kernel that nobody else reads from, after all others have read the variable, and the
  // kernel itself reads it at the very element that it writes.
  bool can_write_in_place(int computed, int variable) const {
    if (!in_place_ || !fits(computed, variable)) return false;
    const Uses& of_value = uses_[static_cast<std::size_t>(computed)];
    const Uses& of_variable = uses_[static_cast<std::size_t>(variable)];
    if (of_value.is_result || of_variable.is_result || of_value.is_read || of_value.writer < 0) return false;
    if (of_variable.last > of_value.writer) return false;
    const Step& step = program_.steps[static_cast<std::size_t>(of_value.writer)];
    return step.kernel != nullptr && step.commits == is_gated_ && may_write_over(step, variable, computed);
  }

  void write_in_place(int computed, int variable) {
    Uses& of_value = uses_[static_cast<std::size_t>(computed)];
    Step& step = program_.steps[static_cast<std::size_t>(of_value.writer)];
    for (View& view : step.outputs) {
      if (view.buffer == computed) view.buffer = variable;
    }
    std::replace(step.arguments.begin(), step.arguments.end(), computed, variable);
    Uses& of_variable = uses_[static_cast<std::size_t>(variable)];
    of_variable.last = of_variable.writer = of_value.writer;
    of_value = {};
    program_.buffers[static_cast<std::size_t>(computed)].count = 0;
    lies_in_[computed] = variable;
  }

  // The value is computed by a call that changes the variable where it lies, and nobody reads the old value after it.
  // Who reads the new one may do so there: nothing writes to the variable again in this step.
  bool can_change_in_place(int computed, int variable) const {
    if (!in_place_ || is_gated_ || !device_.changes_in_place) return false;
    if (!fits(computed, variable)) return false;
    const Uses& of_value = uses_[static_cast<std::size_t>(computed)];
    const Uses& of_variable = uses_[static_cast<std::size_t>(variable)];
    if (of_value.is_result || of_variable.is_result || of_variable.writer >= 0 || of_value.writer < 0) return false;
    if (of_variable.last != of_value.writer) return false;
    const Step& step = program_.steps[static_cast<std::size_t>(of_value.writer)];
    if (step.kind != Step::Kind::call || step.kernel != nullptr || !device_.changes_in_place(*step.node)) return false;
    const auto reads = std::count_if(step.inputs.begin(), step.inputs.end(),
                                     [&](const View& view) { return view.buffer == variable; });
    const View& before = step.inputs.front();
    const View& after = step.outputs.front();
    return reads == 1 && before.buffer == variable && after.buffer == computed && before.offset == 0 &&
           after.offset == 0 && before.is_dense() && after.is_dense();
  }

  void change_in_place(int computed, int variable) {
    for (Step& step : program_.steps) {
      for (std::vector<View>* views : {&step.inputs, &step.outputs}) {
        for (View& view : *views) {
          if (view.buffer == computed) view.buffer = variable;
        }
      }
      std::replace(step.arguments.begin(), step.arguments.end(), computed, variable);
    }
    uses_[static_cast<std::size_t>(variable)] = uses_[static_cast<std::size_t>(computed)];
    uses_[static_cast<std::size_t>(computed)] = {};
    program_.buffers[static_cast<std::size_t>(computed)].count = 0;
    lies_in_[computed] = variable;
  }

  Program& program_;
  const CallRules& device_;
  bool in_place_;
  bool is_gated_;
  std::map<VarId, int> variables_;  // their buffers
  std::vector<Uses> uses_;          // by buffer
  std::map<int, int> lies_in_;      // values that were written into a variable at once → its buffer
  std::vector<Step> snapshots_;     // the last one comes first
};

}  // namespace

int add_snapshot(Program& program, int variable) {
  const int copy = add_copy_of(program, variable);
  program.steps.insert(program.steps.begin(), snapshot_step(program, variable, copy));
  return copy;
}

void commit_updates(Program& program, const CallRules& device, bool in_place) {
  Committer committer(program, device, in_place);
  for (const NewValue& value : program.new_values) committer.commit(value);
  committer.finish();
  program.has_commits = true;
}

}  // namespace asg
