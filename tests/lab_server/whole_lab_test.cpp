// The Lab as it is started: server, hub and a training together, met by clients who mean harm.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/asg.h"
#include "asg/backend/backend_registry.h"
#include "asg/lab/lab.h"
#include "asg/lab/workspace.h"
#include "lab_server/client.h"

namespace asg::lab {
namespace {

using nlohmann::json;

constexpr const char* kMarkup = "<img src=x onerror=alert(1)>";

train::TrainingSpec marked_up_training() {
  Graph graph("<script>alert(1)</script>");
  const Tensor features = graph.input("features", {DType::f32, {4, 3}});
  const Tensor labels = graph.input("labels", {DType::i64, {4}});
  const Tensor logits = nn::linear(relu(features).named(kMarkup), 2, {.name = "head"});
  graph.set_output("loss", loss::cross_entropy(logits, labels));
  train::TrainingSpec spec;
  spec.model = std::move(graph);
  spec.backend = BackendRegistry::global().make("cpu");
  const data::Dataset examples = data::synthetic(4, {3}, 2, 5);
  spec.batch = [examples](std::int64_t) { return examples.all(); };
  return spec;
}

HubOptions careful_options() {
  HubOptions options;
  options.workspace = "tests/lab_server/page";
  options.open = [workspace = options.workspace](std::string_view request) -> Opened {
    file_below(workspace, json::parse(request).at("source").at("json"));
    fail(ErrorCode::io_error, "a file that is no model", "a model");
  };
  return options;
}

class WholeLab : public testing::Test {
 protected:
  WholeLab() : lab_({}, careful_options()) { lab_.hub().add("<b>bold</b>", marked_up_training()); }

  std::unique_ptr<Client> connect() {
    const std::string url = lab_.server().url();
    auto client = std::make_unique<Client>(lab_.server().port());
    EXPECT_EQ(client->upgrade("/ws" + url.substr(url.find('?'))).status, 101);
    return client;
  }

  // The direct answer to a message.
  static json ask(Client& client, json message) {
    message["ask"] = 77;
    client.send_text(message.dump());
    for (;;) {
      const auto text = client.text();
      if (!text) {
        ADD_FAILURE() << "no answer to " << message;
        return {{"event", "nothing"}};
      }
      json event = json::parse(*text);
      if (event.value("ask", 0) == 77) return event;
    }
  }

  // Whoever comes now is greeted and gets answers, and the training still trains.
  void expect_alive() {
    const auto client = connect();
    EXPECT_EQ(ask(*client, {{"do", "history"}}).at("event"), "history");
    EXPECT_EQ(ask(*client, {{"do", "run"}, {"steps", 1}}).at("event"), "paused");
  }

  Lab lab_;
};

TEST_F(WholeLab, RefusesNamesOfFilesThatLeadOut) {
  const auto client = connect();
  for (const char* name : {"../client.cpp", "/etc/passwd", "a/../../fixture.cpp", ".."}) {
    for (const json& message :
         {json{{"do", "load"}, {"which", name}}, json{{"do", "open"}, {"source", {{"json", name}}}}}) {
      const json answer = ask(*client, message);
      EXPECT_EQ(answer.at("event"), "failed") << message;
      EXPECT_EQ(answer.at("error").at("needed"), "one below the workspace of the Lab") << answer;
    }
  }
  // What lies below is looked for, and is no checkpoint.
  const json inside = ask(*client, {{"do", "load"}, {"which", "assets"}});
  EXPECT_EQ(inside.at("event"), "failed");
  EXPECT_NE(inside.at("error").at("needed"), "one below the workspace of the Lab") << inside;
  expect_alive();
}

TEST_F(WholeLab, RefusesMalformedMessagesAndGoesOn) {
  const auto client = connect();
  const std::string texts[] = {
      "",
      "{",
      "null",
      "[1,2",
      R"({"do":"run","do":7})",
      R"({"do":"level","view":"model","scope":{}})",
      R"({"do":"subscribe","values":[1e999]})",
      R"({"do":"set_value","path":"head.bias","value":[null]})",
      R"({"do":"run","training":18446744073709551616})",
      std::string(5'000, '['),
      R"({"do":"find","view":"model","text":")" + std::string(100'000, 'x') + "\",\"limit\":-5}"};
  for (const std::string& text : texts) {
    ASSERT_TRUE(client->send_text(text)) << text.substr(0, 80);
    for (;;) {
      const auto answer = client->text();
      ASSERT_TRUE(answer) << text.substr(0, 80);
      if (json::parse(*answer).at("event") == "failed") break;
    }
  }
  expect_alive();
}

TEST_F(WholeLab, AFloodOfThousandsOfMessagesEndsItsClientAlone) {
  const auto other = connect();
  const auto flooder = connect();
  int sent = 0;
  while (sent < 5'000 && flooder->send_text(R"({"do":"level","view":"model","scope":""})")) ++sent;
  EXPECT_EQ(flooder->close_code(), 1008);
  EXPECT_EQ(ask(*other, {{"do", "history"}}).at("event"), "history");
  expect_alive();
}

TEST_F(WholeLab, AMessageBeyondTheLimitEndsItsClientAlone) {
  const auto other = connect();
  const auto client = connect();
  client->send_text(R"({"do":"find","view":"model","text":")" + std::string((1U << 20) + 1, 'x') + "\"}");
  EXPECT_EQ(client->close_code(), 1009);
  EXPECT_EQ(ask(*other, {{"do", "history"}}).at("event"), "history");
  expect_alive();
}

// What a model file calls its nodes comes as it is, in JSON, and from no address that a browser would take for a page.
TEST_F(WholeLab, MarkupInNamesStaysText) {
  const auto client = connect();
  const json welcome = json::parse(*client->text());
  EXPECT_EQ(welcome.at("trainings").at(0).at("label"), "<b>bold</b>");
  const json level = ask(*client, {{"do", "level"}, {"view", "model"}, {"scope", ""}});
  ASSERT_EQ(level.at("event"), "level") << level;
  bool found = false;
  for (const json& item : level.at("items")) found = found || item.at("name") == kMarkup;
  EXPECT_TRUE(found) << level;
  const json described = ask(*client, {{"do", "describe"}, {"view", "model"}, {"path", kMarkup}});
  EXPECT_EQ(described.at("path"), kMarkup) << described;
  EXPECT_EQ(described.at("formula").get<std::string>().find("onerror"), std::string::npos);
  Client page(lab_.server().port());
  const HttpAnswer answer =
      page.request("GET /" + std::string("<img%20src=x%20onerror=alert(1)>") +
                   " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(lab_.server().port()) + "\r\n\r\n");
  EXPECT_GE(answer.status, 400);
  EXPECT_EQ(answer.body.find("<img"), std::string::npos) << answer.body;
  expect_alive();
}

}  // namespace
}  // namespace asg::lab
