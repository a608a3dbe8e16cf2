#include "plot/raster_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plot/font.h"
#include "plot/outline_filler.h"

namespace asg::plot {
namespace {

double distance_to_segment(double x, double y, Point a, Point b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double along = square == 0 ? 0 : std::clamp(((x - a.x) * dx + (y - a.y) * dy) / square, 0.0, 1.0);
  return std::hypot(x - (a.x + along * dx), y - (a.y + along * dy));
}

}  // namespace

RasterCanvas::RasterCanvas(double width, double height, double scale)
    : scale_(scale),
      width_(static_cast<int>(std::lround(width * scale))),
      height_(static_cast<int>(std::lround(height * scale))),
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3, 255),
      covered_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)),
      left_(width_),
      right_(-1),
      top_(height_),
      bottom_(-1) {}

void RasterCanvas::cover(int x, int y, float share) {
  if (share <= 0 || x < 0 || y < 0 || x >= width_ || y >= height_) return;
  float& held = covered_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
  held = std::max(held, std::min(share, 1.0F));
  left_ = std::min(left_, x);
  right_ = std::max(right_, x);
  top_ = std::min(top_, y);
  bottom_ = std::max(bottom_, y);
}

void RasterCanvas::blend(Colour colour) {
  const double channels[3] = {double(colour.red), double(colour.green), double(colour.blue)};
  for (int y = top_; y <= bottom_; ++y) {
    for (int x = left_; x <= right_; ++x) {
      const std::size_t at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
      const double share = covered_[at] * colour.opacity;
      covered_[at] = 0;
      if (share <= 0) continue;
      for (std::size_t channel = 0; channel < 3; ++channel) {
        std::uint8_t& pixel = pixels_[at * 3 + channel];
        pixel = static_cast<std::uint8_t>(std::lround(pixel + (channels[channel] - pixel) * share));
      }
    }
  }
  left_ = width_;
  right_ = -1;
  top_ = height_;
  bottom_ = -1;
}

// The pixels near a segment, row by row, only where the segment can reach.
void RasterCanvas::cover_segment(Point a, Point b, double half_width) {
  if (a.y > b.y) std::swap(a, b);
  const double reach = half_width + 1;
  const double slope = b.y - a.y < 1e-9 ? 0 : (b.x - a.x) / (b.y - a.y);
  const int first = std::max(0, static_cast<int>(std::floor(a.y - reach)));
  const int last = std::min(height_ - 1, static_cast<int>(std::ceil(b.y + reach)));
  for (int y = first; y <= last; ++y) {
    double low = std::min(a.x, b.x);
    double high = std::max(a.x, b.x);
    if (slope != 0) {
      const double from = a.x + slope * (std::clamp(y - reach, a.y, b.y) - a.y);
      const double to = a.x + slope * (std::clamp(y + 1 + reach, a.y, b.y) - a.y);
      low = std::min(from, to);
      high = std::max(from, to);
    }
    const int left = std::max(0, static_cast<int>(std::floor(low - reach)));
    const int right = std::min(width_ - 1, static_cast<int>(std::ceil(high + reach)));
    for (int x = left; x <= right; ++x) {
      cover(x, y, static_cast<float>(half_width + 0.5 - distance_to_segment(x + 0.5, y + 0.5, a, b)));
    }
  }
}

void RasterCanvas::cover_dashed(std::span<const Point> points, const Stroke& stroke, double half_width) {
  std::size_t part = 0;
  double left = stroke.dash[0] * scale_;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    Point from = {points[k].x * scale_, points[k].y * scale_};
    const Point end = {points[k + 1].x * scale_, points[k + 1].y * scale_};
    for (double length = std::hypot(end.x - from.x, end.y - from.y); length > 0;) {
      const double piece = std::min(left, length);
      const Point to = {from.x + (end.x - from.x) * piece / length, from.y + (end.y - from.y) * piece / length};
      if (part % 2 == 0) cover_segment(from, to, half_width);
      from = to;
      length -= piece;
      left -= piece;
      if (left > 0) break;
      part = (part + 1) % stroke.dash.size();
      left = std::max(stroke.dash[part] * scale_, 1e-3);
    }
  }
}

void RasterCanvas::line(std::span<const Point> points, const Stroke& stroke) {
  const double half_width = stroke.width * scale_ / 2;
  if (!stroke.dash.empty()) {
    cover_dashed(points, stroke, half_width);
  } else {
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      cover_segment({points[k].x * scale_, points[k].y * scale_}, {points[k + 1].x * scale_, points[k + 1].y * scale_},
                    half_width);
    }
  }
  blend(stroke.colour);
}

void RasterCanvas::dot(Point centre, double radius, Colour fill) {
  const Point at = {centre.x * scale_, centre.y * scale_};
  cover_segment(at, at, radius * scale_);
  blend(fill);
}

void RasterCanvas::rectangle(Point corner, double width, double height, Colour fill) {
  const double left = corner.x * scale_, top = corner.y * scale_;
  const double right = left + width * scale_, bottom = top + height * scale_;
  for (int y = std::max(0, static_cast<int>(top)); y < std::min<double>(height_, bottom); ++y) {
    const double rows = std::min(bottom, y + 1.0) - std::max<double>(top, y);
    for (int x = std::max(0, static_cast<int>(left)); x < std::min<double>(width_, right); ++x) {
      cover(x, y, static_cast<float>(rows * (std::min(right, x + 1.0) - std::max<double>(left, x))));
    }
  }
  blend(fill);
}

void RasterCanvas::text(Point at, std::string_view text, const Lettering& lettering) {
  const double size = lettering.size * scale_;
  const double width = text_width(text, size);
  double along = lettering.anchor == Anchor::start ? 0 : lettering.anchor == Anchor::middle ? -width / 2 : -width;
  OutlineFiller filler;
  for (const char32_t code : code_points(text)) {
    const Glyph& glyph = glyph_of(code);
    for (const auto& contour : glyph.contours) {
      std::vector<Point> placed;
      for (const Point& point : contour) {
        const double x = along + point.x * size;
        const double y = point.y * size;
        placed.push_back(lettering.upright ? Point{at.x * scale_ - y, at.y * scale_ - x}
                                           : Point{at.x * scale_ + x, at.y * scale_ - y});
      }
      filler.add(placed);
    }
    along += glyph.advance * size;
  }
  filler.fill([this](int x, int y, float share) { cover(x, y, share); });
  blend(lettering.colour);
}

Array RasterCanvas::pixels() const {
  Array result(DType::u8, {height_, width_, 3});
  if (!pixels_.empty()) std::memcpy(result.raw(), pixels_.data(), pixels_.size());
  return result;
}

}  // namespace asg::plot
