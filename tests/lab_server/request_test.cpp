// What is let in, decided by the words of a request alone.
#include <gtest/gtest.h>

#include "lab/request_authority.h"
#include "lab/request_check.h"
#include "lab/request_rate.h"
#include "lab/request_target.h"

namespace asg::lab {
namespace {

using Kind = RequestVerdict::Kind;

TEST(RequestTarget, KeepsPathsBelowTheRoot) {
  struct Row {
    std::string_view target;
    std::string_view path;  // "": refused
  };
  const Row rows[] = {
      {"/", "/"},
      {"/?token=x", "/"},
      {"/index.html", "/index.html"},
      {"/assets/a-b_c.1.js?v=2", "/assets/a-b_c.1.js"},
      {"/a%2Db", "/a-b"},
      {"/...", "/..."},
      {"", ""},
      {"index.html", ""},
      {"*", ""},
      {"http://127.0.0.1/", ""},
      {"//evil", ""},
      {"/..", ""},
      {"/../etc/passwd", ""},
      {"/assets/../../etc/passwd", ""},
      {"/assets/..", ""},
      {"/./a", ""},
      {"/a/", ""},
      {"/a//b", ""},
      {"/%2e%2e/etc/passwd", ""},
      {"/..%2fetc", ""},
      {"/%252e%252e/etc", ""},
      {"/a\\..\\b", ""},
      {"/a%5c..%5cb", ""},
      {"/a%00.html", ""},
      {"/a%0d%0aSet-Cookie:x", ""},
      {"/a%", ""},
      {"/a%4", ""},
      {"/a%zz", ""},
      {"/a b", ""},
      {"/\xC3\xA4", ""},
      {"/%c3%a4", ""},
      {"/a#b", ""},
  };
  for (const Row& row : rows) {
    const auto target = parse_request_target(row.target);
    EXPECT_EQ(target ? target->path : "", row.path) << row.target;
  }
  EXPECT_FALSE(parse_request_target("/" + std::string(3000, 'a')));
}

TEST(RequestTarget, FindsOneParameter) {
  EXPECT_EQ(query_parameter("token=abc", "token"), "abc");
  EXPECT_EQ(query_parameter("a=1&token=a%62c&b", "token"), "abc");
  EXPECT_EQ(query_parameter("token", "token"), "");
  EXPECT_EQ(query_parameter("", "token"), std::nullopt);
  EXPECT_EQ(query_parameter("tokens=abc", "token"), std::nullopt);
  EXPECT_EQ(query_parameter("token=a&token=b", "token"), std::nullopt);
  EXPECT_EQ(query_parameter("token=a%&x", "token"), std::nullopt);
}

TEST(RequestAuthority, ReadsNamesAndPorts) {
  EXPECT_EQ(parse_authority("LocalHost:80"), (Authority{"localhost", std::uint16_t{80}}));
  EXPECT_EQ(parse_authority("[::1]:8080"), (Authority{"[::1]", std::uint16_t{8080}}));
  EXPECT_EQ(parse_authority("[::1]"), (Authority{"[::1]", std::nullopt}));
  for (const std::string_view bad : {"", ":80", "a:", "a:0", "a:65536", "a:+1", "a:1 ", "a b", "a/b", "user@a", "::1",
                                     "[::1", "[]", "[::1]x", "[x]:1", "a,b", "a:1:2"}) {
    EXPECT_FALSE(parse_authority(bad)) << bad;
  }
  EXPECT_EQ(name_in_url("::1"), "[::1]");
  EXPECT_EQ(name_in_url("127.0.0.1"), "127.0.0.1");
}

RequestRules rules_for_tests() {
  return {.port = 8080,
          .host = "127.0.0.1",
          .hosts = {"lab.example.org", "localhost:9000"},
          .token = "full-token-full-token",
          .viewer_token = "look-token-look-token"};
}

TEST(RequestCheck, ServesOnlyItsOwnNames) {
  struct Row {
    std::string_view host;
    unsigned status;
  };
  const Row rows[] = {
      {"127.0.0.1:8080", 200},
      {"localhost:8080", 200},
      {"LOCALHOST:8080", 200},
      {"[::1]:8080", 200},
      {"192.168.1.5:8080", 200},  // the address that the connection came to
      {"lab.example.org", 200},
      {"lab.example.org:1", 200},
      {"localhost:9000", 200},
      {"127.0.0.1", 403},
      {"127.0.0.1:80", 403},
      {"localhost:9001", 403},
      {"evil.example:8080", 403},
      {"localhost.evil:8080", 403},
      {"127.0.0.2:8080", 403},
      {"0.0.0.0:8080", 403},
      {"localhost.:8080", 403},
      {"", 400},
      {"a b", 400},
      {"localhost:8080,x", 400},
      {"http://localhost:8080", 400},
  };
  for (const Row& row : rows) {
    const RequestVerdict verdict = check_request(
        {.method = "GET", .target = "/", .hosts = {row.host}, .reached = "192.168.1.5"}, rules_for_tests());
    EXPECT_EQ(verdict.status, row.status) << row.host << ": " << verdict.reason;
    EXPECT_EQ(verdict.kind == Kind::file, row.status == 200);
    EXPECT_EQ(verdict.reason.empty(), row.status == 200);
  }
  EXPECT_EQ(check_request({.method = "GET", .target = "/"}, rules_for_tests()).status, 400);
  EXPECT_EQ(
      check_request({.method = "GET", .target = "/", .hosts = {"localhost:8080", "localhost:8080"}}, rules_for_tests())
          .status,
      400);
}

TEST(RequestCheck, RefusesMethodsBodiesAndVersions) {
  RequestFacts facts{.method = "GET", .target = "/", .hosts = {"localhost:8080"}};
  const auto status = [&] { return check_request(facts, rules_for_tests()).status; };
  for (const std::string_view method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", ""}) {
    facts.method = method;
    EXPECT_EQ(status(), 405u) << method;
  }
  facts.method = "HEAD";
  EXPECT_EQ(status(), 200u);
  facts.has_body = true;
  EXPECT_EQ(status(), 413u);
  facts.has_body = false;
  facts.version = 10;
  EXPECT_EQ(status(), 505u);
  facts.version = 11;
  facts.target = "/../x";
  EXPECT_EQ(status(), 400u);
}

struct SocketRow {
  std::string_view target;
  std::vector<std::string_view> origins;
  unsigned status;
  Access access = Access::full;
};

TEST(RequestCheck, AsksOfAWebSocketItsTokenAndOrigin) {
  const SocketRow rows[] = {
      {"/ws?token=full-token-full-token", {"http://localhost:8080"}, 101},
      {"/ws?token=full-token-full-token", {"https://localhost:8080"}, 101},
      {"/ws?token=full-token-full-token", {}, 101},
      {"/ws?token=look-token-look-token", {"http://localhost:8080"}, 101, Access::read_only},
      {"/ws", {"http://localhost:8080"}, 403},
      {"/ws?token=", {}, 403},
      {"/ws?token=full-token-full-tokeN", {}, 403},
      {"/ws?token=full-token-full-token-", {}, 403},
      {"/ws?token=full-token", {}, 403},
      {"/ws?token=full-token-full-token&token=x", {}, 403},
      {"/ws?token=full-token-full-token", {"http://localhost"}, 403},
      {"/ws?token=full-token-full-token", {"http://localhost:8081"}, 403},
      {"/ws?token=full-token-full-token", {"http://127.0.0.1:8080"}, 403},  // another site than localhost
      {"/ws?token=full-token-full-token", {"http://evil.example:8080"}, 403},
      {"/ws?token=full-token-full-token", {"http://localhost:8080.evil.example"}, 403},
      {"/ws?token=full-token-full-token", {"file://localhost:8080"}, 403},
      {"/ws?token=full-token-full-token", {"null"}, 403},
      {"/ws?token=full-token-full-token", {""}, 403},
      {"/ws?token=full-token-full-token", {"http://localhost:8080", "http://localhost:8080"}, 403},
  };
  for (const SocketRow& row : rows) {
    const RequestFacts facts{
        .method = "GET", .target = row.target, .hosts = {"localhost:8080"}, .origins = row.origins, .upgrade = true};
    const RequestVerdict verdict = check_request(facts, rules_for_tests());
    EXPECT_EQ(verdict.status, row.status) << row.target;
    EXPECT_EQ(verdict.kind == Kind::socket, row.status == 101);
    EXPECT_TRUE(row.status != 101 || verdict.access == row.access) << row.target;
  }
}

TEST(RequestCheck, NeedsAnUpgradeAndHonoursReadOnly) {
  RequestFacts facts{.method = "GET", .target = "/ws?token=full-token-full-token", .hosts = {"localhost:8080"}};
  EXPECT_EQ(check_request(facts, rules_for_tests()).status, 426u);
  facts.upgrade = true;
  RequestRules rules = rules_for_tests();
  rules.read_only = true;
  EXPECT_EQ(check_request(facts, rules).access, Access::read_only);
  facts.hosts = {"evil.example:8080"};
  EXPECT_EQ(check_request(facts, rules).status, 403u);
}

TEST(RequestCheck, ComparesOriginsBehindAProxy) {
  RequestFacts facts{.method = "GET",
                     .target = "/ws?token=full-token-full-token",
                     .hosts = {"lab.example.org"},
                     .origins = {"https://lab.example.org"},
                     .upgrade = true};
  EXPECT_EQ(check_request(facts, rules_for_tests()).status, 101u);
  facts.origins = {"https://lab.example.org:444"};
  EXPECT_EQ(check_request(facts, rules_for_tests()).status, 403u);
}

TEST(RequestRate, LetsBurstsThroughAndThenSoManyASecond) {
  const RequestRate::Time start{};
  RequestRate rate(10, 3, start);
  const auto at = [start](int milliseconds) { return start + std::chrono::milliseconds(milliseconds); };
  EXPECT_TRUE(rate.take(at(0)));
  EXPECT_TRUE(rate.take(at(0)));
  EXPECT_TRUE(rate.take(at(0)));
  EXPECT_FALSE(rate.take(at(0)));
  EXPECT_FALSE(rate.take(at(50)));
  EXPECT_TRUE(rate.take(at(110)));
  EXPECT_FALSE(rate.take(at(110)));
  // A long rest fills it up to the burst, not beyond.
  int passed = 0;
  for (int attempt = 0; attempt < 10; ++attempt) passed += rate.take(at(60000)) ? 1 : 0;
  EXPECT_EQ(passed, 3);
}

}  // namespace
}  // namespace asg::lab
