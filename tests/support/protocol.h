#pragma once

#include <set>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace asg::test {

// docs/protocol.schema.json.
const nlohmann::json& protocol();

// Names in one of its lists: "message", "event", "lab_message", "lab_event".
std::set<std::string> protocol_names(const std::string& list);

// The example of a message.
nlohmann::json protocol_example(const std::string& message);

// Where a message or an event breaks the schema, "" where it keeps to it. The kind is "message" or "event"; its name it
// tells itself.
std::string protocol_breach(const std::string& kind, const nlohmann::json& value);

}  // namespace asg::test
