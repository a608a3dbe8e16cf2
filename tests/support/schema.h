#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace asg::test {

// Where a value breaks a JSON Schema, in a sentence; "" where it keeps to it. Knows the words that
// docs/protocol.schema.json uses, and fails on any other, so that none is overlooked.
std::string breach(const nlohmann::json& value, const nlohmann::json& schema, const nlohmann::json& root);

}  // namespace asg::test
