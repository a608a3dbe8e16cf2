#include "plot/svg_canvas.h"

#include <cmath>
#include <cstdio>

#include "plot/font.h"

namespace asg::plot {
namespace {

// Two digits after the point, and none that say nothing; the same in every locale.
std::string number(double value) {
  const auto hundredths = static_cast<long long>(std::llround(value * 100));
  const long long whole = std::llabs(hundredths);
  std::string text = hundredths < 0 ? "-" : "";
  text += std::to_string(whole / 100);
  if (whole % 100 != 0) {
    text += '.';
    text += static_cast<char>('0' + whole % 100 / 10);
    if (whole % 10 != 0) text += static_cast<char>('0' + whole % 10);
  }
  return text;
}

}  // namespace

SvgCanvas::SvgCanvas(double width, double height, std::string_view title) {
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " + number(height) + "\"";
  attribute("width", width);
  attribute("height", height);
  out_ += " font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n<title>";
  escape(title);
  out_ += "</title>\n";
}

void SvgCanvas::attribute(const char* name, double value) {
  out_.append(" ").append(name).append("=\"").append(number(value)).append("\"");
}

void SvgCanvas::paint(const char* name, Colour colour) {
  char code[8];
  std::snprintf(code, sizeof(code), "#%02X%02X%02X", colour.red, colour.green, colour.blue);
  out_.append(" ").append(name).append("=\"").append(code).append("\"");
  if (colour.opacity < 1) {
    attribute((std::string(name) + "-opacity").c_str(), colour.opacity);
  }
}

// Control characters, which XML cannot hold, become U+FFFD, and so do bytes that are not UTF-8.
void SvgCanvas::escape(std::string_view text) {
  std::size_t at = 0;
  for (const char32_t code : code_points(text)) {
    const std::size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    const bool broken = code == 0xFFFD && text.substr(at, 3) != "\xEF\xBF\xBD";
    if (broken || (code < 0x20 && code != '\t' && code != '\n')) {
      out_ += "\xEF\xBF\xBD";
      ++at;
      continue;
    }
    if (code == '<') {
      out_ += "&lt;";
    } else if (code == '&') {
      out_ += "&amp;";
    } else if (code == '>') {
      out_ += "&gt;";
    } else {
      out_ += text.substr(at, length);
    }
    at += length;
  }
}

void SvgCanvas::rectangle(Point corner, double width, double height, Colour fill) {
  out_ += "<rect";
  attribute("x", corner.x);
  attribute("y", corner.y);
  attribute("width", width);
  attribute("height", height);
  paint("fill", fill);
  out_ += "/>\n";
}

void SvgCanvas::line(std::span<const Point> points, const Stroke& stroke) {
  out_ += "<polyline points=\"";
  bool first = true;
  for (const Point& point : points) {
    if (!first) out_ += ' ';
    first = false;
    out_.append(number(point.x)).append(",").append(number(point.y));
  }
  out_ += "\" fill=\"none\"";
  paint("stroke", stroke.colour);
  attribute("stroke-width", stroke.width);
  if (!stroke.dash.empty()) {
    out_ += " stroke-dasharray=\"";
    for (std::size_t k = 0; k < stroke.dash.size(); ++k) out_.append(k == 0 ? "" : " ").append(number(stroke.dash[k]));
    out_ += "\"";
  }
  out_ += " stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n";
}

void SvgCanvas::dot(Point centre, double radius, Colour fill) {
  out_ += "<circle";
  attribute("cx", centre.x);
  attribute("cy", centre.y);
  attribute("r", radius);
  paint("fill", fill);
  out_ += "/>\n";
}

void SvgCanvas::text(Point at, std::string_view text, const Lettering& lettering) {
  out_ += "<text";
  if (lettering.upright) {
    out_.append(" transform=\"translate(")
        .append(number(at.x))
        .append(" ")
        .append(number(at.y))
        .append(") rotate(-90)\"");
  } else {
    attribute("x", at.x);
    attribute("y", at.y);
  }
  attribute("font-size", lettering.size);
  if (lettering.anchor != Anchor::start) {
    out_ += lettering.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  }
  paint("fill", lettering.colour);
  out_ += '>';
  escape(text);
  out_ += "</text>\n";
}

std::string SvgCanvas::finish() && {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace asg::plot
