#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lab/outbox.h"
#include "lab/request_check.h"

namespace asg::lab {

class ClientSocket;

// A connection of either kind. The server's list of them holds it from its making to its end.
class ServerPeer {
 public:
  // Who has shown no token makes room for others, those first that have asked for nothing.
  enum class Standing : std::uint8_t { asks_for_nothing, is_answered, has_token };

  virtual ~ServerPeer() = default;
  virtual Standing standing() const = 0;
  virtual void end() = 0;     // the server stops: say so where it can be said, then finish
  virtual void finish() = 0;  // now, at once
};

// What all connections of a server share. All but the outboxes is touched on the server's thread only. Connections hold
// it, so that it outlives them whatever the order in which a server is taken down.
class ServerCore {
 public:
  ServerCore(Limits limits, const Assets& assets, Sessions& sessions)
      : limits_(limits), assets_(assets), sessions_(sessions) {}

  const Limits& limits() const { return limits_; }
  const Assets& assets() const { return assets_; }
  const RequestRules& rules() const { return rules_; }
  void set_rules(RequestRules rules);

  void add(ServerPeer& peer) { peers_.emplace(&peer, ++last_peer_); }
  void remove(ServerPeer& peer) { peers_.erase(&peer); }
  // Where there are as many connections as are allowed, closes the oldest without a token. False: all have one.
  bool make_room();
  bool is_stopping() const { return stopping_; }
  void stop();        // ends all peers, which takes a while
  void finish_all();  // those that are left

  ClientId add_client(ClientSocket& socket);
  void remove_client(ClientId client);
  bool has_all_clients() const { return sockets_.size() >= limits_.clients; }
  ClientSocket* socket_of(ClientId client) const;  // null when it is gone

  // From any thread: null when the client is gone, or not there yet.
  std::shared_ptr<Outbox> outbox_of(ClientId client) const;
  void open_outbox(ClientId client, std::shared_ptr<Outbox> outbox);

  // Tell the owner; false where that threw, which is logged.
  bool tell_connected(ClientId client, Access access);
  bool tell_received(ClientId client, std::string_view text);
  void tell_closed(ClientId client);

 private:
  std::vector<ServerPeer*> all_peers() const;

  const Limits limits_;
  const Assets assets_;
  Sessions& sessions_;
  RequestRules rules_;
  bool stopping_ = false;
  std::unordered_map<ServerPeer*, std::uint64_t> peers_;  // with their number, in the order in which they came
  std::uint64_t last_peer_ = 0;
  ClientId last_client_ = 0;
  std::unordered_map<ClientId, ClientSocket*> sockets_;
  mutable std::mutex mutex_;
  std::unordered_map<ClientId, std::shared_ptr<Outbox>> outboxes_;  // of mutex_
};

}  // namespace asg::lab
