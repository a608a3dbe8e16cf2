// Loggers that write lines of text: JSON lines and CSV.
#include <algorithm>
#include <filesystem>

#include "asg/core/platform.h"
#include "asg/plot/png.h"
#include "asg/train/log_reader.h"
#include "train/log/append_file.h"
#include "train/log/record_text.h"

namespace asg::train {
namespace {

// Whether a record tells of the checkpoint that is resumed from. Its folder may have been moved, but not renamed.
bool tells_checkpoint(const LogRecord& record, const LogFileOptions& options) {
  const auto* path = std::get_if<std::string>(&record.value);
  if (record.tag != "checkpoint" || record.step != *options.resume_after || path == nullptr) return false;
  return std::filesystem::path(*path).filename() == std::filesystem::path(options.resumed_from).filename();
}

// The lines that stay where a log is resumed: up to the step, and of those of the step none that came after the
// checkpoint, such as an edit that is lost.
class KeptLines {
 public:
  explicit KeptLines(const LogFileOptions& options) : options_(options) {}

  void add(const LogRecord& record, std::string_view line) {
    if (record.step > *options_.resume_after) return;
    text_.append(line).append("\n");
    if (tells_checkpoint(record, options_)) end_ = text_.size();
  }
  std::string text() { return text_.substr(0, end_); }

 private:
  const LogFileOptions& options_;
  std::string text_;
  std::size_t end_ = std::string::npos;
};

// Without blank lines and a broken last one.
std::string kept_json(const std::string& text, const LogFileOptions& options) {
  KeptLines kept(options);
  for (std::size_t first = 0, end = 0; (end = text.find('\n', first)) != std::string::npos; first = end + 1) {
    const std::string_view line = std::string_view(text).substr(first, end - first);
    if (!is_blank(line)) kept.add(record_from_json(line), line);
  }
  return kept.text();
}

std::string kept_csv(const std::string& text, const LogFileOptions& options) {
  KeptLines kept(options);
  for (const LogRecord& record : records_from_csv(text)) kept.add(record, csv_line(record).value());
  return std::string(kCsvHeader) + "\n" + kept.text();
}

class LineLogger : public Logger {
 public:
  using Cut = std::string (*)(const std::string& text, const LogFileOptions& options);

  LineLogger(const std::string& path, const LogFileOptions& options, Cut cut)
      : clock_(options.clock ? options.clock : seconds_since_1970), file_(path, prepare(path, options, cut)) {}

  void scalar(std::string_view tag, std::int64_t step, double value) override { write(tag, step, value); }
  void text(std::string_view tag, std::int64_t step, std::string_view text) override {
    write(tag, step, std::string(text));
  }

  void flush() override { file_.sync(); }

 protected:
  template <class Value>
  LogRecord record(std::string_view tag, std::int64_t step, Value value) const {
    return {step, clock_(), std::string(tag), std::move(value)};
  }
  void write_line(std::string line) {
    line += '\n';
    file_.write(line);
  }
  AppendFile& file() { return file_; }

 private:
  virtual std::string line_of(const LogRecord& record) const = 0;
  template <class Value>
  void write(std::string_view tag, std::int64_t step, Value value) {
    write_line(line_of(record(tag, step, std::move(value))));
  }

  // Cuts the file off where it is gone on with; whether it begins anew.
  static bool prepare(const std::string& path, const LogFileOptions& options, Cut cut) {
    if (!options.resume_after || !std::filesystem::exists(path)) return true;
    try {
      platform::write_file_atomically(path, cut(platform::read_file(path), options));
    } catch (const UserError& error) {
      throw error.with_where(path);
    }
    return false;
  }

  std::function<double()> clock_;
  AppendFile file_;
};

class JsonLinesLogger : public LineLogger {
 public:
  JsonLinesLogger(const std::string& path, const LogFileOptions& options) : LineLogger(path, options, kept_json) {}

  void histogram(std::string_view tag, std::int64_t step, const Array& values) override {
    write_line(json_line(record(tag, step, histogram_of(values))));
  }
  void image(std::string_view tag, std::int64_t step, const Array& pixels) override {
    const std::string png = plot::to_png(pixels);
    const LogRecord::Picture picture{pixels.sizes()[0], pixels.sizes()[1], pixels.rank() == 2 ? 1 : pixels.sizes()[2]};
    write_line(json_line(record(tag, step, picture), png));
  }

 private:
  std::string line_of(const LogRecord& record) const override { return json_line(record); }
};

class CsvLogger : public LineLogger {
 public:
  CsvLogger(const std::string& path, const LogFileOptions& options) : LineLogger(path, options, kept_csv) {
    if (std::filesystem::file_size(path) == 0) write_line(std::string(kCsvHeader));
  }

  void histogram(std::string_view /*tag*/, std::int64_t /*step*/, const Array& /*values*/) override {}
  void image(std::string_view /*tag*/, std::int64_t /*step*/, const Array& /*pixels*/) override {}

 private:
  std::string line_of(const LogRecord& record) const override { return csv_line(record).value(); }
};

}  // namespace

namespace {

// Logs the checkpoint that a training resumes from, where nobody came to it before.
std::unique_ptr<Logger> with_checkpoint(std::unique_ptr<Logger> logger, const std::string& path,
                                        const LogFileOptions& options) {
  if (!options.resume_after || options.resumed_from.empty()) return logger;
  const std::vector<LogRecord> records = read_log(path);
  const auto tells = [&](const LogRecord& record) { return tells_checkpoint(record, options); };
  const bool is_logged = std::any_of(records.begin(), records.end(), tells);
  if (!is_logged) logger->text("checkpoint", *options.resume_after, options.resumed_from);
  return logger;
}

}  // namespace

std::unique_ptr<Logger> json_lines_logger(const std::string& path, LogFileOptions options) {
  return with_checkpoint(std::make_unique<JsonLinesLogger>(path, options), path, options);
}

std::unique_ptr<Logger> csv_logger(const std::string& path, LogFileOptions options) {
  return with_checkpoint(std::make_unique<CsvLogger>(path, options), path, options);
}

}  // namespace asg::train
