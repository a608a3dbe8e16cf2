#include "lab_server/client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace asg::lab {
namespace {

constexpr int kPatienceSeconds = 20;

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

}  // namespace

Client::Client(std::uint16_t port, const std::string& address, int receive_buffer) : port_(port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) return;
  socket_ = ::socket(found->ai_family, SOCK_STREAM, 0);
  if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
  const timeval patience{.tv_sec = kPatienceSeconds, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  if (connect(socket_, found->ai_addr, found->ai_addrlen) != 0) close();
  freeaddrinfo(found);
}

Client::~Client() { close(); }

void Client::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void Client::reset() {
  const linger now{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
  close();
}

bool Client::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Client::fill() {
  std::array<char, 65536> bytes;
  const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
  if (count <= 0) return false;
  buffer_.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

bool Client::need(std::size_t bytes) {
  while (buffer_.size() < bytes) {
    if (!fill()) return false;
  }
  return true;
}

bool Client::is_closed() {
  buffer_.clear();
  std::array<char, 65536> bytes;
  while (true) {
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
    if (count == 0) return true;
    if (count < 0) return errno == ECONNRESET || errno == EPIPE;
  }
}

HttpAnswer Client::answer(bool head_only) {
  HttpAnswer answer;
  std::size_t end = std::string::npos;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!fill()) return answer;
  }
  const std::string head = buffer_.substr(0, end + 2);
  buffer_.erase(0, end + 4);
  answer.status = std::atoi(head.c_str() + head.find(' ') + 1);
  for (std::size_t line = head.find("\r\n") + 2; line < head.size();) {
    const std::size_t line_end = head.find("\r\n", line);
    const std::size_t colon = head.find(": ", line);
    answer.headers[lower_case(head.substr(line, colon - line))] = head.substr(colon + 2, line_end - colon - 2);
    line = line_end + 2;
  }
  const auto length = answer.headers.find("content-length");
  if (length == answer.headers.end() || head_only) return answer;
  const auto count = static_cast<std::size_t>(std::atoll(length->second.c_str()));
  if (!need(count)) return {};
  answer.body = buffer_.substr(0, count);
  buffer_.erase(0, count);
  return answer;
}

HttpAnswer Client::upgrade(std::string_view target, std::string_view more_headers, std::string_view host) {
  const std::string name = host.empty() ? "127.0.0.1:" + std::to_string(port_) : std::string(host);
  return request("GET " + std::string(target) + " HTTP/1.1\r\nHost: " + name +
                 "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                 std::string(more_headers) + "\r\n");
}

bool Client::send_frame(Opcode opcode, std::string_view payload, bool last, bool masked) {
  std::string bytes;
  bytes.push_back(static_cast<char>((last ? 0x80 : 0) | static_cast<int>(opcode)));
  const int mask_bit = masked ? 0x80 : 0;
  const int length_bytes = payload.size() < 126 ? 0 : payload.size() < 65536 ? 2 : 8;
  const std::size_t code = length_bytes == 0 ? payload.size() : length_bytes == 2 ? 126 : 127;
  bytes.push_back(static_cast<char>(mask_bit | static_cast<int>(code)));
  for (int place = length_bytes - 1; place >= 0; --place) {
    bytes.push_back(static_cast<char>((static_cast<std::uint64_t>(payload.size()) >> (8 * place)) & 0xFF));
  }
  constexpr std::string_view kMask = "\x12\x34\x56\x78";
  if (masked) bytes += kMask;
  const std::size_t begin = bytes.size();
  bytes += payload;
  for (std::size_t at = 0; masked && at < payload.size(); ++at) bytes[begin + at] ^= kMask[at % 4];
  return send(bytes);
}

std::optional<WireFrame> Client::frame() {
  if (!need(2)) return std::nullopt;
  const auto byte_at = [this](std::size_t at) { return static_cast<std::uint8_t>(buffer_[at]); };
  std::size_t length = byte_at(1) & 0x7F;
  const std::size_t length_bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
  if (!need(2 + length_bytes)) return std::nullopt;
  if (length_bytes > 0) length = 0;
  for (std::size_t place = 0; place < length_bytes; ++place) length = length << 8 | byte_at(2 + place);
  const std::size_t begin = 2 + length_bytes;
  if (!need(begin + length)) return std::nullopt;
  WireFrame frame{.last = (byte_at(0) & 0x80) != 0,
                  .opcode = static_cast<Opcode>(byte_at(0) & 0x0F),
                  .payload = buffer_.substr(begin, length)};
  buffer_.erase(0, begin + length);
  if (frame.opcode == Opcode::close && frame.payload.size() >= 2) {
    close_code_ = static_cast<std::uint8_t>(frame.payload[0]) << 8 | static_cast<std::uint8_t>(frame.payload[1]);
    close_reason_ = frame.payload.substr(2);
  }
  return frame;
}

std::optional<std::string> Client::text() {
  while (true) {
    std::optional<WireFrame> next = frame();
    if (!next || next->opcode == Opcode::close) return std::nullopt;
    if (next->opcode == Opcode::text || next->opcode == Opcode::binary) return std::move(next->payload);
    if (next->opcode == Opcode::ping) send_frame(Opcode::pong, next->payload);
  }
}

int Client::close_code() {
  while (!close_code_ && frame()) {
  }
  return close_code_.value_or(1006);
}

}  // namespace asg::lab
