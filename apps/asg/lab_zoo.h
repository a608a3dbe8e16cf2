#pragma once

#include <string>
#include <vector>

namespace asg::app {

// Changes of the recipe by which the Lab trains a model of the zoo when nobody says more: data that the program has
// and the model can read, and for large models smaller steps on smaller batches. Throws bad_command for an unknown
// model, limit_exceeded for one that this machine has no memory to train.
std::vector<std::string> changes_for_zoo(const std::string& model, bool has_data,
                                         const std::vector<std::string>& settings);

}  // namespace asg::app
