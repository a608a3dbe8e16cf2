#include "compile/schedule.h"

#include <algorithm>
#include <set>
#include <utility>

#include "compile/accesses.h"

namespace asg {
namespace {

// What the steps read and write that is computed, each buffer named once.
struct Uses {
  std::vector<std::vector<int>> reads;    // by step
  std::vector<std::vector<int>> writes;   // by step
  std::vector<std::vector<int>> readers;  // by buffer: steps
  std::vector<bool> is_result;            // by buffer
};

Uses uses_of(const Program& program) {
  Uses uses;
  uses.readers.resize(program.buffers.size());
  uses.is_result.assign(program.buffers.size(), false);
  const auto name_once = [](std::vector<int>& buffers) {
    std::sort(buffers.begin(), buffers.end());
    buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  };
  for (std::size_t step = 0; step < program.steps.size(); ++step) {
    std::vector<int> reads;
    std::vector<int> writes;
    for_each_view(program.steps[step], [&](const View& view, bool is_written) {
      const Buffer::Kind kind = program.buffers[static_cast<std::size_t>(view.buffer)].kind;
      if (kind != Buffer::Kind::temporary && kind != Buffer::Kind::output) return;
      (is_written ? writes : reads).push_back(view.buffer);
    });
    name_once(reads);
    name_once(writes);
    for (const int buffer : reads) {
      uses.readers[static_cast<std::size_t>(buffer)].push_back(static_cast<int>(step));
    }
    uses.reads.push_back(std::move(reads));
    uses.writes.push_back(std::move(writes));
  }
  for (const View& view : program.results) uses.is_result[static_cast<std::size_t>(view.buffer)] = true;
  return uses;
}

// Keeps account of what is alive while steps are run one after the other.
class Account {
 public:
  Account(const Program& program, const Uses& uses) : program_(program), uses_(uses) {
    for (std::size_t buffer = 0; buffer < program.buffers.size(); ++buffer) {
      unread_.push_back(static_cast<int>(uses.readers[buffer].size()) + (uses.is_result[buffer] ? 1 : 0));
    }
  }

  std::int64_t peak() const { return peak_; }
  int unread(int buffer) const { return unread_[static_cast<std::size_t>(buffer)]; }

  // What is alive after the step, relative to before it.
  std::int64_t change(int step) const {
    std::int64_t bytes = 0;
    for (const int buffer : written_by(step)) bytes += unread(buffer) > 0 ? bytes_of_buffer(buffer) : 0;
    for (const int buffer : read_by(step)) bytes -= unread(buffer) == 1 ? bytes_of_buffer(buffer) : 0;
    return bytes;
  }

  void run(int step) {
    for (const int buffer : written_by(step)) alive_ += bytes_of_buffer(buffer);
    peak_ = std::max(peak_, alive_);
    for (const int buffer : written_by(step)) alive_ -= unread(buffer) == 0 ? bytes_of_buffer(buffer) : 0;
    for (const int buffer : read_by(step)) {
      if (--unread_[static_cast<std::size_t>(buffer)] == 0) alive_ -= bytes_of_buffer(buffer);
    }
  }

 private:
  const std::vector<int>& read_by(int step) const { return uses_.reads[static_cast<std::size_t>(step)]; }
  const std::vector<int>& written_by(int step) const { return uses_.writes[static_cast<std::size_t>(step)]; }
  // In the arena; outputs lie elsewhere.
  std::int64_t bytes_of_buffer(int number) const {
    const Buffer& buffer = program_.buffers[static_cast<std::size_t>(number)];
    return buffer.kind == Buffer::Kind::temporary ? buffer.bytes() : 0;
  }

  const Program& program_;
  const Uses& uses_;
  std::vector<int> unread_;  // by buffer: how many still want it
  std::int64_t alive_ = 0;
  std::int64_t peak_ = 0;
};

class Scheduler {
 public:
  Scheduler(const Program& program, const Uses& uses)
      : program_(program), uses_(uses), account_(program, uses), waits_(program.steps.size(), 0) {
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
      for (const int buffer : uses.writes[step]) {
        for (const int reader : uses.readers[static_cast<std::size_t>(buffer)])
          ++waits_[static_cast<std::size_t>(reader)];
      }
    }
  }

  std::vector<int> order() {
    std::vector<int> order;
    for (const bool commits : {false, true}) {
      for (std::size_t step = 0; step < waits_.size(); ++step) {
        if (waits_[step] == 0 && program_.steps[step].commits == commits) add_ready(static_cast<int>(step));
      }
      while (!ready_.empty()) {
        const int step = ready_.begin()->second;
        ready_.erase(ready_.begin());
        order.push_back(step);
        waits_[static_cast<std::size_t>(step)] = -1;
        run(step, commits);
      }
    }
    return order;
  }

  std::int64_t peak() const { return account_.peak(); }

 private:
  void add_ready(int step) {
    cost_.resize(program_.steps.size());
    cost_[static_cast<std::size_t>(step)] = account_.change(step);
    ready_.insert({cost_[static_cast<std::size_t>(step)], step});
  }

  void run(int step, bool commits) {
    account_.run(step);
    for (const int buffer : uses_.writes[static_cast<std::size_t>(step)]) {
      for (const int reader : uses_.readers[static_cast<std::size_t>(buffer)]) {
        const auto at = static_cast<std::size_t>(reader);
        if (--waits_[at] == 0 && program_.steps[at].commits == commits) add_ready(reader);
      }
    }
    // Whoever is now the last to read something would free it.
    for (const int buffer : uses_.reads[static_cast<std::size_t>(step)]) {
      if (account_.unread(buffer) != 1) continue;
      for (const int reader : uses_.readers[static_cast<std::size_t>(buffer)]) update(reader);
    }
  }

  void update(int step) {
    const auto at = static_cast<std::size_t>(step);
    if (at >= cost_.size() || ready_.erase({cost_[at], step}) == 0) return;
    add_ready(step);
  }

  const Program& program_;
  const Uses& uses_;
  Account account_;
  std::vector<int> waits_;  // by step: operands that are not there yet; -1: it has run
  std::vector<std::int64_t> cost_;
  std::set<std::pair<std::int64_t, int>> ready_;
};

}  // namespace

void schedule(Program& program) {
  // Updates that always commit stand among the other steps, and change in place only after the last reader.
  const bool has_updates = !program.graph.updates().empty();
  if (has_updates && program.all_finite < 0) return;
  const Uses uses = uses_of(program);
  Account given(program, uses);
  for (std::size_t step = 0; step < program.steps.size(); ++step) given.run(static_cast<int>(step));
  Scheduler scheduler(program, uses);
  const std::vector<int> order = scheduler.order();
  if (scheduler.peak() >= given.peak()) return;
  std::vector<Step> steps;
  steps.reserve(program.steps.size());
  for (const int step : order) steps.push_back(std::move(program.steps[static_cast<std::size_t>(step)]));
  program.steps = std::move(steps);
}

}  // namespace asg
