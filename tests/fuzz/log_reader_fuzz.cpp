// Any bytes are read as logs in JSON lines and CSV, or refused with a UserError. A record that is accepted can be
// written and read again, and the curves of a log can be drawn, unless nothing of them can.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "asg/core/error.h"
#include "asg/plot/plot.h"
#include "asg/train/log_reader.h"
#include "train/log/record_text.h"

namespace {

using namespace asg::train;

void demand(bool holds) {
  if (!holds) std::abort();
}

template <class Call>
void attempt(const Call& call) {
  try {
    call();
  } catch (const asg::UserError& error) {
    demand(!error.detail().given.empty());
  }
}

// With marks at its texts. The picture holds no place that is no number.
void draw(const std::vector<LogRecord>& records) {
  asg::plot::Curves curves;
  for (const auto& [tag, curve] : curves_of(records)) {
    curves.series.push_back({tag, {curve.steps.begin(), curve.steps.end()}, curve.values});
  }
  for (const LogRecord& record : records) {
    if (const auto* text = std::get_if<std::string>(&record.value)) curves.marks.push_back({record.time, *text});
  }
  for (const auto scale : {asg::plot::Scale::linear, asg::plot::Scale::logarithmic}) {
    curves.y_scale = scale;
    attempt([&] { demand(asg::plot::to_svg(curves).ends_with("</svg>\n")); });
  }
}

std::vector<LogRecord> records_from_lines(std::string_view text) {
  std::vector<LogRecord> records;
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    records.push_back(record_from_json(text.substr(0, end)));
  }
  return records;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  attempt([&] {
    const LogRecord record = record_from_json(text);
    demand(record_from_json(json_line(record)).value.index() == record.value.index());
  });
  attempt([&] { draw(records_from_lines(text)); });
  attempt([&] {
    const std::vector<LogRecord> records = records_from_csv(text);
    draw(records);
    for (const LogRecord& record : records) {
      const std::string file = std::string(kCsvHeader) + "\n" + csv_line(record).value() + "\n";
      demand(records_from_csv(file).size() == 1);
    }
  });
  return 0;
}
