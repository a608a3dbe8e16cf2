#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "asg/lab/server.h"

namespace asg::lab {

// What a request says, before anything of it is believed.
struct RequestFacts {
  std::string_view method;
  std::string_view target;
  int version = 11;
  std::vector<std::string_view> hosts = {};    // every Host line
  std::vector<std::string_view> origins = {};  // every Origin line
  bool upgrade = false;                        // asks for a WebSocket
  bool has_body = false;
  std::string_view reached = {};  // the address of ours that the connection came to
};

// What is allowed.
struct RequestRules {
  std::uint16_t port = 0;
  std::string host = {};                // that the server listens at
  std::vector<std::string> hosts = {};  // further names, see ServerOptions
  std::string token = {};
  std::string viewer_token = {};
  bool read_only = false;
};

struct RequestVerdict {
  enum class Kind : std::uint8_t { refused, file, socket };
  Kind kind = Kind::refused;
  unsigned status = 400;              // of a refusal
  std::string reason = {};            // of a refusal, for people
  std::string path = {};              // of a file
  Access access = Access::read_only;  // of a socket
};

// Decides by the facts alone, in the order of docs/lab-server.md: version, Host, body, method, target, and for a
// WebSocket the origin and the token.
RequestVerdict check_request(const RequestFacts& facts, const RequestRules& rules);

}  // namespace asg::lab
