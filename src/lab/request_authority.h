#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace asg::lab {

// The name of a server and its port, as they stand in Host and in an origin.
struct Authority {
  std::string name;                   // in lower case, an IPv6 address in brackets
  std::optional<std::uint16_t> port;  // nothing: that of the protocol

  friend bool operator==(const Authority&, const Authority&) = default;
};

// "localhost:8080", "[::1]". Nothing where it holds anything else than letters, digits, '.', '-', '_' and a port.
std::optional<Authority> parse_authority(std::string_view text);

// Whether a page of this origin ("http://localhost:8080", or https) was loaded from that host. Never for "null".
bool is_same_origin(std::string_view origin, const Authority& host);

// An address as it stands in a URL: IPv6 in brackets.
std::string name_in_url(std::string_view address);

}  // namespace asg::lab
