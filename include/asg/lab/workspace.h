#pragma once

#include <string>

namespace asg::lab {

// A file that a client named, as it lies below the folder `workspace`, which is all of the disk that clients may reach.
// Links are followed before it is judged. Throws io_error for absolute names and for all that lead out of the folder.
std::string file_below(const std::string& workspace, const std::string& name);

}  // namespace asg::lab
