#include "lab/history.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

namespace asg::lab {
namespace {

using HistoryJson = nlohmann::ordered_json;

HistoryJson finite_or_null(double value) { return std::isfinite(value) ? HistoryJson(value) : HistoryJson(); }

template <class Get>
HistoryJson column_of(const std::vector<train::events::StepDone>& steps, Get get) {
  HistoryJson column = HistoryJson::array();
  for (const auto& step : steps) column.push_back(get(step));
  return column;
}

HistoryJson json_of_evaluation(const train::events::Evaluated& evaluated) {
  HistoryJson entry = {
      {"step", evaluated.step}, {"dataset", evaluated.dataset}, {"loss", finite_or_null(evaluated.result.loss)}};
  if (evaluated.result.accuracy) entry["accuracy"] = finite_or_null(*evaluated.result.accuracy);
  for (const auto& [name, value] : evaluated.result.metrics) entry["metrics"][name] = finite_or_null(value);
  return entry;
}

}  // namespace

// The last step stands there whether it is one of those that are kept or not; the next one takes its place.
void History::take(const train::events::StepDone& step) {
  if (!steps_.empty() && !is_kept(steps_.back().step)) steps_.pop_back();
  steps_.push_back(step);
  if (steps_.size() <= kMostSteps) return;
  every_ *= 2;
  const train::events::StepDone last = steps_.back();
  std::erase_if(steps_, [&](const auto& each) { return !is_kept(each.step) && each.step != last.step; });
}

void History::take(train::events::Evaluated evaluation) {
  if (evaluations_.size() == kMostMarks) evaluations_.erase(evaluations_.begin());
  evaluations_.push_back(std::move(evaluation));
}

void History::mark(std::int64_t step, std::string kind, train::Sentence text) {
  if (marks_.size() == kMostMarks) marks_.erase(marks_.begin());
  marks_.push_back({step, std::move(kind), std::move(text)});
}

void History::return_to(std::int64_t step) {
  std::erase_if(steps_, [step](const auto& each) { return each.step > step; });
  std::erase_if(evaluations_, [step](const auto& each) { return each.step > step; });
}

std::string History::to_json(std::uint32_t training) const {
  HistoryJson columns;
  columns["step"] = column_of(steps_, [](const auto& each) { return each.step; });
  columns["loss"] = column_of(steps_, [](const auto& each) { return finite_or_null(each.loss); });
  columns["learning_rate"] = column_of(steps_, [](const auto& each) { return each.learning_rate; });
  columns["gradient_norm"] = column_of(steps_, [](const auto& each) {
    return each.gradient_norm ? finite_or_null(*each.gradient_norm) : HistoryJson();
  });
  columns["seconds"] = column_of(steps_, [](const auto& each) { return each.seconds; });
  HistoryJson evaluations = HistoryJson::array();
  for (const auto& each : evaluations_) evaluations.push_back(json_of_evaluation(each));
  HistoryJson marks = HistoryJson::array();
  for (const Mark& mark : marks_) {
    marks.push_back({{"step", mark.step}, {"kind", mark.kind}, {"text", {{"en", mark.text.en}, {"ru", mark.text.ru}}}});
  }
  const HistoryJson event = {{"event", "history"},
                             {"training", training},
                             {"columns", std::move(columns)},
                             {"evaluations", std::move(evaluations)},
                             {"marks", std::move(marks)}};
  return event.dump();
}

}  // namespace asg::lab
