// The reader of requests and docs/protocol.schema.json agree on what may be said.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "lab/requests.h"
#include "support/protocol.h"

namespace asg::test {
namespace {

using nlohmann::json;

bool is_read(const json& message) {
  std::optional<std::int64_t> ask;
  try {
    lab::request_from_json(message.dump(), ask);
    return true;
  } catch (const UserError& error) {
    EXPECT_FALSE(error.detail().needed.empty()) << message;
    return false;
  }
}

// Values of every kind, and numbers at the ends of what fields allow.
std::vector<json> odd_values() {
  std::vector<json> values = {nullptr, true, -1, 0, 1, 1.5, "", "model", "upside down", json::array(), json::object()};
  values.push_back(json::array({"a", 1}));
  values.push_back(json{{"zoo", "a"}, {"run", "b"}});
  values.push_back(json{{"zoo", 1}});
  values.push_back(json{{"elsewhere", "a"}});
  for (const std::int64_t most : {500LL, 1'000'000LL, 1LL << 22, 1LL << 53}) {
    values.push_back(most);
    values.push_back(most + 1);
  }
  for (const std::size_t count : {256U, 257U}) values.push_back(std::vector<std::string>(count, "a"));
  return values;
}

// Every example with one of its fields, or of those that it could have, changed.
template <class Check>
void with_changed_fields(const std::string& list, Check check) {
  for (const std::string& name : protocol_names(list)) {
    const json example = protocol_example(name);
    for (const auto& [field, meaning] : protocol().at("$defs").at("message." + name).at("properties").items()) {
      if (field == "do") continue;
      json message = example;
      message.erase(field);
      check(message);
      for (const json& value : odd_values()) {
        message[field] = value;
        check(message);
      }
    }
  }
}

TEST(RequestSchema, EveryExampleIsRead) {
  for (const char* list : {"message", "lab_message"}) {
    for (const std::string& name : protocol_names(list)) {
      json example = protocol_example(name);
      example["ask"] = 7;
      example["training"] = 3;
      EXPECT_EQ(protocol_breach("message", example), "");
      std::optional<std::int64_t> ask;
      const lab::Request request = lab::request_from_json(example.dump(), ask);
      EXPECT_EQ(request.name, name);
      EXPECT_EQ(request.ask, 7);
      EXPECT_EQ(request.training, train::TrainingId{3});
      EXPECT_EQ(std::holds_alternative<train::Message>(request.question), std::string(list) == "message") << name;
    }
  }
}

TEST(RequestSchema, FieldsThatTheSchemaDoesNotKnowAreRefused) {
  for (const char* list : {"message", "lab_message"}) {
    for (const std::string& name : protocol_names(list)) {
      json example = protocol_example(name);
      example["surprise"] = 1;
      EXPECT_NE(protocol_breach("message", example), "");
      EXPECT_FALSE(is_read(example)) << example;
    }
  }
}

TEST(RequestSchema, MessagesToTheLabAreReadWhereTheyKeepToTheSchema) {
  int kept = 0;
  int broken = 0;
  with_changed_fields("lab_message", [&](const json& message) {
    // Nobody has so many trainings; the reader says so, the schema leaves it open.
    if (message.contains("training") && message["training"].is_number() && message["training"] > (1LL << 31)) return;
    const std::string breach = protocol_breach("message", message);
    EXPECT_EQ(is_read(message), breach.empty()) << message << "; " << breach;
    ++(breach.empty() ? kept : broken);
  });
  EXPECT_GT(kept, 50);
  EXPECT_GT(broken, 300);
}

// What is inside an edit or a schedule the schema does not say: there the reader is stricter.
TEST(RequestSchema, MessagesToATrainingThatBreakTheSchemaAreRefused) {
  int broken = 0;
  with_changed_fields("message", [&](const json& message) {
    if (protocol_breach("message", message).empty()) return;
    const bool is_rate_below_zero = message.contains("rate") && message["rate"].is_number();
    if (is_rate_below_zero) return;  // the trainer refuses it, as it does for those who call it themselves
    EXPECT_FALSE(is_read(message)) << message;
    ++broken;
  });
  EXPECT_GT(broken, 500);
}

}  // namespace
}  // namespace asg::test
