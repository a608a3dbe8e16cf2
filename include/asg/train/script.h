#pragma once

#include <functional>
#include <string>

#include "asg/train/engine.h"

namespace asg::train {

struct ScriptResult {
  int lines = 0;    // that were carried out
  int refused = 0;  // edits that were refused and messages that failed
};

struct Script {
  std::function<bool(std::string& line)> next_line;  // gives the lines one by one, and false at the end
  Engine::Sink sink;                                 // gets each event, on the engine thread
  // Asked now and then while a line is carried out: whether a run shall not go on to its end but pause.
  std::function<bool()> is_broken_off = {};
};

// Drives one training by a script: a message in JSON on each line, in order; the next one is posted when the last has
// been answered, so that `run` with steps waits for its end. Empty lines and lines that begin with '#' are left out.
// A line that is not understood is answered by a "failed" event like any other.
ScriptResult run_script(TrainingSpec spec, const Script& script);

}  // namespace asg::train
