#include "train/log/progress_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace asg::train {
namespace {

template <class... Values>
std::string printed(const char* format, Values... values) {
  char text[96];
  std::snprintf(text, sizeof(text), format, values...);
  return text;
}

int percent_of(const ProgressState& state) {
  return static_cast<int>(100.0 * static_cast<double>(std::min(state.step, state.total)) /
                          static_cast<double>(state.total));
}

// Singular: "2.3 s/step".
std::string one_of(const std::string& unit) { return unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit; }

std::string rate_text(const ProgressState& state) {
  if (!(state.rate > 0)) return "";
  if (state.rate < 1) return printed("%.2f s/", 1 / state.rate) + one_of(state.unit);
  return printed(state.rate < 100 ? "%.1f " : "%.0f ", state.rate) + state.unit + "/s";
}

std::string time_text(const ProgressState& state) {
  if (state.total > 0 && state.step >= state.total) return "in " + clock_text(state.elapsed);
  if (state.total == 0) return clock_text(state.elapsed);
  if (!(state.rate > 0)) return "";
  return "ETA " + clock_text(static_cast<double>(state.total - state.step) / state.rate);
}

std::string count_text(const ProgressState& state) {
  if (state.total == 0) return one_of(state.unit) + " " + std::to_string(state.step);
  return std::to_string(state.step) + "/" + std::to_string(state.total);
}

struct Piece {
  std::string text;
  int rank = 0;  // the smallest are kept longest
  bool shown = false;
};

// In the order in which they stand.
std::vector<Piece> pieces_of(const ProgressState& state) {
  std::vector<Piece> pieces = {{count_text(state), 2}, {rate_text(state), 4}, {time_text(state), 3}};
  int rank = 1;
  for (const auto& [tag, value] : state.scalars) {
    const std::string name = tag.starts_with("train/") ? tag.substr(6) : tag;
    pieces.push_back({name + " " + value_text(value), rank});
    rank = std::max(rank + 1, 5);
  }
  pieces.push_back({state.note, 0});
  std::erase_if(pieces, [](const Piece& piece) { return piece.text.empty(); });
  return pieces;
}

constexpr std::size_t kGap = 2;

std::string joined(const std::vector<Piece>& pieces) {
  std::string line;
  for (const Piece& piece : pieces) {
    if (piece.shown) line.append(kGap, ' ').append(piece.text);
  }
  return line;
}

std::string cut_to(const std::string& text, std::size_t columns) {
  std::string result;
  std::size_t used = 0;
  for (const char each : text) {
    if ((each & 0xC0) != 0x80 && ++used > columns) break;
    result += each;
  }
  return result;
}

std::string bar_text(const ProgressState& state, std::size_t cells, bool colour) {
  const auto full =
      static_cast<std::size_t>(static_cast<double>(cells) * static_cast<double>(std::min(state.step, state.total)) /
                               static_cast<double>(state.total));
  std::string bar = colour ? "\x1b[36m" : "";
  for (std::size_t cell = 0; cell < full; ++cell) bar += "━";
  if (colour) bar += "\x1b[0m\x1b[2m";
  for (std::size_t cell = full; cell < cells; ++cell) bar += colour ? "━" : "─";
  if (colour) bar += "\x1b[0m";
  return bar;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char each) { return (each & 0xC0) != 0x80; }));
}

std::string clock_text(double seconds) {
  constexpr double kMost = 1e9;
  const auto whole = static_cast<long long>(std::llround(std::clamp(seconds, 0.0, kMost)));
  const long long hours = whole / 3600;
  if (hours >= 48) return printed("%lldd %02lldh", hours / 24, hours % 24);
  if (hours > 0) return printed("%lld:%02lld:%02lld", hours, whole / 60 % 60, whole % 60);
  return printed("%lld:%02lld", whole / 60, whole % 60);
}

std::string value_text(double value) {
  const double size = std::abs(value);
  if (value == 0 || (size >= 0.01 && size < 1e5)) return printed(size >= 1000 ? "%.1f" : "%.4f", value);
  return printed("%.1e", value);
}

std::string plain_line(const ProgressState& state) {
  std::vector<Piece> pieces = pieces_of(state);
  for (Piece& piece : pieces) piece.shown = true;
  return (state.total > 0 ? printed("%4d%%", percent_of(state)) : "  ") + joined(pieces);
}

std::string live_line(const ProgressState& state, int columns, bool colour) {
  constexpr std::size_t kLeastBar = 10, kMostBar = 30;
  const auto room = static_cast<std::size_t>(std::max(columns, 1));
  const std::string percent = state.total > 0 ? printed("%3d%%", percent_of(state)) : "";
  std::vector<Piece> pieces = pieces_of(state);
  std::vector<Piece*> by_rank;
  for (Piece& piece : pieces) by_rank.push_back(&piece);
  // Of equal ranks the first: pointers into one vector are in its order.
  std::sort(by_rank.begin(), by_rank.end(),
            [](const Piece* a, const Piece* b) { return a->rank != b->rank ? a->rank < b->rank : a < b; });
  const std::size_t reserved = percent.empty() ? 0 : kLeastBar + 1;
  std::size_t used = percent.size();
  for (Piece* piece : by_rank) {
    const std::size_t width = kGap + columns_of(piece->text);
    if (used + width + reserved > room) continue;
    piece->shown = true;
    used += width;
  }
  std::string line = colour && !percent.empty() ? "\x1b[1m" + percent + "\x1b[0m" : percent;
  if (!percent.empty() && room > used + kLeastBar) {
    line += ' ';
    line += bar_text(state, std::min(kMostBar, room - used - 1), colour);
  }
  line += joined(pieces);
  return room < percent.size() ? cut_to(percent, room) : line;
}

}  // namespace asg::train
