#pragma once

#include <cstdio>
#include <string>

#include "asg/compile/profile.h"

namespace asg::app {

// Tables of a profile: by kind of step, by step, by node and by layer, each with what takes longest.
void print_profile(const Profile& profile, std::FILE* out);

// The trace, for ui.perfetto.dev; nothing where the name is empty. Throws io_error.
void write_trace(const Profile& profile, const std::string& file, std::FILE* out);

}  // namespace asg::app
