#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace asg::data {

// The SHA-256 of a file of any size, read in pieces. `tell` hears how many bytes are done. Throws io_error.
std::string hash_of_file(const std::string& path, const std::function<void(std::int64_t done)>& tell = {});

}  // namespace asg::data
