#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace asg::lab {

struct HttpAnswer {
  int status = 0;                              // 0: none came
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

enum class Opcode : std::uint8_t { more = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

struct WireFrame {
  bool last = true;
  Opcode opcode = Opcode::text;
  std::string payload;
};

// The other end, from plain sockets, so that it can break every rule. Nothing of it waits for longer than `patience`.
class Client {
 public:
  explicit Client(std::uint16_t port, const std::string& address = "127.0.0.1", int receive_buffer = 0);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_connected() const { return socket_ >= 0; }
  bool send(std::string_view bytes);  // false when the other end is gone
  HttpAnswer answer(bool head_only = false);
  HttpAnswer request(std::string_view bytes) { return send(bytes) ? answer() : HttpAnswer{}; }
  bool is_closed();  // waits for the end; bytes before it are left out
  void close();      // in good order, of the connection alone
  void reset();      // as when the cable is cut and the system tells

  // Asks for a WebSocket; 101 when it became one.
  HttpAnswer upgrade(std::string_view target, std::string_view more_headers = {}, std::string_view host = {});
  bool send_frame(Opcode opcode, std::string_view payload, bool last = true, bool masked = true);
  bool send_text(std::string_view text) { return send_frame(Opcode::text, text); }
  std::optional<WireFrame> frame();   // the next one, whatever it is; nothing when the connection ends
  std::optional<std::string> text();  // of the next text or binary frame; answers pings; nothing on a close
  // The code of the close frame, after any other frames; 1006 where the connection ends without one, as browsers say.
  int close_code();
  const std::string& close_reason() const { return close_reason_; }

 private:
  bool fill();  // reads more; false at the end
  bool need(std::size_t bytes);

  int socket_ = -1;
  std::uint16_t port_;
  std::string buffer_;
  std::string close_reason_;
  std::optional<int> close_code_;
};

}  // namespace asg::lab
