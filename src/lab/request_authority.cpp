#include "lab/request_authority.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace asg::lab {
namespace {

constexpr std::size_t kLongestAuthority = 300;

bool is_letter_or_digit(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

bool is_of_name(char letter) { return is_letter_or_digit(letter) || letter == '.' || letter == '-' || letter == '_'; }

bool is_of_address(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F') ||
         letter == ':' || letter == '.';
}

bool is_name(std::string_view name) {
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') {
    return std::all_of(name.begin() + 1, name.end() - 1, is_of_address);
  }
  return !name.empty() && std::all_of(name.begin(), name.end(), is_of_name);
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (problem != std::errc() || end != text.data() + text.size() || port == 0) return std::nullopt;
  return port;
}

}  // namespace

std::optional<Authority> parse_authority(std::string_view text) {
  if (text.size() > kLongestAuthority) return std::nullopt;
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  Authority result;
  if (colon != std::string_view::npos) {
    result.port = parse_port(text.substr(colon + 1));
    if (!result.port) return std::nullopt;
    text = text.substr(0, colon);
  }
  if (!is_name(text)) return std::nullopt;
  result.name = text;
  for (char& letter : result.name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

bool is_same_origin(std::string_view origin, const Authority& host) {
  constexpr std::pair<std::string_view, std::uint16_t> kSchemes[] = {{"http://", std::uint16_t{80}},
                                                                     {"https://", std::uint16_t{443}}};
  for (const auto& [scheme, port] : kSchemes) {
    if (!origin.starts_with(scheme)) continue;
    const std::optional<Authority> from = parse_authority(origin.substr(scheme.size()));
    return from && from->name == host.name && from->port.value_or(port) == host.port.value_or(port);
  }
  return false;
}

std::string name_in_url(std::string_view address) {
  if (address.find(':') == std::string_view::npos || address.front() == '[') return std::string(address);
  return "[" + std::string(address) + "]";
}

}  // namespace asg::lab
