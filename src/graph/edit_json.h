#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "asg/graph/edit.h"
#include "json_out.h"

namespace asg {

void write_edit(JsonOut& out, const Edit& edit);
// `pointer` is where the value stands in the text, for messages. Throws bad_command, and what attributes and tensors
// throw.
Edit read_edit(const nlohmann::json& value, const std::string& pointer);

}  // namespace asg
