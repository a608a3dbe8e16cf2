#pragma once

namespace asg::platform {

// From now on the calling thread gets less time of the processor than other threads; nothing where the system has no
// such thing.
void yield_to_other_threads();

}  // namespace asg::platform
