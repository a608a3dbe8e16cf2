#pragma once

#include <string>
#include <vector>

#include "asg/zoo/zoo.h"

namespace asg::app {

// Settings of a model as the command line gives them: "classes=10". Throws bad_command where one has no value.
Attrs zoo_settings(const zoo::Model& model, const std::vector<std::string>& given);

}  // namespace asg::app
