#include "lab/server_core.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "asg/core/log.h"

namespace asg::lab {
namespace {

template <typename Call>
bool told(const Call& call) {
  try {
    call();
    return true;
  } catch (const std::exception& error) {
    log(LogLevel::error, "The Lab could not handle a message: " + std::string(error.what()));
    return false;
  }
}

}  // namespace

void ServerCore::set_rules(RequestRules rules) { rules_ = std::move(rules); }

void ServerCore::stop() {
  stopping_ = true;
  for (ServerPeer* peer : all_peers()) peer->end();
}

void ServerCore::finish_all() {
  for (ServerPeer* peer : all_peers()) peer->finish();
}

// Who ends takes itself out of the list, so it is gone through in a copy.
std::vector<ServerPeer*> ServerCore::all_peers() const {
  std::vector<ServerPeer*> peers;
  for (const auto& [peer, number] : peers_) peers.push_back(peer);
  return peers;
}

bool ServerCore::make_room() {
  if (peers_.size() < limits_.connections) return true;
  const auto is_first = [](const auto& a, const auto& b) {
    return std::pair(a.first->standing(), a.second) < std::pair(b.first->standing(), b.second);
  };
  const auto first = std::min_element(peers_.begin(), peers_.end(), is_first);
  if (first == peers_.end() || first->first->standing() == ServerPeer::Standing::has_token) return false;
  first->first->finish();
  return true;
}

ClientId ServerCore::add_client(ClientSocket& socket) {
  sockets_.emplace(++last_client_, &socket);
  return last_client_;
}

void ServerCore::remove_client(ClientId client) {
  sockets_.erase(client);
  const std::lock_guard lock(mutex_);
  outboxes_.erase(client);
}

ClientSocket* ServerCore::socket_of(ClientId client) const {
  const auto found = sockets_.find(client);
  return found == sockets_.end() ? nullptr : found->second;
}

std::shared_ptr<Outbox> ServerCore::outbox_of(ClientId client) const {
  const std::lock_guard lock(mutex_);
  const auto found = outboxes_.find(client);
  return found == outboxes_.end() ? nullptr : found->second;
}

void ServerCore::open_outbox(ClientId client, std::shared_ptr<Outbox> outbox) {
  const std::lock_guard lock(mutex_);
  outboxes_.emplace(client, std::move(outbox));
}

bool ServerCore::tell_connected(ClientId client, Access access) {
  return told([&] { sessions_.connected(client, access); });
}

bool ServerCore::tell_received(ClientId client, std::string_view text) {
  return told([&] { sessions_.received(client, text); });
}

void ServerCore::tell_closed(ClientId client) {
  told([&] { sessions_.closed(client); });
}

}  // namespace asg::lab
