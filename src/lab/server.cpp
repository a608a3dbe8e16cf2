#include "asg/lab/server.h"

#include <atomic>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

#include "asg/core/error.h"
#include "asg/core/log.h"
#include "asg/core/thread_priority.h"
#include "lab/request_authority.h"
#include "lab/server_connection.h"
#include "lab/token.h"

namespace asg::lab {
namespace {

std::string token_of(const ServerOptions& options) {
  if (options.token.empty()) return make_token();
  if (!is_fit_for_token(options.token)) {
    fail(ErrorCode::bad_attribute, "a token of " + std::to_string(options.token.size()) + " characters",
         "at least 16 letters, digits, '-' and '_'", "leave it out: then a random one is made");
  }
  return options.token;
}

[[noreturn]] void fail_to_listen(const ServerOptions& options, const NetworkError& error) {
  const std::string address = name_in_url(options.host) + ":" + std::to_string(options.port);
  const bool taken = error == asio::error::address_in_use;
  fail(ErrorCode::io_error, "the address " + address + ", where a server cannot listen: " + error.message(),
       "an address of this machine, and a port that is free",
       taken ? "another program uses the port: end it, or choose another port (0 takes any that is free)"
             : "127.0.0.1 always works; ports below 1024 need special rights");
}

Tcp::acceptor listen_at(asio::io_context& io, const ServerOptions& options) {
  NetworkError error;
  Tcp::resolver resolver(io);
  const auto found = resolver.resolve(options.host, std::to_string(options.port),
                                      Tcp::resolver::passive | Tcp::resolver::numeric_service, error);
  if (error) fail_to_listen(options, error);
  const Tcp::endpoint endpoint = found.begin()->endpoint();
  Tcp::acceptor acceptor(io);
  acceptor.open(endpoint.protocol(), error);
  // So that a server that was just stopped can be started again; a port that is in use stays taken.
  if (!error) acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) fail_to_listen(options, error);
  return acceptor;
}

// By which a browser on this machine finds a server that listens there.
std::string host_in_url(const std::string& host) {
  if (host == "0.0.0.0") return "127.0.0.1";
  if (host == "::") return "[::1]";
  return name_in_url(host);
}

}  // namespace

// The thread of a server, and what it runs on.
class Server::Worker {
 public:
  Worker(const ServerOptions& options, const Assets& assets, Sessions& sessions)
      : core_(std::make_shared<ServerCore>(options.limits, assets, sessions)),
        acceptor_(listen_at(io_, options)),
        retry_(io_),
        port_(acceptor_.local_endpoint().port()) {
    core_->set_rules({.port = port_,
                      .host = options.host,
                      .hosts = options.hosts,
                      .token = token_of(options),
                      .viewer_token = make_token(),
                      .read_only = options.read_only});
    const std::string address = "http://" + host_in_url(options.host) + ":" + std::to_string(port_) + "/?token=";
    url_ = address + core_->rules().token;
    viewer_url_ = address + core_->rules().viewer_token;
    accept();
    thread_ = std::thread([this] { run(); });
  }
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  std::uint16_t port() const { return port_; }
  const std::string& url() const { return url_; }
  const std::string& viewer_url() const { return viewer_url_; }

  void push(ClientId client, OutboxFrame frame) {
    internal_check(frame.bytes != nullptr, "a frame without bytes");
    const std::shared_ptr<Outbox> outbox = core_->outbox_of(client);
    if (!outbox) return;
    const Outbox::Pushed pushed = outbox->push(std::move(frame));
    if (pushed == Outbox::Pushed::wake) {
      with_socket(client, [](ClientSocket& socket) { socket.flush(); });
    } else if (pushed == Outbox::Pushed::overflow) {
      with_socket(client, [](ClientSocket& socket) {
        socket.say_goodbye(ClientSocket::CloseCode::try_again_later, "too slow for what is sent", true);
      });
    }
  }

  void close(ClientId client, std::string_view reason) {
    constexpr std::size_t kLongestReason = 120;  // a close frame has room for 123
    const std::shared_ptr<Outbox> outbox = core_->outbox_of(client);
    if (!outbox) return;
    outbox->close(false);
    with_socket(client, [text = std::string(reason.substr(0, kLongestReason))](ClientSocket& socket) {
      socket.say_goodbye(ClientSocket::CloseCode::normal, text, false);
    });
  }

  void stop() {
    asio::post(io_, [this] {
      NetworkError ignored;
      acceptor_.close(ignored);
      retry_.cancel();
      if (!core_->is_stopping()) core_->stop();
    });
    if (std::this_thread::get_id() == thread_id_) return;
    const std::lock_guard lock(stop_mutex_);
    if (!thread_.joinable()) return;
    constexpr std::chrono::milliseconds kPatience{700};
    if (ended_.get_future().wait_for(kPatience) == std::future_status::timeout) io_.stop();
    thread_.join();
  }

 private:
  void accept() {
    acceptor_.async_accept([this](NetworkError error, Tcp::socket socket) {
      if (core_->is_stopping()) return;
      if (error) {
        // Out of file descriptors, mostly: they come back when somebody leaves.
        retry_.expires_after(std::chrono::milliseconds(100));
        retry_.async_wait([this](NetworkError aborted) {
          if (!aborted) accept();
        });
        return;
      }
      // One too many is closed by going out of scope.
      if (core_->make_room()) std::make_shared<HttpConnection>(core_, std::move(socket))->start();
      accept();
    });
  }

  void run() {
    thread_id_ = std::this_thread::get_id();
    platform::yield_to_other_threads();  // to those that train
    while (!io_.stopped()) {
      try {
        io_.run();
      } catch (const std::exception& error) {
        log(LogLevel::error, "The server of the Lab goes on after an error: " + std::string(error.what()));
      }
    }
    core_->finish_all();
    ended_.set_value();
  }

  template <typename Call>
  void with_socket(ClientId client, Call call) {
    asio::post(io_, [core = core_, client, call = std::move(call)] {
      if (ClientSocket* socket = core->socket_of(client)) call(*socket);
    });
  }

  // The order matters: what waits in io_ holds connections, which use the core.
  std::shared_ptr<ServerCore> core_;
  asio::io_context io_{1};
  Tcp::acceptor acceptor_;
  asio::steady_timer retry_;
  std::uint16_t port_;
  std::string url_;
  std::string viewer_url_;
  std::mutex stop_mutex_;
  std::promise<void> ended_;
  std::atomic<std::thread::id> thread_id_;
  std::thread thread_;
};

Server::Server(ServerOptions options, const Assets& assets, Sessions& sessions)
    : worker_(std::make_unique<Worker>(options, assets, sessions)) {}
Server::~Server() = default;

std::uint16_t Server::port() const { return worker_->port(); }
std::string Server::url() const { return worker_->url(); }
std::string Server::viewer_url() const { return worker_->viewer_url(); }

void Server::send(ClientId client, std::shared_ptr<const std::string> text, std::string_view key) {
  worker_->push(client, {.bytes = std::move(text), .binary = false, .key = std::string(key)});
}

void Server::send_binary(ClientId client, std::shared_ptr<const std::string> bytes) {
  worker_->push(client, {.bytes = std::move(bytes), .binary = true});
}

void Server::close(ClientId client, std::string_view reason) { worker_->close(client, reason); }
void Server::stop() { worker_->stop(); }

}  // namespace asg::lab
