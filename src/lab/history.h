#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "asg/train/events.h"
#include "asg/train/journal.h"

namespace asg::lab {

// What a chart shows of a training, for whoever comes late: figures of its steps, evaluations, marks. Bounded: when
// there are too many steps, every second one is forgotten, and from then on only every second one is kept, and so on.
// The last step is always there.
class History {
 public:
  static constexpr std::size_t kMostSteps = 4000;
  static constexpr std::size_t kMostMarks = 1000;  // and evaluations; beyond that the oldest go

  void take(const train::events::StepDone& step);
  void take(train::events::Evaluated evaluation);
  void mark(std::int64_t step, std::string kind, train::Sentence text);  // "edit", "snapshot", "checkpoint", "branch" …
  // A training that goes back to an earlier step forgets what came after it, but for the marks.
  void return_to(std::int64_t step);

  std::size_t size() const { return steps_.size(); }
  std::string to_json(std::uint32_t training) const;  // the event `history`

 private:
  struct Mark {
    std::int64_t step = 0;
    std::string kind;
    train::Sentence text;
  };
  bool is_kept(std::int64_t step) const { return step % every_ == 0; }

  std::vector<train::events::StepDone> steps_;
  std::int64_t every_ = 1;
  std::vector<train::events::Evaluated> evaluations_;
  std::vector<Mark> marks_;
};

}  // namespace asg::lab
