#include "asg/metrics/metric.h"

#include <cmath>

#include "asg/core/error.h"

namespace asg::metrics {
namespace {

std::string quoted(const std::string& name) { return "the metric '" + name + "'"; }

}  // namespace

std::int64_t Metric::integer(std::string_view name) const {
  return std::get<std::int64_t>(settings_.find(name)->second);
}

double Metric::real(std::string_view name) const { return std::get<double>(settings_.find(name)->second); }

const std::string& Metric::word(std::string_view name) const {
  return std::get<std::string>(settings_.find(name)->second);
}

std::optional<std::int64_t> Metric::optional_integer(std::string_view name) const {
  const auto found = settings_.find(name);
  if (found == settings_.end()) return std::nullopt;
  return std::get<std::int64_t>(found->second);
}

std::optional<double> Metric::optional_real(std::string_view name) const {
  const auto found = settings_.find(name);
  if (found == settings_.end()) return std::nullopt;
  return std::get<double>(found->second);
}

bool Metric::takes_part(bool has_nan, std::int64_t example, NanFound& found) const {
  if (!has_nan) return true;
  const std::string& policy = word("nan");
  if (policy == "refuse") {
    fail(ErrorCode::computation_error,
         "example " + std::to_string(example) + " of a batch with NaN for " + quoted(info_.name), "numbers",
         "set nan to \"skip\" to leave such examples out, or to \"propagate\" to get NaN");
  }
  if (policy == "skip") {
    ++found.skipped;
  } else {
    found.poison = true;
  }
  return false;
}

void Metric::note(const NanFound& found) {
  poisoned_ = poisoned_ || found.poison;
  skipped_ += found.skipped;
}

void Metric::add_pair(const Array& /*predictions*/, const Array& /*targets*/) {
  fail(ErrorCode::wrong_input_count, "two arrays for " + quoted(info_.name), "values alone", "call add(values)");
}

void Metric::add_values(const Array& /*values*/) { refuse_values(); }

void Metric::refuse_values() const {
  fail(ErrorCode::wrong_input_count, "one array for " + quoted(info_.name), "predictions and targets",
       "call add(predictions, targets)");
}

double Metric::value() const {
  if (poisoned_) return std::nan("");
  if (counted() == 0) {
    fail(ErrorCode::missing_value, quoted(info_.name) + " of no examples", "at least one",
         "add a batch first; examples with the class to ignore or left out for NaN do not count");
  }
  return figure();
}

std::vector<Figure> Metric::values() const {
  std::vector<Figure> result = {{info_.name, value()}};
  for (Figure& figure : more_figures()) {
    if (poisoned_) figure.value = std::nan("");
    result.push_back(std::move(figure));
  }
  return result;
}

void Metric::merge(const Metric& other) {
  if (&other.info_ != &info_ || other.settings_ != settings_) {
    fail(ErrorCode::type_mismatch, quoted(other.info_.name) + " to merge into " + quoted(info_.name),
         "the same metric with the same settings", "make both by the same description");
  }
  merge_same(other);
  note({other.poisoned_, other.skipped_});
}

void Metric::reset() {
  clear();
  poisoned_ = false;
  skipped_ = 0;
}

}  // namespace asg::metrics
