#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lab/request_rate.h"
#include "lab/server_core.h"
#include "lab/server_network.h"
#include "lab/server_reply.h"
#include "lab/server_socket.h"

namespace asg::lab {

// A connection as long as it speaks HTTP: reads the head of a request, answers, and again; or becomes a ClientSocket.
class HttpConnection final : public ServerPeer, public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(std::shared_ptr<ServerCore> core, Tcp::socket socket)
      : core_(std::move(core)),
        stream_(std::move(socket)),
        buffer_(core_->limits().header_bytes),
        rate_(core_->limits().messages_per_second, core_->limits().burst, std::chrono::steady_clock::now()) {
    core_->add(*this);
    NetworkError ignored;
    if (const Tcp::endpoint end = stream_.socket().local_endpoint(ignored); !ignored) {
      const asio::ip::address address = end.address();
      const bool mapped = address.is_v6() && address.to_v6().is_v4_mapped();
      reached_ =
          mapped ? asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string() : address.to_string();
    }
  }
  ~HttpConnection() override { finish(); }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Who connects has something to ask; browsers that open a connection in advance open another.
  void start() {
    constexpr std::size_t kFirstBytes = 512;
    stream_.expires_after(clock_seconds(core_->limits().first_bytes_seconds));
    stream_.async_read_some(buffer_.prepare(std::min(kFirstBytes, buffer_.max_size())),
                            [self = shared_from_this()](NetworkError error, std::size_t count) {
                              if (error || self->finished_) return self->finish();
                              self->buffer_.commit(count);
                              self->read();
                            });
  }

  void read() {
    parser_.emplace();
    is_answered_ = false;
    parser_->header_limit(static_cast<std::uint32_t>(core_->limits().header_bytes));
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());  // none is read: check_request() refuses it
    stream_.expires_after(clock_seconds(core_->limits().handshake_seconds));  // for all of it, however slowly it comes
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](NetworkError error, std::size_t) { self->on_header(error); });
  }

  Standing standing() const override { return is_answered_ ? Standing::is_answered : Standing::asks_for_nothing; }
  void end() override { finish(); }
  void finish() override {
    if (std::exchange(finished_, true)) return;
    stream_.close();
    core_->remove(*this);
  }

 private:
  void on_header(NetworkError error) {
    if (finished_) return;
    if (error == http::error::header_limit || error == http::error::buffer_overflow) {
      return answer(text_reply(431, "The head of the request is too long."), false);
    }
    if (error == http::error::end_of_stream || error == http::error::partial_message ||
        error.category() != http::make_error_code(http::error::bad_method).category()) {
      if (error) return finish();  // gone, or too slow
    } else if (error) {
      return answer(text_reply(400, "This is no request of HTTP."), false);
    }
    if (!rate_.take(std::chrono::steady_clock::now())) {
      return answer(text_reply(429, "Too many requests in a short time."), false);
    }
    const RequestVerdict verdict = check_request(facts(), core_->rules());
    switch (verdict.kind) {
      case RequestVerdict::Kind::refused:
        return answer(text_reply(verdict.status, verdict.reason), false);
      case RequestVerdict::Kind::file:
        return answer(file_reply(verdict.path, core_->assets(), wishes()), parser_->keep_alive());
      case RequestVerdict::Kind::socket:
        return upgrade(verdict.access);
    }
  }

  RequestFacts facts() const {
    const auto& request = parser_->get();
    RequestFacts facts{.method = view_of(request.method_string()),
                       .target = view_of(request.target()),
                       .version = static_cast<int>(request.version()),
                       .upgrade = websocket::is_upgrade(request),
                       .has_body = parser_->chunked() || parser_->content_length().value_or(0) > 0,
                       .reached = reached_};
    for (const auto& field : request) {
      if (field.name() == http::field::host) facts.hosts.push_back(view_of(field.value()));
      if (field.name() == http::field::origin) facts.origins.push_back(view_of(field.value()));
    }
    return facts;
  }

  ReplyWishes wishes() const {
    const auto& request = parser_->get();
    return {.accept_encoding = view_of(request[http::field::accept_encoding]),
            .if_none_match = view_of(request[http::field::if_none_match])};
  }

  void upgrade(Access access) {
    if (core_->has_all_clients()) {
      return answer(text_reply(503, "As many clients as are allowed are connected."), false);
    }
    // What a client sends before it has the answer would be lost.
    if (buffer_.size() > 0) return answer(text_reply(400, "Wait for the answer before sending frames."), false);
    std::make_shared<ClientSocket>(core_, stream_.release_socket(), parser_->release(), access)->start();
    finish();
  }

  void answer(ServerReply reply, bool keep_alive) {
    reply_ = std::move(reply);
    is_answered_ = true;
    const bool head_only = parser_->get().method() == http::verb::head;
    const std::string_view body = reply_.body();
    response_.emplace();
    response_->version(11);
    response_->result(reply_.status);
    for (const auto& [name, value] : reply_.headers)
      response_->insert(beast::string_view(name.data(), name.size()), value);
    response_->keep_alive(keep_alive);
    if (reply_.status != 304) response_->content_length(body.size());
    if (!head_only) response_->body() = beast::span<const char>(body.data(), body.size());
    stream_.expires_after(clock_seconds(core_->limits().handshake_seconds));
    http::async_write(stream_, *response_, [self = shared_from_this(), keep_alive](NetworkError error, std::size_t) {
      if (error || self->finished_) return self->finish();
      keep_alive ? self->read() : self->linger();
    });
  }

  // Closing while the client still sends would make its system throw our answer away, so for a moment what it sends is
  // read and forgotten.
  void linger() {
    NetworkError ignored;
    stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
    stream_.expires_after(clock_seconds(core_->limits().close_seconds));
    read_rest(0);
  }
  void read_rest(std::size_t so_far) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 20;
    if (so_far > kMostBytes) return finish();
    stream_.async_read_some(asio::buffer(rest_),
                            [self = shared_from_this(), so_far](NetworkError error, std::size_t count) {
                              error ? self->finish() : self->read_rest(so_far + count);
                            });
  }

  std::shared_ptr<ServerCore> core_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  RequestRate rate_;
  std::string reached_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  ServerReply reply_;
  std::optional<http::response<http::span_body<const char>>> response_;
  std::array<char, 4096> rest_ = {};
  bool is_answered_ = false;  // a reply is on its way
  bool finished_ = false;
};

}  // namespace asg::lab
