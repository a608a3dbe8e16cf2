#pragma once

#include <system_error>

namespace asg::app {

// A program may be started with a standard stream closed (`>&-`). The system would give its number to the next file
// that is opened, and our words would land there. After this call such a stream is there, and using it fails as before.
void guard_standard_streams();

// Flushes what was written to the standard output. Why a part of it was lost, now or before; no error where nothing
// was.
std::error_code finish_standard_output();

}  // namespace asg::app
