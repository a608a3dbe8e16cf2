#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "asg/core/error.h"

namespace asg::lab {

// What an exception says to whoever asked.
ErrorDetail detail_of(const std::exception& error);

// {"event":"failed", …}: why something that was asked for is not done.
std::string failed_json(std::optional<std::int64_t> ask, std::string_view message, const ErrorDetail& error);

// Puts the number of the question into a JSON object that answers it.
std::string with_ask(std::string object, std::optional<std::int64_t> ask);

}  // namespace asg::lab
