#include <array>
#include <cstdio>

#include "asg/compile/profile.h"

namespace asg {
namespace {

constexpr int kProcess = 1;
constexpr int kRuns = 1;  // tracks
constexpr int kSteps = 2;

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    if (static_cast<unsigned char>(letter) >= ' ') result += letter;
  }
  return result + '"';
}

// Microseconds with three digits behind the point.
std::string microseconds(std::int64_t nanoseconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%lld.%03lld", static_cast<long long>(nanoseconds / 1000),
                static_cast<long long>(nanoseconds % 1000));
  return text.data();
}

std::string rate(double amount, std::int64_t nanoseconds) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f", nanoseconds == 0 ? 0 : amount / static_cast<double>(nanoseconds));
  return text.data();
}

std::string event_start(char phase, int track) {
  return std::string("{\"ph\":\"") + phase + "\",\"pid\":" + std::to_string(kProcess) +
         ",\"tid\":" + std::to_string(track);
}

class TraceWriter {
 public:
  explicit TraceWriter(const Profile& profile) : profile_(profile) {}

  std::string write() {
    const Program& program = profile_.explanation.program;
    name("process_name", kRuns, "asg " + program.graph.name());
    name("thread_name", kRuns, "runs");
    name("thread_name", kSteps, "steps");
    for (const Step& step : program.steps) describe(step);
    for (const TimedEvent& run : profile_.run_events) {
      slice(kRuns, run, "run " + std::to_string(run.number + 1), "run", "{}");
    }
    const std::vector<std::int64_t> alive = profile_.explanation.alive_by_step();
    for (const TimedEvent& event : profile_.step_events) {
      const auto step = static_cast<std::size_t>(event.number);
      slice(kSteps, event, titles_[step], name_of(kind_of(program.steps[step])), arguments(event));
      counter(event.start, alive[step]);
    }
    for (const TimedEvent& run : profile_.run_events) counter(run.start + run.duration, 0);
    return "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n" + events_ + "\n]}\n";
  }

 private:
  void describe(const Step& step) {
    const Program& program = profile_.explanation.program;
    titles_.push_back(title_of(program, step));
    costs_.push_back(cost_of(program, step));
    std::string nodes;
    for (const NodeId id : step.nodes) nodes += (nodes.empty() ? "" : ", ") + program.graph.node(id).path();
    nodes_.push_back(std::move(nodes));
  }

  void add(const std::string& event) { events_ += (events_.empty() ? "" : ",\n") + event; }

  void name(const char* what, int track, const std::string& text) {
    add(event_start('M', track) + ",\"name\":\"" + what + "\",\"args\":{\"name\":" + quoted(text) + "}}");
  }

  void slice(int track, const TimedEvent& event, std::string_view title, std::string_view category,
             const std::string& arguments) {
    add(event_start('X', track) + ",\"ts\":" + microseconds(event.start) + ",\"dur\":" + microseconds(event.duration) +
        ",\"name\":" + quoted(title) + ",\"cat\":" + quoted(category) + ",\"args\":" + arguments + "}");
  }

  std::string arguments(const TimedEvent& event) const {
    const auto step = static_cast<std::size_t>(event.number);
    const StepCost& cost = costs_[step];
    return "{\"step\":" + std::to_string(event.number) + ",\"nodes\":" + quoted(nodes_[step]) +
           ",\"way\":" + quoted(profile_.explanation.ways.empty() ? "" : profile_.explanation.ways[step]) +
           ",\"MFLOP\":" + rate(cost.flops, 1'000'000) + ",\"bytes\":" + std::to_string(cost.bytes()) +
           ",\"GFLOP/s\":" + rate(cost.flops, event.duration) +
           ",\"GB/s\":" + rate(static_cast<double>(cost.bytes()), event.duration) + "}";
  }

  void counter(std::int64_t moment, std::int64_t bytes) {
    add(event_start('C', kSteps) + ",\"ts\":" + microseconds(moment) +
        ",\"name\":\"arena bytes alive\",\"args\":{\"bytes\":" + std::to_string(bytes) + "}}");
  }

  const Profile& profile_;
  std::vector<std::string> titles_;
  std::vector<std::string> nodes_;
  std::vector<StepCost> costs_;
  std::string events_;
};

}  // namespace

std::string to_trace_json(const Profile& profile) { return TraceWriter(profile).write(); }

}  // namespace asg
