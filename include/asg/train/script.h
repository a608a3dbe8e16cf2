#pragma once

#include <functional>
#include <string_view>

#include "asg/train/engine.h"

namespace asg::train {

struct ScriptResult {
  int lines = 0;    // that were carried out
  int refused = 0;  // edits that were refused and messages that failed
};

// Drives one training by a script: a message in JSON on each line, in order; the next one is posted when the last has
// been answered, so that `run` with steps waits for its end. Empty lines and lines that begin with '#' are left out.
//   next_line   gives the lines one by one, and false at the end
//   write       gets each event as a line of JSON, without the line end; on the engine thread
// A line that is not understood is answered by a "failed" event like any other.
ScriptResult run_script(TrainingSpec spec, const std::function<bool(std::string& line)>& next_line,
                        const std::function<void(std::string_view event)>& write);

}  // namespace asg::train
