#pragma once

#include <string>
#include <vector>

namespace asg::data {

std::string number_text(double number);                        // "0.1307"
std::string numbers_text(const std::vector<double>& numbers);  // "0.1, 0.2"

}  // namespace asg::data
