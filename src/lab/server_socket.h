#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lab/request_rate.h"
#include "lab/server_core.h"
#include "lab/server_network.h"

namespace asg::lab {

// The WebSocket of one client: reads messages and hands them on, writes what its outbox holds, one frame at a time.
// It lives as long as something is under way that holds it.
class ClientSocket final : public ServerPeer, public std::enable_shared_from_this<ClientSocket> {
 public:
  using Request = http::request<http::empty_body>;
  using CloseCode = websocket::close_code;

  ClientSocket(std::shared_ptr<ServerCore> core, Tcp::socket socket, Request request, Access access)
      : core_(std::move(core)),
        stream_(std::move(socket)),
        request_(std::move(request)),
        access_(access),
        id_(core_->add_client(*this)),
        outbox_(std::make_shared<Outbox>(core_->limits().queued_bytes)),
        rate_(core_->limits().messages_per_second, core_->limits().burst, std::chrono::steady_clock::now()),
        deadline_(stream_.get_executor()) {
    core_->add(*this);
  }
  ~ClientSocket() override { finish(); }
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  // Answers the request to become a WebSocket.
  void start() {
    const Limits& limits = core_->limits();
    beast::get_lowest_layer(stream_).expires_never();  // the WebSocket has times of its own
    stream_.set_option(websocket::stream_base::timeout{.handshake_timeout = clock_seconds(limits.handshake_seconds),
                                                       .idle_timeout = clock_seconds(limits.idle_seconds),
                                                       .keep_alive_pings = true});
    stream_.read_message_max(limits.message_bytes);
    stream_.auto_fragment(false);
    NetworkError ignored;
    beast::get_lowest_layer(stream_).socket().set_option(Tcp::no_delay(true), ignored);
    // Pings cost an answer, so they count as messages.
    stream_.control_callback([this](websocket::frame_type, beast::string_view) {
      if (!rate_.take(std::chrono::steady_clock::now())) flooded_ = true;
      if (flooded_) asio::post(stream_.get_executor(), [self = shared_from_this()] { self->close_flooded(); });
    });
    stream_.async_accept(request_, [self = shared_from_this()](NetworkError error) { self->on_accept(error); });
  }

  // Writes the frames that wait, if that is not under way.
  void flush() {
    if (!open_ || writing_ || closing_) return;
    frame_ = outbox_->pop();
    if (!frame_) {
      if (goodbye_) close_stream();
      return;
    }
    writing_ = true;
    stream_.binary(frame_->binary);
    stream_.async_write(asio::buffer(*frame_->bytes),
                        [self = shared_from_this()](NetworkError error, std::size_t) { self->on_written(error); });
  }

  // Closes with a reason, after the frames that wait unless they are to be forgotten; by force when that takes long.
  void say_goodbye(CloseCode code, std::string_view reason, bool forget, double seconds) {
    if (finished_ || goodbye_) return;
    if (!open_) return finish();
    goodbye_.emplace(code, beast::string_view(reason.data(), reason.size()));
    outbox_->close(forget);
    deadline_.expires_after(clock_seconds(seconds));
    deadline_.async_wait([self = shared_from_this()](NetworkError error) {
      if (!error) self->finish();
    });
    flush();
  }
  void say_goodbye(CloseCode code, std::string_view reason, bool forget) {
    say_goodbye(code, reason, forget, core_->limits().close_seconds);
  }

  Standing standing() const override { return Standing::has_token; }
  void end() override {
    constexpr double kMostSeconds = 0.3;
    say_goodbye(CloseCode::going_away, "the server stops", false,
                std::min(kMostSeconds, core_->limits().close_seconds));
  }

  void finish() override {
    if (std::exchange(finished_, true)) return;
    deadline_.cancel();
    beast::get_lowest_layer(stream_).close();
    outbox_->close(true);
    core_->remove(*this);
    core_->remove_client(id_);
    if (std::exchange(open_, false)) core_->tell_closed(id_);
  }

 private:
  void on_accept(NetworkError error) {
    if (error || finished_ || core_->is_stopping()) return finish();
    open_ = true;
    core_->open_outbox(id_, outbox_);
    if (!core_->tell_connected(id_, access_)) return say_goodbye(CloseCode::internal_error, "an internal error", true);
    read();
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](NetworkError error, std::size_t) { self->on_read(error); });
  }

  void on_read(NetworkError error) {
    if (error) return finish();
    if (finished_ || goodbye_) return;  // whoever closes reads the rest
    if (!rate_.take(std::chrono::steady_clock::now())) return close_flooded();
    if (!stream_.got_text()) return say_goodbye(CloseCode::unknown_data, "messages are text, in JSON", true);
    const std::string_view text(static_cast<const char*>(buffer_.cdata().data()), buffer_.size());
    if (!core_->tell_received(id_, text)) return say_goodbye(CloseCode::internal_error, "an internal error", true);
    constexpr std::size_t kKeptBytes = std::size_t{64} << 10;
    buffer_.consume(buffer_.size());
    if (buffer_.capacity() > kKeptBytes) buffer_.shrink_to_fit();
    read();
  }

  void close_flooded() { say_goodbye(CloseCode::policy_error, "too many messages in a short time", true); }

  void on_written(NetworkError error) {
    writing_ = false;
    if (error) return finish();
    flush();
  }

  void close_stream() {
    closing_ = true;
    stream_.async_close(*goodbye_, [self = shared_from_this()](NetworkError) { self->finish(); });
  }

  std::shared_ptr<ServerCore> core_;
  websocket::stream<beast::tcp_stream, false> stream_;  // without compression: what it would unpack has no limit
  Request request_;
  Access access_;
  ClientId id_;
  std::shared_ptr<Outbox> outbox_;
  RequestRate rate_;
  asio::steady_timer deadline_;
  beast::flat_buffer buffer_;
  std::optional<OutboxFrame> frame_;  // that is being written
  std::optional<websocket::close_reason> goodbye_;
  bool open_ = false;     // `connected` was told, `closed` was not
  bool writing_ = false;  // a frame
  bool closing_ = false;  // the closing handshake
  bool flooded_ = false;  // by pings
  bool finished_ = false;
};

}  // namespace asg::lab
