#include "lab/request_check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lab/request_authority.h"
#include "lab/request_target.h"
#include "lab/token.h"

namespace asg::lab {
namespace {

constexpr std::string_view kSocketPath = "/ws";

RequestVerdict refused(unsigned status, std::string reason) {
  return {.kind = RequestVerdict::Kind::refused, .status = status, .reason = std::move(reason)};
}

// A page of another site can make its own name lead to this machine (DNS rebinding), and its requests then come with
// that name: so only names that are known to be ours are served.
bool is_allowed_host(const Authority& host, const RequestFacts& facts, const RequestRules& rules) {
  const auto is_ours = [&host](std::string_view address) {
    const std::optional<Authority> ours = parse_authority(name_in_url(address));
    return ours && ours->name == host.name;
  };
  if (host.port.value_or(80) == rules.port && (is_ours("localhost") || is_ours("127.0.0.1") || is_ours("::1") ||
                                               is_ours(rules.host) || is_ours(facts.reached))) {
    return true;
  }
  return std::any_of(rules.hosts.begin(), rules.hosts.end(), [&host](const std::string& text) {
    const std::optional<Authority> allowed = parse_authority(text);
    return allowed && allowed->name == host.name && (!allowed->port || allowed->port == host.port);
  });
}

// Browsers always say from which page a WebSocket comes; other programs need not, and have the token.
bool is_allowed_origin(const Authority& host, const RequestFacts& facts) {
  return facts.origins.empty() || (facts.origins.size() == 1 && is_same_origin(facts.origins.front(), host));
}

RequestVerdict check_socket(const Authority& host, const std::string& query, const RequestFacts& facts,
                            const RequestRules& rules) {
  if (facts.method != "GET" || !facts.upgrade) return refused(426, "This is the address of a WebSocket.");
  if (!is_allowed_origin(host, facts)) {
    return refused(403, "A page of another site may not connect. Open the page from this server.");
  }
  const std::string token = query_parameter(query, "token").value_or("");
  // Both are compared whatever comes of the first, so that the time does not tell which one it was.
  const bool full = equal_in_constant_time(token, rules.token);
  const bool viewer = equal_in_constant_time(token, rules.viewer_token);
  if (!full && !viewer) {
    return refused(403, "The token is missing or wrong. Open the address that was printed when the Lab started.");
  }
  return {.kind = RequestVerdict::Kind::socket,
          .status = 101,
          .access = full && !rules.read_only ? Access::full : Access::read_only};
}

}  // namespace

RequestVerdict check_request(const RequestFacts& facts, const RequestRules& rules) {
  if (facts.version != 11) return refused(505, "Only HTTP/1.1 is spoken here.");
  if (facts.hosts.size() != 1) return refused(400, "A request needs one Host line.");
  const std::optional<Authority> host = parse_authority(facts.hosts.front());
  if (!host) return refused(400, "The Host line is malformed.");
  if (!is_allowed_host(*host, facts, rules)) {
    return refused(403, "The server does not go by the name " + std::string(facts.hosts.front()) +
                            ". If it should, since a tunnel or a proxy leads here, name it among the hosts that are "
                            "allowed when the Lab starts.");
  }
  if (facts.has_body) return refused(413, "A request may have no body here.");
  if (facts.method != "GET" && facts.method != "HEAD") return refused(405, "Only GET and HEAD are served.");
  std::optional<RequestTarget> target = parse_request_target(facts.target);
  if (!target) return refused(400, "The path is malformed, or leads out of the page.");
  if (target->path == kSocketPath) return check_socket(*host, target->query, facts, rules);
  return {.kind = RequestVerdict::Kind::file, .status = 200, .path = std::move(target->path)};
}

}  // namespace asg::lab
