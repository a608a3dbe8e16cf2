#include "profile_report.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/core.h>

#include "asg/core/platform.h"
#include "console.h"

namespace asg::app {
namespace {

constexpr std::size_t kMostRows = 20;  // of a table
constexpr std::size_t kNodeColumn = 52;

struct Row {
  std::string name;
  double seconds = 0;  // of all runs
  double flops = 0;
  double bytes = 0;
  std::string more = {};  // behind the figures
};

bool is_inside_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

// Of a path the last letters tell more than the first ones.
std::string fitted(const std::string& text, bool is_path) {
  if (text.size() <= kNodeColumn) return text;
  std::size_t cut = is_path ? text.size() - kNodeColumn + 1 : kNodeColumn - 1;
  while (cut < text.size() && is_inside_letter(text[cut])) ++cut;
  return is_path ? "…" + text.substr(cut) : text.substr(0, cut) + "…";
}

class Tables {
 public:
  Tables(const Profile& profile, std::FILE* out)
      : profile_(profile), out_(out), total_(std::max(1e-12, static_cast<double>(profile.total()) * 1e-9)) {}

  void print() {
    const double runs = static_cast<double>(std::max<std::int64_t>(1, profile_.runs));
    fmt::print(out_, "{}: {} runs, {:.3f} ms each in {} steps\n", painted("profile", Paint::bold, file()),
               profile_.runs, total_ / runs * 1e3, profile_.explanation.program.steps.size());
    by_kind();
    by_step();
    table("by node (a fused kernel's time divided by FLOPs)", rows_of(time_by_node(profile_), false), true);
    table("by layer", rows_of(time_by_layer(profile_), true), true);
  }

 private:
  int file() const { return out_ == stderr ? 2 : 1; }

  void table(const std::string& title, std::vector<Row> rows, bool of_paths) {
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.seconds > b.seconds; });
    fmt::print(out_, "\n{:<{}} {:>10} {:>7} {:>9} {:>8}\n", painted(title, Paint::bold, file()),
               kNodeColumn + 2 + painted("", Paint::bold, file()).size(), "ms/run", "share", "GFLOP/s", "GB/s");
    const double runs = static_cast<double>(std::max<std::int64_t>(1, profile_.runs));
    const std::size_t shown = std::min(rows.size(), kMostRows);
    for (std::size_t k = 0; k < shown; ++k) {
      const Row& row = rows[k];
      const double seconds = std::max(row.seconds, 1e-12);
      fmt::print(out_, "  {:<{}} {:>10.4f} {:>6.1f}% {:>9.2f} {:>8.2f}{}\n", fitted(row.name, of_paths), kNodeColumn,
                 row.seconds / runs * 1e3, row.seconds / total_ * 100, row.flops / seconds * 1e-9,
                 row.bytes / seconds * 1e-9, row.more.empty() ? "" : "  " + row.more);
    }
    if (shown == rows.size()) return;
    const double rest = std::accumulate(rows.begin() + static_cast<std::ptrdiff_t>(shown), rows.end(), 0.0,
                                        [](double sum, const Row& row) { return sum + row.seconds; });
    fmt::print(out_, "  {:<{}} {:>10.4f} {:>6.1f}%\n", fmt::format("({} more)", rows.size() - shown), kNodeColumn,
               rest / runs * 1e3, rest / total_ * 100);
  }

  Row row_of(std::size_t number) const {
    const Program& program = profile_.explanation.program;
    const StepTiming& timing = profile_.steps[number];
    const StepCost cost = cost_of(program, program.steps[number]);
    const auto runs = static_cast<double>(timing.runs);
    return {fmt::format("{:>3}  {}", number, title_of(program, program.steps[number])),
            static_cast<double>(timing.total) * 1e-9, cost.flops * runs, static_cast<double>(cost.bytes()) * runs};
  }

  void by_kind() {
    const Program& program = profile_.explanation.program;
    std::map<StepKind, Row> kinds;
    std::map<StepKind, int> counts;
    for (std::size_t number = 0; number < program.steps.size(); ++number) {
      const Row row = row_of(number);
      const StepKind kind = kind_of(program.steps[number]);
      Row& sum = kinds[kind];
      sum.seconds += row.seconds;
      sum.flops += row.flops;
      sum.bytes += row.bytes;
      ++counts[kind];
    }
    std::vector<Row> rows;
    for (auto& [kind, row] : kinds) {
      row.name = fmt::format("{} ({} steps)", name_of(kind), counts[kind]);
      rows.push_back(std::move(row));
    }
    table("by kind of step", std::move(rows), false);
  }

  void by_step() {
    std::vector<Row> rows;
    for (std::size_t number = 0; number < profile_.steps.size(); ++number) {
      rows.push_back(row_of(number));
      rows.back().more = fmt::format("least {:.4f} ms, {}", static_cast<double>(profile_.steps[number].least) * 1e-6,
                                     profile_.explanation.ways[number]);
    }
    table("by step", std::move(rows), false);
  }

  std::vector<Row> rows_of(const std::vector<TimeShare>& shares, bool with_roles) const {
    const double runs = static_cast<double>(std::max<std::int64_t>(1, profile_.runs));
    std::vector<Row> rows;
    for (const TimeShare& share : shares) {
      rows.push_back({share.name, share.seconds, share.flops, share.bytes});
      if (with_roles && share.gradient + share.update > 0) {
        rows.back().more = fmt::format("forward {:.4f}, gradient {:.4f}, update {:.4f}", share.forward / runs * 1e3,
                                       share.gradient / runs * 1e3, share.update / runs * 1e3);
      }
    }
    return rows;
  }

  const Profile& profile_;
  std::FILE* out_;
  double total_;
};

}  // namespace

void print_profile(const Profile& profile, std::FILE* out) { Tables(profile, out).print(); }

void write_trace(const Profile& profile, const std::string& file, std::FILE* out) {
  if (file.empty()) return;
  platform::write_file_atomically(file, to_trace_json(profile));
  fmt::print(out, "\ntrace written to {}; open it in ui.perfetto.dev\n", file);
}

}  // namespace asg::app
