// Follows values through memory: a step finds what it reads where it reads it.

#include <algorithm>
#include <map>
#include <optional>

#include "compile/accesses.h"
#include "compile/verify/problems.h"

namespace asg::verify {
namespace {

// A range of bytes in one of several memories: the arena, or one for each buffer that is not in it.
struct Place {
  int memory = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;  // behind the last byte

  bool overlaps(const Place& other) const { return memory == other.memory && first < other.last && other.first < last; }
};

// Where buffers are. Before there is a plan, each chain of shared buffers has a memory of its own.
class Places {
 public:
  Places(const Program& program, bool is_planned) : program_(program), is_planned_(is_planned) {}

  Place of(int number) const {
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(number)];
    if (is_planned_ && buffer.kind == Buffer::Kind::temporary) {
      return {-1, buffer.offset, buffer.offset + buffer.bytes()};
    }
    int head = number;
    while (program_.buffers[static_cast<std::size_t>(head)].shares >= 0) {
      head = program_.buffers[static_cast<std::size_t>(head)].shares;
    }
    return {head, 0, buffer.bytes()};
  }

 private:
  const Program& program_;
  bool is_planned_;
};

// Which buffers hold their values at the moment, and who overwrote the others.
class Memory {
 public:
  Memory(const Program& program, const Places& places)
      : places_(places), values_(program.buffers.size(), -1), overwritten_(program.buffers.size()) {}

  // -1: none, or none any more.
  int value_in(int buffer) const { return values_[static_cast<std::size_t>(buffer)]; }

  struct Overwritten {
    int step = -1;
    int value = -1;  // that was there
  };
  Overwritten overwritten(int buffer) const { return overwritten_[static_cast<std::size_t>(buffer)]; }

  void write(int buffer, int value, int step) {
    const Place place = places_.of(buffer);
    // Ranges in the map never overlap: of those that begin before this one only the last can reach into it.
    auto held = held_.lower_bound({place.memory, place.first});
    if (held != held_.begin()) {
      const auto before = std::prev(held);
      if (before->first.first == place.memory && before->second.last > place.first) held = before;
    }
    while (held != held_.end() && held->first.first == place.memory && held->first.second < place.last) {
      const auto lost = static_cast<std::size_t>(held->second.buffer);
      overwritten_[lost] = {step, values_[lost]};
      values_[lost] = -1;
      held = held_.erase(held);
    }
    values_[static_cast<std::size_t>(buffer)] = value;
    if (place.last > place.first) held_[{place.memory, place.first}] = {place.last, buffer};
  }

 private:
  struct Held {
    std::int64_t last = 0;
    int buffer = -1;
  };

  const Places& places_;
  std::vector<int> values_;
  std::vector<Overwritten> overwritten_;
  std::map<std::pair<int, std::int64_t>, Held> held_;  // by memory and first byte
};

class FlowChecker {
 public:
  FlowChecker(const Program& program, const CallRules& device, bool is_planned, Problems& problems)
      : program_(program),
        device_(device),
        problems_(problems),
        places_(program, is_planned),
        memory_(program, places_),
        is_computed_(program.buffers.size(), false),
        is_committed_(program.buffers.size(), false) {
    for (std::size_t k = 0; k < program.buffers.size(); ++k) {
      const Buffer::Kind kind = program.buffers[k].kind;
      const bool is_leaf =
          kind == Buffer::Kind::input || kind == Buffer::Kind::constant || kind == Buffer::Kind::variable;
      is_computed_[k] = is_leaf;
      if (is_leaf) memory_.write(static_cast<int>(k), static_cast<int>(k), -1);
    }
  }

  void check() {
    for (number_ = 0; number_ < program_.steps.size(); ++number_) check_step(program_.steps[number_]);
    check_end();
  }

 private:
  void add(ProgramRule rule, const std::string& words) {
    problems_.add(rule, name_of_step(program_, number_) + " " + words);
  }

  std::string named(const View& view) const {
    return "value " + std::to_string(view.value) + " in " + name_of_buffer(program_, view.buffer);
  }

  void check_step(const Step& step) {
    const std::vector<Access> accesses = accesses_of(step);
    check_commit(step);
    check_order(step, accesses);
    for (const Access& access : accesses) {
      if (access.writes) {
        write(step, *access.view);
      } else {
        read(step, *access.view);
      }
    }
  }

  void read(const Step& step, const View& view) {
    if (element_count(view.sizes) == 0) return;
    if (memory_.value_in(view.buffer) != view.value) {
      const Memory::Overwritten lost = memory_.overwritten(view.buffer);
      if (memory_.value_in(view.buffer) < 0 && lost.value != view.value) {
        return add(ProgramRule::defined, "reads " + named(view) + ", which nobody has written");
      }
      std::string words = "reads " + named(view) + ", which has been overwritten";
      if (lost.step >= 0) words += " by " + name_of_step(program_, static_cast<std::size_t>(lost.step));
      return add(ProgramRule::current, words);
    }
    if (!step.commits && is_committed_[static_cast<std::size_t>(view.value)]) {
      add(ProgramRule::commit, "reads " + named(view) + ", which a step computes that may be left out");
    }
  }

  void write(const Step& step, const View& view) {
    const auto value = static_cast<std::size_t>(view.value);
    if (step.kind != Step::Kind::copy) {
      if (is_computed_[value]) add(ProgramRule::single_writer, "computes " + named(view) + " again");
      is_computed_[value] = true;
      is_committed_[value] = step.commits;
    }
    memory_.write(view.buffer, view.value, static_cast<int>(number_));
  }

  void check_commit(const Step& step) {
    const bool is_gated = program_.all_finite >= 0;
    if (step.commits && !is_gated) add(ProgramRule::commit, "may be left out, but nothing decides that");
    if (has_committed_ && !step.commits) add(ProgramRule::commit, "comes after a step that commits");
    if (step.commits && !has_committed_) {
      has_committed_ = true;
      if (is_gated && memory_.value_in(program_.all_finite) < 0)
        add(ProgramRule::commit, "comes before the flag is known");
    }
    for (const View& view : step.outputs) {
      if (!view || program_.buffers[static_cast<std::size_t>(view.buffer)].kind != Buffer::Kind::variable) continue;
      if (is_gated && !step.commits) {
        add(ProgramRule::commit,
            "changes " + name_of_buffer(program_, view.buffer) + " although the flag may be false");
      }
    }
  }

  // No access of the step finds its memory overwritten by another one of the same step.
  void check_order(const Step& step, const std::vector<Access>& accesses) {
    for (const Access& write : accesses) {
      if (!write.writes) continue;
      const Place place = places_.of(write.view->buffer);
      for (const Access& other : accesses) {
        if (&other == &write || !place.overlaps(places_.of(other.view->buffer))) continue;
        if (other.writes
                ? is_written_before(step, accesses, other, write) || is_written_before(step, accesses, write, other)
                : is_read_before(step, other, write)) {
          continue;
        }
        add(ProgramRule::overwrite, "stores " + named(*write.view) + " over " + named(*other.view) +
                                        (other.writes ? ", which it stores too" : ", which it still reads"));
      }
    }
  }

  bool is_same_start(const View& a, const View& b) const {
    return places_.of(a.buffer).first == places_.of(b.buffer).first;
  }

  bool is_read_before(const Step& step, const Access& read, const Access& write) const {
    if (element_count(read.view->sizes) == 0) return true;
    if (write.argument < 0) {
      // The kernel reads the result of the call after the call has written it.
      if (read.argument >= 0) return read.view == write.view;
      return is_changed_in_place(step, *read.view, *write.view);
    }
    return read.argument >= 0 && is_same_start(*read.view, *write.view) &&
           may_overwrite(*step.kernel, static_cast<std::size_t>(read.argument),
                         static_cast<std::size_t>(write.argument));
  }

  // Whether `first` is the result of the call and `second` an output of its epilogue, stored over it element by
  // element.
  bool is_written_before(const Step& step, const std::vector<Access>& accesses, const Access& first,
                         const Access& second) const {
    if (first.argument >= 0 || second.argument < 0) return false;
    return std::any_of(accesses.begin(), accesses.end(), [&](const Access& read) {
      return !read.writes && read.argument >= 0 && read.view == first.view && is_read_before(step, read, second);
    });
  }

  bool is_changed_in_place(const Step& step, const View& before, const View& after) const {
    return step.kind == Step::Kind::call && step.kernel == nullptr && device_.changes_in_place &&
           device_.changes_in_place(*step.node) && &before == step.inputs.data() && &after == step.outputs.data() &&
           before.buffer == after.buffer && before.is_dense() && after.is_dense();
  }

  void check_end() {
    const auto holds = [&](int buffer, int value) { return memory_.value_in(buffer) == value; };
    std::map<VarId, int> updated;
    for (const NewValue& value : program_.new_values) updated[value.variable] = value.value;
    for (std::size_t k = 0; k < program_.buffers.size(); ++k) {
      const Buffer& buffer = program_.buffers[k];
      if (buffer.kind != Buffer::Kind::variable || buffer.count == 0) continue;
      const auto update = updated.find(buffer.variable);
      const int wanted = update == updated.end() ? static_cast<int>(k) : update->second;
      if (!program_.has_commits && update != updated.end()) continue;
      if (!holds(static_cast<int>(k), wanted)) {
        problems_.add(ProgramRule::final_values, "at the end " + name_of_buffer(program_, static_cast<int>(k)) +
                                                     " does not hold value " + std::to_string(wanted));
      }
    }
    for (const View& view : program_.results) {
      if (!view || element_count(view.sizes) == 0) continue;
      if (!holds(view.buffer, view.value)) {
        problems_.add(ProgramRule::final_values, "at the end a result does not find " + named(view));
      } else if (is_committed_[static_cast<std::size_t>(view.value)]) {
        problems_.add(ProgramRule::commit,
                      "a result is " + named(view) + ", which a step computes that may be left out");
      }
    }
  }

  const Program& program_;
  const CallRules& device_;
  Problems& problems_;
  Places places_;
  Memory memory_;
  std::vector<bool> is_computed_;   // by value
  std::vector<bool> is_committed_;  // by value: by a step that may be left out
  bool has_committed_ = false;
  std::size_t number_ = 0;  // of the step at work
};

}  // namespace

void check_flow(const Program& program, const CallRules& device, bool is_planned, Problems& problems) {
  FlowChecker(program, device, is_planned, problems).check();
}

}  // namespace asg::verify
