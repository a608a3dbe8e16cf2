#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "core/json_depth.h"
#include "train/log/record_text.h"

namespace asg::train {
namespace {

using OrderedJson = nlohmann::ordered_json;

// JSON has no NaN and no infinity: they are written as words.
OrderedJson json_number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

OrderedJson numbers(const std::vector<double>& values) {
  OrderedJson result = OrderedJson::array();
  for (const double value : values) result.push_back(json_number(value));
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += at + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

[[noreturn]] void refuse_record(const std::string& given, const std::string& needed) {
  fail(ErrorCode::bad_json, given, needed, "give a log that json_lines_logger wrote");
}

const OrderedJson& member(const OrderedJson& form, const char* name) {
  const auto found = form.find(name);
  if (found == form.end())
    refuse_record("a record without \"" + std::string(name) + "\"", "a step, a time, a tag and a value");
  return *found;
}

double real(const OrderedJson& form) {
  if (form.is_number()) return form.get<double>();
  if (form == "NaN") return std::nan("");
  if (form == "Infinity") return std::numeric_limits<double>::infinity();
  if (form == "-Infinity") return -std::numeric_limits<double>::infinity();
  refuse_record("a record with " + form.dump(-1, ' ', false, OrderedJson::error_handler_t::replace).substr(0, 40),
                "a number, or \"NaN\", \"Infinity\" or \"-Infinity\"");
}

std::int64_t integer(const OrderedJson& form) {
  if (!form.is_number_integer()) refuse_record("a record whose step or count is no integer", "integers");
  return form.get<std::int64_t>();
}

std::vector<double> reals(const OrderedJson& form) {
  if (!form.is_array()) refuse_record("a histogram without bins", "arrays of limits and counts");
  std::vector<double> result;
  for (const OrderedJson& each : form) result.push_back(real(each));
  return result;
}

Histogram histogram_from(const OrderedJson& form) {
  Histogram result;
  result.min = real(member(form, "min"));
  result.max = real(member(form, "max"));
  result.sum = real(member(form, "sum"));
  result.sum_squares = real(member(form, "sum_squares"));
  result.count = integer(member(form, "count"));
  result.not_finite = integer(member(form, "not_finite"));
  result.limits = reals(member(form, "limits"));
  result.counts = reals(member(form, "counts"));
  if (result.limits.size() != result.counts.size())
    refuse_record("a histogram with other limits than counts", "as many of both");
  return result;
}

struct WriteValue {
  OrderedJson& out;
  std::string_view png;

  void operator()(double value) const { out["value"] = json_number(value); }
  void operator()(const std::string& text) const { out["text"] = text; }
  void operator()(const Histogram& of) const {
    out["histogram"] = {{"min", json_number(of.min)},
                        {"max", json_number(of.max)},
                        {"sum", json_number(of.sum)},
                        {"sum_squares", json_number(of.sum_squares)},
                        {"count", of.count},
                        {"not_finite", of.not_finite},
                        {"limits", numbers(of.limits)},
                        {"counts", numbers(of.counts)}};
  }
  void operator()(const LogRecord::Picture& of) const {
    out["image"] = {{"height", of.height}, {"width", of.width}, {"channels", of.channels}, {"png", base64(png)}};
  }
};

}  // namespace

std::string json_line(const LogRecord& record, std::string_view png) {
  OrderedJson out = {{"step", record.step}, {"time", json_number(record.time)}, {"tag", record.tag}};
  std::visit(WriteValue{out, png}, record.value);
  return out.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

LogRecord record_from_json(std::string_view line) {
  const OrderedJson form = parse_within_limits<OrderedJson>(line);
  if (!form.is_object()) refuse_record("'" + std::string(line.substr(0, 40)) + "'", "a JSON object");
  LogRecord record;
  record.step = integer(member(form, "step"));
  record.time = real(member(form, "time"));
  const OrderedJson& tag = member(form, "tag");
  if (!tag.is_string()) refuse_record("a record whose tag is no text", "a text");
  record.tag = tag.get<std::string>();
  if (form.contains("value")) {
    record.value = real(form["value"]);
  } else if (form.contains("text") && form["text"].is_string()) {
    record.value = form["text"].get<std::string>();
  } else if (form.contains("histogram")) {
    record.value = histogram_from(form["histogram"]);
  } else if (form.contains("image")) {
    const OrderedJson& image = form["image"];
    record.value = LogRecord::Picture{integer(member(image, "height")), integer(member(image, "width")),
                                      integer(member(image, "channels"))};
  } else {
    refuse_record("the record of '" + record.tag + "' without a value", "a value, text, histogram or image");
  }
  return record;
}

}  // namespace asg::train
