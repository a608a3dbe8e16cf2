#pragma once

#include <string>
#include <string_view>

namespace asg::lab {

// 192 bits of the system's generator, written in 32 characters that need no escaping in a URL.
std::string make_token();

// Whether a text may serve as a token: at least 16 letters, digits, '-' and '_'.
bool is_fit_for_token(std::string_view text);

// Takes as long whatever the texts hold and wherever they differ, so that the time tells nothing of the token; only
// their lengths do.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace asg::lab
