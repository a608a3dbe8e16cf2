// The WebSocket: who gets one, what goes over it, and what ends it.
#include <gtest/gtest.h>

#include "asg/lab/tensor_frame.h"
#include "lab_server/fixture.h"

namespace asg::lab {
namespace {

TEST(LabSocket, AnswersTheHandshake) {
  TestServer lab;
  Client client(lab.server.port());
  const HttpAnswer answer = client.upgrade(lab.target(), "Origin: http://" + lab.authority() + "\r\n");
  EXPECT_EQ(answer.status, 101);
  EXPECT_EQ(answer.headers.at("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");  // of the RFC's example
  EXPECT_EQ(answer.headers.count("sec-websocket-extensions"), 0u);
}

TEST(LabSocket, KnowsWhoMayDoWhat) {
  const auto access_of = [](bool read_only, bool viewer) {
    TestServer lab({.read_only = read_only});
    Client client(lab.server.port());
    EXPECT_EQ(client.upgrade(viewer ? lab.viewer_target() : lab.target()).status, 101);
    EXPECT_TRUE(lab.recorder.wait_for(What::connected, 1));
    return lab.recorder.entries().at(0).access;
  };
  EXPECT_EQ(access_of(false, false), Access::full);
  EXPECT_EQ(access_of(false, true), Access::read_only);
  EXPECT_EQ(access_of(true, false), Access::read_only);
  EXPECT_EQ(access_of(true, true), Access::read_only);
}

TEST(LabSocket, RefusesStrangersAndLivesOn) {
  TestServer lab;
  const auto status = [&](const std::string& target, const std::string& headers = "", const std::string& host = "") {
    return Client(lab.server.port()).upgrade(target, headers, host).status;
  };
  EXPECT_EQ(status("/ws"), 403);
  EXPECT_EQ(status("/ws?token=" + std::string(32, 'A')), 403);
  EXPECT_EQ(status(lab.target() + "x"), 403);
  EXPECT_EQ(status(lab.target(), "Origin: http://evil.example\r\n"), 403);
  EXPECT_EQ(status(lab.target(), "Origin: null\r\n"), 403);
  EXPECT_EQ(status(lab.target(), "Origin: http://127.0.0.1:1\r\n"), 403);
  EXPECT_EQ(status(lab.target(), "", "evil.example"), 403);
  EXPECT_EQ(status(lab.target(), "", "evil.example:" + std::to_string(lab.server.port())), 403);
  // Another path is a file, whatever it asks to become.
  EXPECT_EQ(status("/?token=x"), 200);
  // Frames that come before the answer.
  Client hasty(lab.server.port());
  hasty.send("GET " + lab.target() + " HTTP/1.1\r\nHost: " + lab.authority() +
             "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x81\x80\x01\x01\x01\x01");
  EXPECT_EQ(hasty.answer().status, 400);
  // An old version of the protocol is told which one is spoken.
  const HttpAnswer old = Client(lab.server.port())
                             .request("GET " + lab.target() + " HTTP/1.1\r\nHost: " + lab.authority() +
                                      "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n"
                                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  EXPECT_EQ(old.status, 426);
  EXPECT_EQ(lab.recorder.count(What::connected), 0u);
  EXPECT_TRUE(lab.is_alive());
}

TEST(LabSocket, CarriesMessagesBothWaysInOrder) {
  TestServer lab;
  lab.recorder.on_received = [&](ClientId client, std::string_view text) {
    lab.server.send(client, shared("answer to " + std::string(text)));
  };
  const auto client = lab.connect();
  for (int number = 0; number < 200; ++number) ASSERT_TRUE(client->send_text(std::to_string(number)));
  for (int number = 0; number < 200; ++number) ASSERT_EQ(client->text(), "answer to " + std::to_string(number));
  // In pieces, with a ping between them, and beyond ASCII.
  client->send_frame(Opcode::text, "\xD0\xBF\xD1", false);
  client->send_frame(Opcode::ping, "are you there");
  client->send_frame(Opcode::more, "\x80\xD0\xB8", true);
  const auto pong = client->frame();
  ASSERT_TRUE(pong);
  EXPECT_EQ(pong->opcode, Opcode::pong);
  EXPECT_EQ(pong->payload, "are you there");
  EXPECT_EQ(client->text(), "answer to при");
}

TEST(LabSocket, CarriesBinaryAndLargeFramesAmongOthers) {
  TestServer lab;
  const auto client = lab.connect();
  const ClientId id = lab.recorder.client(0);
  std::vector<float> values(1 << 20);
  for (std::size_t at = 0; at < values.size(); ++at) values[at] = static_cast<float>(at);
  lab.server.send(id, shared("before"));
  lab.server.send_binary(id, shared(tensor_frame(R"({"event":"tensor"})", values)));
  lab.server.send(id, shared(""));
  lab.server.send(id, shared("after"));
  EXPECT_EQ(client->text(), "before");
  const auto frame = client->frame();
  ASSERT_TRUE(frame);
  EXPECT_TRUE(frame->last);
  EXPECT_EQ(frame->opcode, Opcode::binary);
  EXPECT_EQ(read_tensor_frame(frame->payload).values, values);
  EXPECT_EQ(client->text(), "");
  EXPECT_EQ(client->text(), "after");
}

TEST(LabSocket, EndsWithTheRightCode) {
  struct Row {
    std::string_view name;
    std::function<void(Client&)> act;
    int code;
  };
  const Row rows[] = {
      {"goodbye", [](Client& client) { client.send_frame(Opcode::close, "\x03\xE8"); }, 1000},
      {"too large", [](Client& client) { client.send_text(std::string(5000, 'x')); }, 1009},
      {"too large in pieces",
       [](Client& client) {
         client.send_frame(Opcode::text, std::string(900, 'x'), false);
         client.send_frame(Opcode::more, std::string(900, 'x'), true);
       },
       1009},
      {"not UTF-8", [](Client& client) { client.send_text("\xFF\xFE"); }, 1007},
      {"binary", [](Client& client) { client.send_frame(Opcode::binary, "x"); }, 1003},
      {"not masked", [](Client& client) { client.send_frame(Opcode::text, "x", true, false); }, 1002},
      {"reserved bits", [](Client& client) { client.send("\xF1\x81\x01\x01\x01\x01\x01"); }, 1002},
      {"unknown opcode", [](Client& client) { client.send_frame(static_cast<Opcode>(3), "x"); }, 1002},
      {"more of nothing", [](Client& client) { client.send_frame(Opcode::more, "x"); }, 1002},
      {"ping in pieces", [](Client& client) { client.send_frame(Opcode::ping, "x", false); }, 1002},
      {"long ping", [](Client& client) { client.send_frame(Opcode::ping, std::string(200, 'x')); }, 1002},
      {"bad close code", [](Client& client) { client.send_frame(Opcode::close, "\x03\xEC"); }, 1002},
      {"an absurd length",
       [](Client& client) { client.send(std::string("\x81\xFF\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x01\x01\x01", 14)); },
       1009},
  };
  TestServer lab({.limits = {.message_bytes = 1000}});
  for (const Row& row : rows) {
    const std::size_t before = lab.recorder.count(What::closed);
    const auto client = lab.connect();
    row.act(*client);
    EXPECT_EQ(client->close_code(), row.code) << row.name;
    client->close();
    EXPECT_TRUE(lab.recorder.wait_for(What::closed, before + 1)) << row.name;
  }
  EXPECT_EQ(lab.recorder.count(What::received), 0u);
  EXPECT_TRUE(lab.is_alive());
}

TEST(LabSocket, ClosesWithAReasonAfterWhatWaits) {
  TestServer lab;
  const auto client = lab.connect();
  const ClientId id = lab.recorder.client(0);
  lab.server.send(id, shared("last words"));
  lab.server.close(id, "the training is over");
  lab.server.send(id, shared("too late"));
  EXPECT_EQ(client->text(), "last words");
  EXPECT_EQ(client->text(), std::nullopt);
  EXPECT_EQ(client->close_code(), 1000);
  EXPECT_EQ(client->close_reason(), "the training is over");
  client->close();
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 1));
  // Whoever is gone is ignored.
  lab.server.send(id, shared("nobody"));
  lab.server.close(id, "nobody");
  lab.server.send(12345, shared("nobody"));
  EXPECT_TRUE(lab.is_alive());
}

TEST(LabSocket, TellsOfTheEndHoweverItComes) {
  TestServer lab({.limits = {.close_seconds = 0.2}});
  lab.connect()->close();
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 1));
  lab.connect()->reset();
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 2));
  // One that never answers the goodbye.
  const auto deaf = lab.connect();
  lab.server.close(lab.recorder.client(2), "x");
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 3));
  EXPECT_TRUE(lab.is_alive());
}

TEST(LabSocket, PingsWhoIsSilentAndGivesUpTheDead) {
  TestServer lab({.limits = {.idle_seconds = 1}});
  const auto alive = lab.connect();
  const auto dead = lab.connect();
  const auto ping = alive->frame();
  ASSERT_TRUE(ping);
  EXPECT_EQ(ping->opcode, Opcode::ping);
  alive->send_frame(Opcode::pong, ping->payload);
  // The other one does not answer. The first is pinged again and again meanwhile.
  while (lab.recorder.count(What::closed) == 0) {
    const auto next = alive->frame();
    ASSERT_TRUE(next);
    alive->send_frame(Opcode::pong, next->payload);
  }
  EXPECT_EQ(lab.recorder.entries().back().client, lab.recorder.client(1));
  EXPECT_TRUE(alive->send_text("still here"));
  EXPECT_TRUE(lab.recorder.wait_for(What::received, 1));
}

TEST(LabSocket, AnErrorOfTheOwnerCostsOnlyThatClient) {
  TestServer lab;
  lab.recorder.on_received = [](ClientId, std::string_view text) {
    if (text == "bad") throw std::runtime_error("a mistake, made for a test");
  };
  const auto client = lab.connect();
  client->send_text("bad");
  EXPECT_EQ(client->close_code(), 1011);
  EXPECT_TRUE(lab.is_alive());
}

}  // namespace
}  // namespace asg::lab
