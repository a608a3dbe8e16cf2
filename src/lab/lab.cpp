#include "asg/lab/lab.h"

#include <latch>
#include <utility>

namespace asg::lab {

// A client may come as soon as the server listens; it waits until all stands.
class Lab::Parts : Outlet, Sessions {
 public:
  Parts(ServerOptions server, HubOptions hub)
      : server_(std::move(server), page_assets(), *this), hub_(std::move(hub), *this) {
    ready_.count_down();
  }
  ~Parts() override { server_.stop(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  Hub& hub() { return hub_; }
  const Server& server() const { return server_; }

 private:
  void send(ClientId client, std::shared_ptr<const std::string> text, std::string_view key) override {
    server_.send(client, std::move(text), key);
  }
  void send_binary(ClientId client, std::shared_ptr<const std::string> bytes) override {
    server_.send_binary(client, std::move(bytes));
  }

  void connected(ClientId client, Access access) override {
    ready_.wait();
    hub_.connected(client, access);
  }
  void received(ClientId client, std::string_view text) override { hub_.received(client, text); }
  void closed(ClientId client) override { hub_.closed(client); }

  std::latch ready_{1};
  Server server_;
  Hub hub_;  // goes before the server, since it sends until it is gone
};

Lab::Lab(ServerOptions server, HubOptions hub) : parts_(std::make_unique<Parts>(std::move(server), std::move(hub))) {}
Lab::~Lab() = default;
Hub& Lab::hub() { return parts_->hub(); }
const Server& Lab::server() const { return parts_->server(); }

}  // namespace asg::lab
