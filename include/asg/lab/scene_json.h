#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asg/lab/costs.h"
#include "asg/lab/describe.h"
#include "asg/lab/plan.h"
#include "asg/lab/scene.h"

namespace asg::lab {

// What every answer carries: which training it is of, which version of its graph, and the number that was asked with.
struct AnswerHead {
  std::int64_t training = 1;
  std::int64_t version = 1;
  std::optional<std::int64_t> ask = {};
};

// The answers of the Lab about scenes, as JSON texts. Numbers that are not finite become null, and bytes of names that
// are no UTF-8 become U+FFFD.
std::string level_json(const Level& level, const AnswerHead& head);
std::string described_json(const Description& description, const AnswerHead& head);
std::string found_json(const Found& found, const AnswerHead& head);
std::string located_json(const std::vector<Places>& places, const AnswerHead& head);
std::string plan_json(const Plan& plan, const AnswerHead& head);
std::string costs_json(const Costs& costs, std::int64_t step, const AnswerHead& head);

}  // namespace asg::lab
