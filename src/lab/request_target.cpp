#include "lab/request_target.h"

#include <algorithm>
#include <utility>

namespace asg::lab {
namespace {

constexpr std::size_t kLongestTarget = 2048;

bool is_visible(char letter) { return letter > ' ' && letter < '\x7F'; }

int hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

// Resolves %41; nothing where a % is not followed by two hexadecimal digits.
std::optional<std::string> without_escapes(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      result.push_back(text[at]);
      continue;
    }
    if (text.size() - at < 3) return std::nullopt;
    const int high = hex_digit(text[at + 1]);
    const int low = hex_digit(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result.push_back(static_cast<char>(high * 16 + low));
    at += 2;
  }
  return result;
}

// Of a path with escapes resolved: it is one of plain names, each below the one before.
bool stays_below_root(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;
  if (!std::all_of(path.begin(), path.end(), is_visible)) return false;
  if (path.find_first_of("\\%") != std::string_view::npos) return false;  // escaped twice
  if (path == "/") return true;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace

std::optional<RequestTarget> parse_request_target(std::string_view target) {
  if (target.size() > kLongestTarget || !std::all_of(target.begin(), target.end(), is_visible)) return std::nullopt;
  if (target.find('#') != std::string_view::npos) return std::nullopt;
  const std::size_t mark = std::min(target.find('?'), target.size());
  std::optional<std::string> path = without_escapes(target.substr(0, mark));
  if (!path || !stays_below_root(*path)) return std::nullopt;
  return RequestTarget{.path = std::move(*path),
                       .query = std::string(mark < target.size() ? target.substr(mark + 1) : std::string_view())};
}

std::optional<std::string> query_parameter(std::string_view query, std::string_view name) {
  std::optional<std::string> result;
  bool found = false;
  for (std::size_t begin = 0; begin <= query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string_view pair = query.substr(begin, end - begin);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (pair.substr(0, equals) == name) {
      if (found) return std::nullopt;
      found = true;
      result = without_escapes(equals < pair.size() ? pair.substr(equals + 1) : std::string_view());
    }
    begin = end + 1;
  }
  return result;
}

}  // namespace asg::lab
