// Many clients, slow ones, those that flood, and a server that stops amid all of it.
#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "lab_server/fixture.h"

namespace asg::lab {
namespace {

// No time is asserted tightly; a server that hangs would never come to an end at all.
double seconds_to_stop(Server& server) {
  const auto begin = std::chrono::steady_clock::now();
  server.stop();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

constexpr double kStopsWithin = 5;

TEST(LabLoad, ServesAsManyClientsAsAllowed) {
  TestServer lab({.limits = {.clients = 20}});
  std::vector<std::unique_ptr<Client>> clients;
  for (int count = 0; count < 20; ++count) clients.push_back(lab.connect());
  const HttpAnswer surplus = Client(lab.server.port()).upgrade(lab.target());
  EXPECT_EQ(surplus.status, 503);
  EXPECT_NE(surplus.body.find("clients"), std::string::npos);
  for (std::size_t index = 0; index < clients.size(); ++index) {
    for (int number = 0; number < 50; ++number) {
      lab.server.send(lab.recorder.client(index), shared(std::to_string(index) + " " + std::to_string(number)));
    }
  }
  for (std::size_t index = 0; index < clients.size(); ++index) {
    for (int number = 0; number < 50; ++number) {
      ASSERT_EQ(clients[index]->text(), std::to_string(index) + " " + std::to_string(number));
    }
  }
  clients.erase(clients.begin());
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 1));
  EXPECT_TRUE(lab.is_alive());
}

// One client reads nothing. What may be dropped is dropped for it alone; the other gets every frame, and sending never
// waits.
TEST(LabLoad, ASlowClientLosesOnlyWhatMayBeDropped) {
  constexpr int kFrames = 300;
  TestServer lab({.limits = {.queued_bytes = std::size_t{64} << 20}});
  const auto slow = lab.connect(4096);
  const auto quick = lab.connect();
  std::atomic<int> arrived = 0;
  std::thread reader([&] {
    for (int number = 0; number < kFrames; ++number) {
      const auto text = quick->text();
      ASSERT_TRUE(text);
      ASSERT_EQ(text->substr(0, text->find('.')), "step " + std::to_string(number));
      ++arrived;
    }
  });
  const std::string padding(100000, '.');
  for (int number = 0; number < kFrames; ++number) {
    const auto frame = shared("step " + std::to_string(number) + padding);
    lab.server.send(lab.recorder.client(0), frame, "step");
    lab.server.send(lab.recorder.client(1), frame);
  }
  lab.server.send(lab.recorder.client(0), shared("the end"));
  reader.join();
  EXPECT_EQ(arrived, kFrames);

  int last = -1;
  int got = 0;
  for (auto text = slow->text(); text && *text != "the end"; text = slow->text()) {
    const int number = std::stoi(text->substr(5));
    EXPECT_GT(number, last);
    last = number;
    ++got;
  }
  EXPECT_EQ(last, kFrames - 1);  // the newest state came through
  EXPECT_LT(got, kFrames);
}

TEST(LabLoad, AClientThatIsTooSlowForWhatMustArriveIsClosed) {
  TestServer lab({.limits = {.queued_bytes = std::size_t{1} << 20, .close_seconds = 0.3}});
  const auto slow = lab.connect(4096);
  const auto other = lab.connect();
  const auto frame = shared(std::string(100000, 'x'));
  for (int number = 0; number < 200; ++number) lab.server.send(lab.recorder.client(0), frame);
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 1));
  EXPECT_EQ(lab.recorder.entries().back().client, lab.recorder.client(0));
  lab.server.send(lab.recorder.client(1), shared("hello"));
  EXPECT_EQ(other->text(), "hello");
}

// The same, but it reads again before the server's patience ends: then it learns the reason.
TEST(LabLoad, AClientThatWakesUpInTimeLearnsWhy) {
  TestServer lab({.limits = {.queued_bytes = std::size_t{1} << 20, .close_seconds = 20}});
  const auto slow = lab.connect(4096);
  const auto frame = shared(std::string(100000, 'x'));
  for (int number = 0; number < 200; ++number) lab.server.send(lab.recorder.client(0), frame);
  EXPECT_EQ(slow->close_code(), 1013);
  EXPECT_EQ(slow->close_reason(), "too slow for what is sent");
}

TEST(LabLoad, AFloodEndsOneClientAndNoOther) {
  for (const Opcode opcode : {Opcode::text, Opcode::ping}) {
    TestServer lab({.limits = {.messages_per_second = 10, .burst = 30}});
    const auto other = lab.connect();
    const auto flooder = lab.connect();
    for (int number = 0; number < 500; ++number) {
      if (!flooder->send_frame(opcode, "x")) break;
    }
    EXPECT_EQ(flooder->close_code(), 1008);
    EXPECT_EQ(flooder->close_reason(), "too many messages in a short time");
    flooder->close();
    EXPECT_TRUE(lab.recorder.wait_for(What::closed, 1));
    EXPECT_LT(lab.recorder.count(What::received), 200u);
    lab.server.send(lab.recorder.client(0), shared("hello"));
    EXPECT_EQ(other->text(), "hello");
    EXPECT_TRUE(lab.is_alive());
  }
}

TEST(LabLoad, HalfOpenConnectionsHoldNobodyUp) {
  TestServer lab;
  std::vector<std::unique_ptr<Client>> half_open;
  for (int count = 0; count < 30; ++count) {
    half_open.push_back(std::make_unique<Client>(lab.server.port()));
    if (count % 3 == 1) half_open.back()->send("GET /ws");
    if (count % 3 == 2) half_open.back()->send("GET / HTTP/1.1\r\nHost: x\r\n");
  }
  EXPECT_TRUE(lab.is_alive());
  EXPECT_LT(seconds_to_stop(lab.server), kStopsWithin);
  for (const auto& client : half_open) EXPECT_TRUE(client->is_closed());
}

TEST(LabLoad, StoppingTellsEveryClientAndTheOwner) {
  TestServer lab;
  std::vector<std::unique_ptr<Client>> clients;
  for (int count = 0; count < 5; ++count) clients.push_back(lab.connect());
  const auto deaf = lab.connect(4096);
  for (int number = 0; number < 50; ++number) lab.server.send(lab.recorder.client(5), shared(std::string(100000, 'x')));
  lab.server.send(lab.recorder.client(0), shared("last words"));
  EXPECT_LT(seconds_to_stop(lab.server), kStopsWithin);
  EXPECT_EQ(lab.recorder.count(What::closed), 6u);
  EXPECT_EQ(clients[0]->text(), "last words");
  for (const auto& client : clients) EXPECT_EQ(client->close_code(), 1001);
  // Afterwards all is quiet, and nothing harms.
  lab.server.send(lab.recorder.client(0), shared("nobody"));
  lab.server.close(lab.recorder.client(0), "nobody");
  lab.server.stop();
}

TEST(LabLoad, StopsUnderLoad) {
  TestServer lab;
  lab.recorder.on_received = [&](ClientId client, std::string_view text) {
    lab.server.send(client, shared(std::string(text)));
  };
  std::vector<std::unique_ptr<Client>> clients;
  for (int count = 0; count < 6; ++count) clients.push_back(lab.connect());
  std::atomic<bool> over = false;
  std::vector<std::thread> threads;
  for (std::size_t index = 0; index < clients.size(); ++index) {
    threads.emplace_back([&, index] {
      while (!over && clients[index]->send_text("ping") && clients[index]->text()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(6));
      }
    });
  }
  for (int sender = 0; sender < 2; ++sender) {
    threads.emplace_back([&] {
      while (!over) {
        for (std::size_t index = 0; index < clients.size(); ++index) {
          lab.server.send(lab.recorder.client(index), shared("news"), "news");
        }
        std::this_thread::yield();
      }
    });
  }
  EXPECT_TRUE(lab.recorder.wait_for(What::received, 100));
  std::thread also([&] { lab.server.stop(); });
  EXPECT_LT(seconds_to_stop(lab.server), kStopsWithin);
  also.join();
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(lab.recorder.count(What::closed), 6u);
}

TEST(LabLoad, TheOwnerMayStopItFromWithin) {
  TestServer lab;
  lab.recorder.on_received = [&](ClientId, std::string_view) { lab.server.stop(); };
  const auto client = lab.connect();
  client->send_text("stop");
  EXPECT_EQ(client->close_code(), 1001);
  client->close();
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 1));
}

}  // namespace
}  // namespace asg::lab
