#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "asg/compile/explain.h"

namespace asg {
namespace {

constexpr double kWidth = 1240;
constexpr double kLeft = 96;
constexpr double kRight = 1210;
constexpr double kTop = 118;
constexpr double kBottom = 598;
constexpr double kBandHeight = 18;  // of the phases above the plot
constexpr double kLegendTop = 672;
constexpr double kLegendColumn = 222;
constexpr double kLegendRow = 24;
constexpr int kLegendColumns = 5;

const char* colour_of(StepKind kind) {
  static constexpr std::array<const char*, std::size(kAllStepKinds)> kColours = {
      "#4c78a8", "#5fb0a8", "#7fb069", "#b8c0cc", "#f2a03d", "#e0655f", "#b07aa1", "#d65f9e", "#8c6d5a", "#7d8590"};
  return kColours[static_cast<std::size_t>(kind)];
}

// Words on a light colour are dark.
bool is_light(StepKind kind) {
  return kind == StepKind::rows || kind == StepKind::sums || kind == StepKind::rearranging || kind == StepKind::product;
}

const char* colour_of(Role role) {
  switch (role) {
    case Role::gradient:
      return "#f3e3d3";
    case Role::update:
      return "#e6dcef";
    default:
      return "#dbe7f3";
  }
}

const char* words_of(Role role) {
  switch (role) {
    case Role::gradient:
      return "gradient";
    case Role::update:
      return "update";
    default:
      return "forward";
  }
}

// At most one digit behind the point, never in the words of a locale.
std::string number(double value) {
  const auto tenths = static_cast<std::int64_t>(value * 10 + (value < 0 ? -0.5 : 0.5));
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) text += '.' + std::to_string(std::abs(tenths % 10));
  return text;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '<') {
      result += "&lt;";
    } else if (letter == '&') {
      result += "&amp;";
    } else {
      result += letter;
    }
  }
  return result;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // not inside a letter
  return text.substr(0, end) + "…";
}

// The smallest of 1, 2, 5, 10, 20 … (times `unit`) that needs at most `most` marks.
std::int64_t nice_step(std::int64_t range, int most) {
  std::int64_t step = 1;
  constexpr std::array<int, 3> kFactors = {2, 5, 10};
  for (std::int64_t decade = 1; range / step > most; decade *= 10) {
    for (const int factor : kFactors) {
      step = decade * factor;
      if (range / step <= most) break;
    }
  }
  return step;
}

// The same for bytes: powers of two.
std::int64_t nice_bytes(std::int64_t range, int most) {
  std::int64_t step = kBufferAlignment;
  while (range / step > most) step *= 2;
  return step;
}

class Picture {
 public:
  explicit Picture(const Explanation& explanation)
      : explanation_(explanation),
        program_(explanation.program),
        columns_(static_cast<double>(std::max<std::size_t>(1, program_.steps.size()))),
        bytes_(static_cast<double>(std::max<std::int64_t>(1, explanation.plan.arena_bytes))) {}

  std::string draw() {
    heading();
    phases();
    grid();
    for (const Lifetime& life : explanation_.plan.lifetimes) buffer(life);
    alive_line();
    body_ += labels_;
    bounds();
    legend();
    const int legend_rows = (entries_ - 1) / kLegendColumns + 1;
    const double height = kLegendTop + kLegendRow * legend_rows + 8;
    return head(height) + body_ + "</svg>\n";
  }

 private:
  static std::string head(double height) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
           "\" width=\"" + number(kWidth) + "\" height=\"" + number(height) +
           "\" font-family=\"Inter, Segoe UI, Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#1f2933\">\n"
           "<style>.b{stroke:#fff;stroke-width:.6}.b:hover,.t:hover{stroke:#111;stroke-width:2}.l{fill:#fff}.d{fill:#"
           "26303a}.l,."
           "d{font-size:11px;"
           "pointer-events:none}.m{fill:#5b6773}</style>\n"
           "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  }

  double x_of(double step) const { return kLeft + (kRight - kLeft) * step / columns_; }
  double y_of(std::int64_t offset) const { return kBottom - (kBottom - kTop) * static_cast<double>(offset) / bytes_; }

  void text(double x, double y, const std::string& words, const std::string& more = "") {
    body_ += text_element(x, y, words, more);
  }

  static std::string text_element(double x, double y, const std::string& words, const std::string& more) {
    return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\"" + more + ">" + escaped(words) + "</text>\n";
  }

  void line(double x1, double y1, double x2, double y2, const std::string& more) {
    body_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" + number(y2) +
             "\" " + more + "/>\n";
  }

  void rectangle(double x, double y, double width, double height, const std::string& more,
                 const std::string& content = "") {
    body_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\"" +
             number(height) + "\" " + more + (content.empty() ? "/>\n" : ">" + content + "</rect>\n");
  }

  void heading() {
    const MemoryPlan& plan = explanation_.plan;
    text(kLeft, 36, "Memory of " + program_.graph.name(), " font-size=\"20\" font-weight=\"600\"");
    text(kLeft, 60,
         "arena " + bytes_text(plan.arena_bytes) + "  ·  at most " + bytes_text(plan.live_bytes) +
             " alive at once  ·  waste " + number(explanation_.waste() * 100) + " %  ·  variables " +
             bytes_text(explanation_.variable_bytes()) + "  ·  " + std::to_string(program_.steps.size()) +
             " steps  ·  " + std::to_string(plan.lifetimes.size()) + " buffers",
         " class=\"m\" font-size=\"13\"");
  }

  // A band above the plot: which steps are forward, gradient and update.
  void phases() {
    std::size_t first = 0;
    const std::size_t count = program_.steps.size();
    for (std::size_t step = 1; step <= count; ++step) {
      const Role role = phase_of(first);
      if (step < count && phase_of(step) == role) continue;
      const double x = x_of(static_cast<double>(first));
      const double width = x_of(static_cast<double>(step)) - x;
      rectangle(x, kTop - kBandHeight - 6, width, kBandHeight, std::string("fill=\"") + colour_of(role) + "\"");
      constexpr double kRoomForWords = 58;
      if (width > kRoomForWords) {
        text(x + width / 2, kTop - 11, words_of(role), " text-anchor=\"middle\" font-size=\"11\" class=\"m\"");
      }
      first = step;
    }
  }

  Role phase_of(std::size_t step) const {
    const Role role = role_of(program_, program_.steps[step]);
    // Whether all is finite is found out along with the gradients.
    const bool checks = role == Role::update && program_.all_finite >= 0 && !program_.steps[step].commits;
    if (checks) return Role::gradient;
    return role == Role::loss ? Role::forward : role;
  }

  void grid() {
    rectangle(kLeft, kTop, kRight - kLeft, kBottom - kTop, "fill=\"#f7f9fb\"");
    const std::int64_t bytes = nice_bytes(explanation_.plan.arena_bytes, 8);
    for (std::int64_t mark = 0; mark <= explanation_.plan.arena_bytes; mark += bytes) {
      line(kLeft, y_of(mark), kRight, y_of(mark), "stroke=\"#dfe5ea\"");
      text(kLeft - 8, y_of(mark) + 4, bytes_text(mark), " text-anchor=\"end\" class=\"m\"");
    }
    const auto count = static_cast<std::int64_t>(program_.steps.size());
    const std::int64_t step = nice_step(count, 16);
    for (std::int64_t mark = 0; mark < count; mark += step) {
      const double x = x_of(static_cast<double>(mark) + 0.5);
      line(x, kBottom, x, kBottom + 5, "stroke=\"#9aa5b1\"");
      text(x, kBottom + 19, std::to_string(mark), " text-anchor=\"middle\" class=\"m\"");
    }
    text((kLeft + kRight) / 2, kBottom + 40, "step", " text-anchor=\"middle\" class=\"m\"");
    text(26, (kTop + kBottom) / 2, "place in the arena",
         " text-anchor=\"middle\" class=\"m\" transform=\"rotate(-90 26 " + number((kTop + kBottom) / 2) + ")\"");
  }

  void buffer(const Lifetime& life) {
    const auto last_step = static_cast<int>(program_.steps.size()) - 1;
    const Step& maker = program_.steps[static_cast<std::size_t>(life.first)];
    const StepKind kind = kind_of(maker);
    bytes_by_kind_[kind] += life.bytes;
    ++count_by_kind_[kind];
    const std::int64_t offset = program_.buffers[static_cast<std::size_t>(life.buffer)].offset;
    const double x = x_of(life.first);
    const double width = x_of(std::min(life.last, last_step) + 1) - x;
    const double y = y_of(offset + life.bytes);
    const double height = std::max(0.6, y_of(offset) - y);
    const std::string title = title_of(program_, maker);
    std::string tip = "buffer " + std::to_string(life.buffer) + ": " + bytes_text(life.bytes) + " at " +
                      bytes_text(offset) + "\nmade by step " + std::to_string(life.first) + ": " + title;
    if (!maker.nodes.empty()) tip += "\n" + program_.graph.node(maker.nodes.back()).path();
    tip += life.last > last_step ? "\nis a result" : "\nlast read by step " + std::to_string(life.last);
    constexpr double kThin = 2.5;  // an outline would leave nothing of it
    const std::string look = height < kThin ? "t" : "b";
    rectangle(x, y, width, height, "class=\"" + look + "\" fill=\"" + colour_of(kind) + "\"",
              "<title>" + escaped(tip) + "</title>");
    constexpr double kLetter = 6.4;
    constexpr double kLineHeight = 15;
    const auto room = static_cast<std::size_t>(std::max(0.0, (width - 10) / kLetter));
    if (height >= kLineHeight && room >= 5) {
      labels_ += text_element(x + 5, y + std::min(height / 2 + 4, 16.0), shortened(title, room),
                              is_light(kind) ? " class=\"d\"" : " class=\"l\"");
    }
  }

  // How many bytes are alive in each step.
  void alive_line() {
    const std::vector<std::int64_t> alive = explanation_.alive_by_step();
    std::string points;
    const auto add = [&](std::size_t step, const std::string& y) {
      points += number(x_of(static_cast<double>(step)));
      points += ',';
      points += y;
      points += ' ';
    };
    for (std::size_t step = 0; step < alive.size(); ++step) {
      const std::string y = number(y_of(alive[step]));
      add(step, y);
      add(step + 1, y);
    }
    body_ += "<polyline points=\"" + points +
             "\" fill=\"none\" stroke=\"#111827\" stroke-width=\"1.3\" stroke-opacity=\".6\" "
             "pointer-events=\"none\"/>\n";
  }

  void bounds() {
    const double y = y_of(explanation_.plan.live_bytes);
    line(kLeft, y, kRight, y, "stroke=\"#c81e1e\" stroke-width=\"1.3\" stroke-dasharray=\"6 4\"");
    line(kLeft, kBottom, kRight, kBottom, "stroke=\"#9aa5b1\"");
    line(kLeft, kTop, kLeft, kBottom, "stroke=\"#9aa5b1\"");
  }

  void legend() {
    for (const auto& [kind, bytes] : bytes_by_kind_) {
      const auto [x, y] = next_entry();
      rectangle(x, y - 10, 12, 12, std::string("rx=\"2\" fill=\"") + colour_of(kind) + "\"");
      text(x + 19, y,
           std::string(name_of(kind)) + ": " + std::to_string(count_by_kind_[kind]) + ", " + bytes_text(bytes));
    }
    const auto [alive_x, alive_y] = next_entry();
    line(alive_x - 3, alive_y - 4, alive_x + 13, alive_y - 4, "stroke=\"#111827\" stroke-width=\"1.3\"");
    text(alive_x + 19, alive_y, "alive in each step");
    const auto [bound_x, bound_y] = next_entry();
    line(bound_x - 3, bound_y - 4, bound_x + 13, bound_y - 4,
         "stroke=\"#c81e1e\" stroke-width=\"1.3\" stroke-dasharray=\"6 4\"");
    text(bound_x + 19, bound_y, "lower bound: most alive at once");
  }

  std::pair<double, double> next_entry() {
    const int column = entries_ % kLegendColumns;
    const int row = entries_ / kLegendColumns;
    ++entries_;
    return {kLeft + column * kLegendColumn, kLegendTop + row * kLegendRow};
  }

  const Explanation& explanation_;
  const Program& program_;
  double columns_;
  double bytes_;
  std::string body_;
  std::string labels_;  // of buffers, above all of them
  std::map<StepKind, std::int64_t> bytes_by_kind_;
  std::map<StepKind, int> count_by_kind_;
  int entries_ = 0;
};

}  // namespace

std::string lifetimes_svg(const Explanation& explanation) { return Picture(explanation).draw(); }

}  // namespace asg
