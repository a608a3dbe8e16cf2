#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "asg/lab/assets.h"

// HTTP and WebSocket for the Lab. It serves the files of the page and carries frames; what they say is the affair of
// others. docs/lab-server.md tells what it checks.
namespace asg::lab {

using ClientId = std::uint64_t;  // from 1, never used twice

enum class Access : std::uint8_t { full, read_only };

struct Limits {
  std::size_t message_bytes = std::size_t{1} << 20;  // of one message from a client
  double messages_per_second = 200;                  // from one client, in the long run
  double burst = 400;                                // and at once
  std::size_t clients = 32;                          // WebSockets
  std::size_t connections = 128;                     // all together; beyond it the oldest without a token is closed
  std::size_t queued_bytes = std::size_t{16} << 20;  // that may wait for one client
  std::size_t header_bytes = std::size_t{16} << 10;  // of one request
  double first_bytes_seconds = 2;                    // for a new connection to say anything
  double handshake_seconds = 5;                      // for a request to arrive, and for a reply to be taken
  double idle_seconds = 60;  // a client that answers no ping for so long is gone; pings go out at half of it
  double close_seconds = 1;  // for a client to take its last frames and say goodbye
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // address or name to listen at; "0.0.0.0" or "::" for all
  std::uint16_t port = 0;          // 0: a free one
  bool read_only = false;          // nobody gets full access
  std::string token = {};          // made when empty; else at least 16 letters, digits, '-' and '_'
  // Further names by which a browser may know this server: "lab.example.org" at any port, "localhost:9000" at that one
  // (the near end of a tunnel).
  std::vector<std::string> hosts = {};
  Limits limits = {};
};

// What a server tells of its clients. Called on the server's thread, one call at a time; must not block for long. What
// it throws is logged and costs that client its connection. A client who knows the port and a token that was given
// may arrive before the constructor of the server has returned.
class Sessions {
 public:
  virtual ~Sessions() = default;
  virtual void connected(ClientId client, Access access) = 0;
  virtual void received(ClientId client, std::string_view text) = 0;  // one message, valid UTF-8
  virtual void closed(ClientId client) = 0;                           // once for each that was connected; the last call
};

class Server {
 public:
  // Listens when it returns. Throws io_error where the address cannot be had, bad_attribute for a weak token.
  // `sessions` must live longer.
  Server(ServerOptions options, const Assets& assets, Sessions& sessions);
  ~Server();  // stops; not to be called on the server's thread
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  std::string url() const;         // with the token: whoever has it may do all
  std::string viewer_url() const;  // with another token: whoever has it may look

  // From any thread; they never wait for a socket, and ignore clients that are gone. A client gets frames in the order
  // in which they were sent. A frame with a key may be dropped: it replaces one of the same key that still waits, and
  // where there is no room for it it is left out. A frame without a key that does not fit closes the client.
  void send(ClientId client, std::shared_ptr<const std::string> text, std::string_view key = {});
  void send_binary(ClientId client, std::shared_ptr<const std::string> bytes);
  // After what waits for it; the reason is cut at 120 bytes.
  void close(ClientId client, std::string_view reason);
  // Closes all clients and ends the server's thread, within a second. `closed` has been called for all when it returns,
  // unless it is called on the server's thread: then it only begins.
  void stop();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace asg::lab
