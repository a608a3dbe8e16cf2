// Any request is refused with a reason, or it is one for a file below the root or for a WebSocket by who has a token.
// The lines of the input are the method, the target, Host and Origin; "-" leaves a line of the request out.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "lab/request_check.h"
#include "lab/server_reply.h"

namespace {

using asg::lab::RequestVerdict;

void demand(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (lines.size() < 5) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view("-") : text.substr(end + 1);
  }
  return lines;
}

void check_path(std::string_view path) {
  demand(path.starts_with('/') && path.find("//") == std::string_view::npos);
  demand((std::string(path) + "/").find("/../") == std::string::npos);
  for (const char letter : path) demand(letter > ' ' && letter < '\x7F' && letter != '\\' && letter != '%');
  const unsigned status = asg::lab::file_reply(path, asg::lab::page_assets(), {}).status;
  demand(status == 200 || status == 404);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const asg::lab::RequestRules kRules = {.port = 8080,
                                                .host = "127.0.0.1",
                                                .hosts = {"lab.example.org"},
                                                .token = "full-token-full-token",
                                                .viewer_token = "look-token-look-token"};
  const auto lines = lines_of({reinterpret_cast<const char*>(data), size});
  asg::lab::RequestFacts facts{.method = lines[0], .target = lines[1], .upgrade = lines[4] != "-"};
  if (lines[2] != "-") facts.hosts.push_back(lines[2]);
  if (lines[3] != "-") facts.origins.push_back(lines[3]);

  const RequestVerdict verdict = asg::lab::check_request(facts, kRules);
  if (verdict.kind == RequestVerdict::Kind::refused) {
    demand(verdict.status >= 400 && !verdict.reason.empty());
    return 0;
  }
  demand(facts.hosts.size() == 1);
  if (verdict.kind == RequestVerdict::Kind::file) {
    check_path(verdict.path);
  } else {
    // Every letter of the token stands there, if only as an escape of three.
    demand(facts.upgrade && facts.target.size() >= std::string_view("/ws?token=").size() + kRules.token.size());
    demand(facts.origins.empty() || facts.origins[0].find("://") != std::string_view::npos);
  }
  return 0;
}
