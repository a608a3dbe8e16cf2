#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "asg/lab/server.h"
#include "lab_server/client.h"

namespace asg::lab {

Assets test_page();  // the files of tests/lab_server/page

// Writes down what the server tells, and may act on it.
class Recorder : public Sessions {
 public:
  struct Entry {
    enum class What : std::uint8_t { connected, received, closed } what;
    ClientId client;
    std::string text = {};
    Access access = Access::full;
  };
  // Called with the lock free, on the server's thread.
  std::function<void(ClientId)> on_connected = {};
  std::function<void(ClientId, std::string_view)> on_received = {};

  void connected(ClientId client, Access access) override;
  void received(ClientId client, std::string_view text) override;
  void closed(ClientId client) override;

  std::vector<Entry> entries() const;
  std::size_t count(Entry::What what) const;
  // Waits until there are so many of that kind; false when that takes too long.
  bool wait_for(Entry::What what, std::size_t count);
  ClientId client(std::size_t position) const;  // that connected as number `position`, from 0

 private:
  void add(Entry entry);
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry> entries_;
};

using What = Recorder::Entry::What;

inline std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

// A server with a recorder, and what a test needs to reach it.
struct TestServer {
  explicit TestServer(ServerOptions options = {}, Assets assets = test_page())
      : server(std::move(options), assets, recorder) {}

  std::string target() const { return "/ws" + query(server.url()); }  // of the WebSocket, with the token
  std::string viewer_target() const { return "/ws" + query(server.viewer_url()); }
  std::string authority() const { return "127.0.0.1:" + std::to_string(server.port()); }
  // Connects, and waits until the server has told of it.
  std::unique_ptr<Client> connect(int receive_buffer = 0);
  // "GET /x HTTP/1.1", with the right Host and more lines.
  HttpAnswer get(std::string_view target, std::string_view more_headers = {}, std::string_view method = "GET");
  // A client that comes now is served: whatever happened before did no harm.
  bool is_alive();

  Recorder recorder;
  Server server;

 private:
  static std::string query(const std::string& url) { return url.substr(url.find('?')); }
};

}  // namespace asg::lab
