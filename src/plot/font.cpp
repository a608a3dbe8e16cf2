#include "plot/font.h"

#include <cstdlib>
#include <unordered_map>

#include "asg/core/error.h"

extern "C" const unsigned char asg_plot_font_begin[];
extern "C" const unsigned char asg_plot_font_end[];

namespace asg::plot {
namespace {

constexpr char32_t kUnknown = 0xFFFD;

// Reads data/plot-font.txt: three lines of preface, then "code advance outline" on each line.
class FontReader {
 public:
  std::unordered_map<char32_t, Glyph> read() {
    while (*at_ == '#') skip_line();
    units_ = number();
    skip_line();
    std::unordered_map<char32_t, Glyph> glyphs;
    while (*at_ != '\0') {
      char* after = nullptr;
      const auto code = static_cast<char32_t>(std::strtoul(at_, &after, 16));
      at_ = after;
      Glyph& glyph = glyphs[code];
      glyph.advance = number() / units_;
      read_outline(glyph);
      skip_line();
    }
    internal_check(glyphs.count(kUnknown) == 1, "the embedded font is complete");
    return glyphs;
  }

 private:
  void skip_line() {
    while (*at_ != '\n' && *at_ != '\0') ++at_;
    if (*at_ == '\n') ++at_;
  }

  double number() {
    char* after = nullptr;
    const long value = std::strtol(at_, &after, 10);
    at_ = after;
    return static_cast<double>(value);
  }

  Point point() {
    const double x = number() / units_;
    const double y = number() / units_;
    return {x, y};
  }

  void read_outline(Glyph& glyph) {
    while (*at_ == ' ') ++at_;
    for (; *at_ != '\n' && *at_ != '\0';) {
      const char kind = *at_++;
      if (kind == 'M') glyph.contours.emplace_back();
      internal_check(!glyph.contours.empty(), "an outline of the embedded font begins with M");
      auto& contour = glyph.contours.back();
      if (kind == 'Q') {
        const Point control = point();
        curve(contour, control, point());
      } else {
        contour.push_back(point());
      }
    }
  }

  static void curve(std::vector<Point>& contour, Point control, Point end) {
    constexpr int kParts = 6;  // enough for letters of 40 pixels
    const Point start = contour.back();
    for (int part = 1; part <= kParts; ++part) {
      const double t = static_cast<double>(part) / kParts;
      const double s = 1 - t;
      contour.push_back({s * s * start.x + 2 * s * t * control.x + t * t * end.x,
                         s * s * start.y + 2 * s * t * control.y + t * t * end.y});
    }
  }

  const char* at_ = reinterpret_cast<const char*>(asg_plot_font_begin);  // a zero byte follows the end
  double units_ = 1;
};

// Length of the sequence that a byte begins; 0: it begins none.
int sequence_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

}  // namespace

const Glyph& glyph_of(char32_t code) {
  static const std::unordered_map<char32_t, Glyph> glyphs = FontReader().read();
  const auto found = glyphs.find(code);
  return found != glyphs.end() ? found->second : glyphs.at(kUnknown);
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> result;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const int length = sequence_length(lead);
    char32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
    bool whole = length > 0 && at + static_cast<std::size_t>(length) <= text.size();
    for (int k = 1; whole && k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[at + static_cast<std::size_t>(k)]);
      whole = (next & 0xC0) == 0x80;
      code = code << 6 | (next & 0x3Fu);
    }
    result.push_back(whole ? code : kUnknown);
    at += whole ? static_cast<std::size_t>(length) : 1;
  }
  return result;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const char32_t code : code_points(text)) width += glyph_of(code).advance;
  return width * size;
}

std::string fitted(std::string_view text, double size, double width) {
  if (text_width(text, size) <= width) return std::string(text);
  // Character by character as far as they fit with the dots behind them. A part is measured as the whole is: each byte
  // that is no UTF-8 counts by itself.
  constexpr std::string_view kDots = "…";
  const double room = width - text_width(kDots, size);
  std::size_t end = 0;
  double used = 0;
  for (std::size_t next = 0; next < text.size(); end = next) {
    next = end + 1;
    while (next < text.size() && (text[next] & 0xC0) == 0x80) ++next;  // the rest of a character
    used += text_width(text.substr(end, next - end), size);
    if (used > room) break;
  }
  return room < 0 ? "" : std::string(text.substr(0, end)) + std::string(kDots);
}

}  // namespace asg::plot
