#include "asg/plot/plot.h"

#include <algorithm>
#include <filesystem>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/core/platform.h"
#include "asg/metrics/confusion.h"
#include "asg/train/log_reader.h"
#include "commands.h"

namespace asg::app {
namespace {

struct PlotOptions {
  std::vector<std::string> logs;
  std::string out = "plot.svg";
  std::vector<std::string> tags;
  std::string mark = "edit";
  std::string title;
  std::string x = "step";
  double smoothing = 0;
  bool logarithmic = false;
  int width = 800;
  int height = 450;
  bool json = false;
};

// "loss" asks for itself, "train/" for all below.
bool asked_for(const std::string& tag, const std::vector<std::string>& asked) {
  return asked.empty() || std::any_of(asked.begin(), asked.end(), [&](const std::string& each) {
           return tag == each || (each.ends_with('/') && tag.starts_with(each));
         });
}

namespace fs = std::filesystem;

// The last `count` parts of a path; `without_name` leaves the name of the file out of them.
std::string end_of(const fs::path& path, std::size_t count, bool without_name) {
  const fs::path whole = without_name ? path.parent_path() : path;
  auto first = whole.end();
  for (; count > 0 && first != whole.begin(); --count) --first;
  fs::path end;
  for (; first != whole.end(); ++first) end /= *first;
  return end.generic_string();
}

bool all_differ(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

// The shortest names that tell logs apart: "a" and "b" of a.csv and b.csv; then "log.csv" and "log.jsonl"; then as many
// folders as it takes, "x1/logs" and "x2/logs", without the name of the file where all have the same. `paths` are
// absolute, and differ.
std::vector<std::string> names_of_logs(const std::vector<fs::path>& paths) {
  const bool one_name = std::all_of(paths.begin(), paths.end(),
                                    [&](const fs::path& path) { return path.filename() == paths.front().filename(); });
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(path.stem().string());
  for (std::size_t count = 1; !all_differ(names); ++count) {
    for (std::size_t k = 0; k < paths.size(); ++k) names[k] = end_of(paths[k], count, one_name);
  }
  return names;
}

class CurvePlot {
 public:
  explicit CurvePlot(const PlotOptions& options) : options_(options) {
    curves_.title = options.title;
    curves_.x_label = options.x == "step" ? "step" : "minutes";
    curves_.y_scale = options.logarithmic ? plot::Scale::logarithmic : plot::Scale::linear;
    curves_.smoothing = options.smoothing;
    curves_.width = options.width;
    curves_.height = options.height;
    take_all(options.logs);
    if (curves_.series.empty()) refuse_nothing();
    if (curves_.series.size() == 1) curves_.y_label = std::exchange(curves_.series[0].name, "");
  }

  const plot::Curves& curves() const { return curves_; }

 private:
  // Each log once, however often it was given. Of several each series says whose it is.
  void take_all(const std::vector<std::string>& given) {
    std::vector<std::string> logs;
    std::vector<fs::path> paths;
    for (const std::string& log : given) {
      std::error_code ignored;  // reading it will tell
      const fs::path path = fs::absolute(log, ignored).lexically_normal();
      if (std::find(paths.begin(), paths.end(), path) != paths.end()) continue;
      paths.push_back(path);
      logs.push_back(log);
    }
    const std::vector<std::string> names = names_of_logs(paths);
    for (std::size_t k = 0; k < logs.size(); ++k) take(logs[k], logs.size() == 1 ? "" : names[k] + ": ");
  }

  void take(const std::string& path, const std::string& owner) {
    const std::vector<train::LogRecord> records = train::read_log(path);
    const double start = records.empty() ? 0 : records.front().time;
    const auto place = [&](std::int64_t step, double time) {
      return options_.x == "step" ? static_cast<double>(step) : (time - start) / 60;
    };
    for (const auto& [tag, curve] : train::curves_of(records)) {
      known_.push_back(tag);
      if (!asked_for(tag, options_.tags)) continue;
      plot::Series series{owner + tag, {}, curve.values};
      for (std::size_t k = 0; k < curve.steps.size(); ++k) series.x.push_back(place(curve.steps[k], curve.times[k]));
      curves_.series.push_back(std::move(series));
    }
    for (const train::LogRecord& record : records) {
      const auto* text = std::get_if<std::string>(&record.value);
      if (text != nullptr && record.tag == options_.mark)
        curves_.marks.push_back({place(record.step, record.time), *text});
    }
  }

  [[noreturn]] void refuse_nothing() {
    std::sort(known_.begin(), known_.end());
    known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
    std::string asked;
    for (const std::string& tag : options_.tags) asked.append(asked.empty() ? "" : ", ").append(tag);
    std::string known;
    for (const std::string& tag : known_) known.append(known.empty() ? "" : ", ").append(tag);
    fail(ErrorCode::missing_value, asked.empty() ? "logs without a scalar" : "the tag " + asked + ", which no log has",
         known.empty() ? "a log with scalars" : "one of: " + known);
  }

  const PlotOptions& options_;
  plot::Curves curves_;
  std::vector<std::string> known_;
};

bool is_confusion(const std::string& path) {
  return path.ends_with(".csv") && platform::read_file(path).starts_with("actual\\predicted");
}

void tell(const PlotOptions& options, const plot::Curves& curves) {
  if (options.json) {
    nlohmann::ordered_json out = {{"out", options.out}, {"series", nlohmann::ordered_json::array()}};
    for (const plot::Series& series : curves.series) {
      const std::string& name = series.name.empty() ? curves.y_label : series.name;
      out["series"].push_back({{"name", name}, {"points", series.y.size()}, {"last", series.y.back()}});
    }
    out["marks"] = curves.marks.size();
    fmt::print("{}\n", out.dump());
    return;
  }
  for (const plot::Series& series : curves.series) {
    fmt::print("  {}: {} points, the last {:.6g}\n", series.name.empty() ? curves.y_label : series.name,
               series.y.size(), series.y.back());
  }
  fmt::print("written to {}\n", options.out);
}

void run(const PlotOptions& options) {
  if (options.logs.size() == 1 && is_confusion(options.logs[0])) {
    const metrics::NamedConfusion confusion = metrics::confusion_from_csv(platform::read_file(options.logs[0]));
    plot::HeatMap map = plot::heat_map_of(confusion.matrix, confusion.names);
    if (!options.title.empty()) map.title = options.title;
    plot::write_plot(map, options.out);
    fmt::print("{}\n", options.json ? nlohmann::json({{"out", options.out}, {"classes", confusion.names.size()}}).dump()
                                    : "written to " + options.out);
    return;
  }
  const CurvePlot picture(options);
  plot::write_plot(picture.curves(), options.out);
  tell(options, picture.curves());
}

}  // namespace

void add_plot(CLI::App& app, int& /*outcome*/) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand("plot", "Draw the curves of logs, or a confusion matrix, as SVG or PNG");
  command->add_option("logs", options->logs, "Logs of trainings (.jsonl, .csv), or the CSV of a confusion matrix")
      ->required();
  command->add_option("-o,--out", options->out, "The picture; .svg or .png")->capture_default_str();
  command->add_option("--tag", options->tags, "Only this scalar; 'train/' takes all below. May be given several times")
      ->take_all();
  command->add_flag("--log", options->logarithmic, "A logarithmic scale for the values");
  command
      ->add_option("--smooth", options->smoothing,
                   "Draw a moving average over the values, pale below: the weight of the past, below 1")
      ->expected(0, 1)
      ->default_str("0.9")
      ->type_name("[WEIGHT]");
  command->add_option("--x", options->x, "What runs to the right")
      ->check(CLI::IsMember({"step", "time"}))
      ->capture_default_str();
  command->add_option("--mark", options->mark, "Texts of this tag become vertical lines")->capture_default_str();
  command->add_option("--title", options->title, "Title of the picture");
  command->add_option("--width", options->width, "Width; a PNG has twice as many pixels")->capture_default_str();
  command->add_option("--height", options->height, "Height")->capture_default_str();
  command->add_flag("--json", options->json, "Tell what was drawn as JSON");
  command->callback([options] { run(*options); });
}

}  // namespace asg::app
