#include "lab/server_reply.h"

#include <algorithm>

#include "asg/io/inflate.h"

namespace asg::lab {
namespace {

constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

constexpr std::string_view kNoPage =
    "The Model Lab runs, but its page is not part of this program: the folder web/dist was missing when it was built.\n"
    "\n"
    "To have it: install Node.js 18 or newer with npm, then run `make web` and `make build`, and start the Lab again.\n"
    "Scripts can use the WebSocket at /ws all the same.\n";

ServerReply plain_reply(unsigned status) {
  return {.status = status,
          .headers = {{"Content-Security-Policy", std::string(kContentPolicy)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Opener-Policy", "same-origin"},
                      {"Cross-Origin-Resource-Policy", "same-origin"}}};
}

// Whether a list such as "br;q=1.0, gzip;q=0.8" allows gzip.
bool takes_gzip(std::string_view list) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string item;
    for (const char letter : list.substr(begin, end - begin)) {
      if (letter != ' ' && letter != '\t') item.push_back(letter);
    }
    begin = end + 1;
    const std::size_t semicolon = std::min(item.find(';'), item.size());
    if (item.substr(0, semicolon) != "gzip" && item.substr(0, semicolon) != "*") continue;
    const std::string weight = item.substr(semicolon);
    return !weight.starts_with(";q=0") || weight.find_first_of("123456789") != std::string::npos;
  }
  return false;
}

bool names_etag(std::string_view list, std::string_view etag) {
  return list == "*" || list.find(etag) != std::string_view::npos;
}

// The page itself is asked for with the token in its address, which no cache should remember. Files below /assets have
// their hash in their name and never change.
std::string_view caching_of(const Asset& asset) {
  if (asset.type.starts_with("text/html")) return "no-store";
  if (asset.path.starts_with("/assets/")) return "public, max-age=31536000, immutable";
  return "no-cache";
}

}  // namespace

ServerReply text_reply(unsigned status, std::string_view text) {
  ServerReply reply = plain_reply(status);
  reply.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  reply.headers.emplace_back("Cache-Control", "no-store");
  if (status == 405) reply.headers.emplace_back("Allow", "GET, HEAD");
  if (status == 426) reply.headers.emplace_back("Upgrade", "websocket");
  reply.text = text;
  if (!text.ends_with('\n')) reply.text.push_back('\n');
  return reply;
}

ServerReply file_reply(std::string_view path, const Assets& assets, const ReplyWishes& wishes) {
  const bool is_root = path == "/";
  const Asset* asset = assets.find(is_root ? "/index.html" : path);
  if (asset == nullptr) {
    return is_root && assets.empty() ? text_reply(404, kNoPage) : text_reply(404, "There is no such file.");
  }
  ServerReply reply = plain_reply(200);
  reply.headers.emplace_back("ETag", std::string(asset->etag));
  reply.headers.emplace_back("Cache-Control", std::string(caching_of(*asset)));
  reply.headers.emplace_back("Vary", "Accept-Encoding");
  if (names_etag(wishes.if_none_match, asset->etag)) {
    reply.status = 304;
    return reply;
  }
  reply.headers.emplace_back("Content-Type", std::string(asset->type));
  if (takes_gzip(wishes.accept_encoding)) {
    reply.headers.emplace_back("Content-Encoding", "gzip");
    reply.file = asset->gzip;
  } else {
    reply.text = io::gunzip(asset->gzip);
  }
  return reply;
}

}  // namespace asg::lab
