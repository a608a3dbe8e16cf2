#include "lab_server/fixture.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <gtest/gtest.h>

namespace asg::lab {

void Recorder::add(Entry entry) {
  {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  changed_.notify_all();
}

void Recorder::connected(ClientId client, Access access) {
  add({.what = What::connected, .client = client, .access = access});
  if (on_connected) on_connected(client);
}

void Recorder::received(ClientId client, std::string_view text) {
  add({.what = What::received, .client = client, .text = std::string(text)});
  if (on_received) on_received(client, text);
}

void Recorder::closed(ClientId client) { add({.what = What::closed, .client = client}); }

std::vector<Recorder::Entry> Recorder::entries() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

std::size_t Recorder::count(Entry::What what) const {
  const std::vector<Entry> all = entries();
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [what](const Entry& entry) { return entry.what == what; }));
}

bool Recorder::wait_for(Entry::What what, std::size_t count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(20), [&] {
    const auto found =
        std::count_if(entries_.begin(), entries_.end(), [what](const Entry& entry) { return entry.what == what; });
    return static_cast<std::size_t>(found) >= count;
  });
}

ClientId Recorder::client(std::size_t position) const {
  for (const Entry& entry : entries()) {
    if (entry.what == What::connected && position-- == 0) return entry.client;
  }
  return 0;
}

std::unique_ptr<Client> TestServer::connect(int receive_buffer) {
  const std::size_t before = recorder.count(What::connected);
  auto client = std::make_unique<Client>(server.port(), "127.0.0.1", receive_buffer);
  EXPECT_EQ(client->upgrade(target()).status, 101);
  EXPECT_TRUE(recorder.wait_for(What::connected, before + 1));
  return client;
}

HttpAnswer TestServer::get(std::string_view target, std::string_view more_headers, std::string_view method) {
  Client client(server.port());
  client.send(std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: " + authority() + "\r\n" +
              std::string(more_headers) + "\r\n");
  return client.answer(method == "HEAD");
}

bool TestServer::is_alive() {
  if (get("/").status == 0) return false;
  const auto client = connect();
  const std::size_t before = recorder.count(What::received);
  return client->send_text("alive") && recorder.wait_for(What::received, before + 1);
}

}  // namespace asg::lab
