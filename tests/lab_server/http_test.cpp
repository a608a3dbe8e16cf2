// The files of the page, and what is refused before anything is served; all over sockets.
#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/io/inflate.h"
#include "lab_server/fixture.h"

namespace asg::lab {
namespace {

TEST(LabHttp, ServesThePagePackedAndUnpacked) {
  TestServer lab;
  const HttpAnswer packed = lab.get("/?token=whatever", "Accept-Encoding: br, gzip;q=0.5\r\n");
  EXPECT_EQ(packed.status, 200);
  EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(packed.headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(packed.headers.at("cache-control"), "no-store");
  const HttpAnswer plain = lab.get("/index.html");
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.headers.count("content-encoding"), 0u);
  EXPECT_NE(plain.body.find("It is served from inside the program."), std::string::npos);
  EXPECT_EQ(io::gunzip(packed.body), plain.body);
  EXPECT_EQ(lab.get("/", "Accept-Encoding: gzip;q=0, identity\r\n").headers.count("content-encoding"), 0u);
}

TEST(LabHttp, KnowsTypesAndWhatNeverChanges) {
  TestServer lab;
  struct Row {
    std::string_view path, type, caching, body;
  };
  const Row rows[] = {
      {"/assets/app-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable",
       "export const answer = 42;\n"},
      {"/assets/app-1a2b.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable",
       "body { color: black }\n"},
      {"/icon.svg", "image/svg+xml", "no-cache", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>\n"},
      {"/empty.bin", "application/octet-stream", "no-cache", ""},
  };
  for (const Row& row : rows) {
    const HttpAnswer answer = lab.get(row.path);
    EXPECT_EQ(answer.status, 200) << row.path;
    EXPECT_EQ(answer.headers.at("content-type"), row.type);
    EXPECT_EQ(answer.headers.at("cache-control"), row.caching);
    EXPECT_EQ(answer.body, row.body);
    const HttpAnswer again = lab.get(row.path, "If-None-Match: " + answer.headers.at("etag") + "\r\n");
    EXPECT_EQ(again.status, 304) << row.path;
    EXPECT_EQ(again.body, "");
    EXPECT_EQ(lab.get(row.path, "If-None-Match: \"other\"\r\n").status, 200);
  }
}

TEST(LabHttp, EveryAnswerCarriesThePolicy) {
  TestServer lab;
  for (const std::string_view target : {"/", "/assets/app-1a2b.js", "/nothing", "/../x", "/ws"}) {
    const HttpAnswer answer = lab.get(target);
    ASSERT_NE(answer.status, 0) << target;
    EXPECT_EQ(
        answer.headers.at("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(answer.headers.at("referrer-policy"), "no-referrer");
    EXPECT_EQ(answer.headers.at("cross-origin-opener-policy"), "same-origin");
    EXPECT_EQ(answer.headers.at("cross-origin-resource-policy"), "same-origin");
    EXPECT_EQ(answer.headers.count("access-control-allow-origin"), 0u);
  }
}

TEST(LabHttp, HeadHasNoBodyAndAConnectionServesSeveralRequests) {
  TestServer lab;
  Client client(lab.server.port());
  const std::string host = "Host: " + lab.authority() + "\r\n";
  client.send("HEAD /icon.svg HTTP/1.1\r\n" + host + "\r\n");
  const HttpAnswer head = client.answer(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(client.request("GET /icon.svg HTTP/1.1\r\n" + host + "\r\n").body.size(),
            static_cast<std::size_t>(std::stoi(head.headers.at("content-length"))));
  // Two at once, the second of which ends the conversation.
  client.send("GET / HTTP/1.1\r\n" + host + "\r\nGET /icon.svg HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n");
  EXPECT_EQ(client.answer().headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(client.answer().headers.at("content-type"), "image/svg+xml");
  EXPECT_TRUE(client.is_closed());
}

struct RefusalRow {
  std::string_view name;
  std::string request;  // HOST stands for the right Host line
  int status;
};

std::vector<RefusalRow> refusals() {
  return {
      {"no HTTP", "hello\r\n\r\n", 400},
      {"bytes of TLS", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xFC\x03\x03\r\n\r\n", 15), 400},
      {"bad header", "GET / HTTP/1.1\r\nHOST\r\nno colon\r\n\r\n", 400},
      {"folded header",
       "GET / HTTP/1.1\r\nHOST\r\nX: a\r\n\x01"
       "b\r\n\r\n",
       400},
      {"HTTP/1.0", "GET / HTTP/1.0\r\nHOST\r\n\r\n", 505},
      {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"two Hosts", "GET / HTTP/1.1\r\nHOST\r\nHOST\r\n\r\n", 400},
      {"another Host", "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403},
      {"another port", "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 403},
      {"post", "POST / HTTP/1.1\r\nHOST\r\nContent-Length: 0\r\n\r\n", 405},
      {"options", "OPTIONS / HTTP/1.1\r\nHOST\r\nOrigin: http://evil.example\r\n\r\n", 405},
      {"trace", "TRACE / HTTP/1.1\r\nHOST\r\n\r\n", 405},
      {"unknown method", "BREW / HTTP/1.1\r\nHOST\r\n\r\n", 405},
      {"a body", "GET / HTTP/1.1\r\nHOST\r\nContent-Length: 5\r\n\r\nhello", 413},
      {"a body without end", "POST / HTTP/1.1\r\nHOST\r\nContent-Length: 99999999\r\n\r\n" + std::string(50000, 'x'),
       413},
      {"chunks", "POST / HTTP/1.1\r\nHOST\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", 413},
      {"two lengths", "GET / HTTP/1.1\r\nHOST\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n", 400},
      {"no such file", "GET /nothing.js HTTP/1.1\r\nHOST\r\n\r\n", 404},
      {"path escape", "GET /../../etc/passwd HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"hidden path escape", "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"proxy request", "GET http://evil.example/ HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"long path", "GET /" + std::string(4000, 'a') + " HTTP/1.1\r\nHOST\r\n\r\n", 400},
      {"long header", "GET / HTTP/1.1\r\nHOST\r\nX: " + std::string(20000, 'a') + "\r\n\r\n", 431},
      {"socket without upgrade", "GET /ws HTTP/1.1\r\nHOST\r\n\r\n", 426},
  };
}

TEST(LabHttp, RefusesWhatItMustAndLivesOn) {
  TestServer lab;
  for (RefusalRow& row : std::vector<RefusalRow>(refusals())) {
    for (std::size_t at = 0; (at = row.request.find("HOST\r\n")) != std::string::npos;) {
      row.request.replace(at, 4, "Host: " + lab.authority());
    }
    Client client(lab.server.port());
    client.send(row.request);
    const HttpAnswer answer = client.answer();
    EXPECT_EQ(answer.status, row.status) << row.name;
    EXPECT_FALSE(answer.body.empty()) << row.name;
    EXPECT_EQ(answer.headers.count("allow"), row.status == 405 ? 1u : 0u) << row.name;
  }
  EXPECT_TRUE(lab.is_alive());
}

TEST(LabHttp, SaysWhatIsMissingWithoutAPage) {
  TestServer lab({}, Assets());
  const HttpAnswer answer = lab.get("/");
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain; charset=utf-8");
  for (const std::string_view words : {"Node", "make web", "/ws"}) {
    EXPECT_NE(answer.body.find(words), std::string::npos) << answer.body;
  }
  EXPECT_EQ(lab.connect()->send_text("hello"), true);
}

TEST(LabHttp, ManyRequestsInAShortTimeAreTooMany) {
  TestServer lab({.limits = {.messages_per_second = 1, .burst = 3}});
  Client client(lab.server.port());
  const std::string request = "GET /icon.svg HTTP/1.1\r\nHost: " + lab.authority() + "\r\n\r\n";
  for (int count = 0; count < 3; ++count) EXPECT_EQ(client.request(request).status, 200);
  EXPECT_EQ(client.request(request).status, 429);
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(lab.get("/").status, 200);
}

TEST(LabHttp, WaitsOnlySoLongForARequest) {
  TestServer lab({.limits = {.handshake_seconds = 0.3}});
  Client silent(lab.server.port());
  Client slow(lab.server.port());
  slow.send("GET / HTTP/1.1\r\nHost: ");
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(slow.is_closed());
  EXPECT_EQ(lab.get("/").status, 200);
}

// Those with a token stay; nobody who has shown none can keep others out.
TEST(LabHttp, TakesOnlySoManyConnections) {
  TestServer lab({.limits = {.connections = 3}});
  std::vector<std::unique_ptr<Client>> clients;
  for (int count = 0; count < 3; ++count) clients.push_back(lab.connect());
  Client surplus(lab.server.port());
  EXPECT_TRUE(surplus.is_closed());
  clients.pop_back();
  EXPECT_TRUE(lab.recorder.wait_for(What::closed, 1));
  EXPECT_EQ(lab.get("/").status, 200);
}

TEST(LabHttp, HalfOpenConnectionsLockNobodyOut) {
  constexpr std::size_t kMost = 4;
  TestServer lab({.limits = {.connections = kMost, .first_bytes_seconds = 600, .handshake_seconds = 600}});
  const std::unique_ptr<Client> looker = lab.connect();
  std::vector<std::unique_ptr<Client>> half_open;
  for (std::size_t k = 0; k < 3 * kMost; ++k) {
    half_open.push_back(std::make_unique<Client>(lab.server.port()));
    if (k % 2 == 0) half_open.back()->send("GET / HTTP/1.1\r\nHost: ");
    EXPECT_EQ(lab.get("/").status, 200) << "after " << k;
  }
  EXPECT_TRUE(half_open.front()->is_closed()) << "the oldest makes room";
  EXPECT_TRUE(looker->send_text("still there"));
  EXPECT_TRUE(lab.recorder.wait_for(What::received, 1));
}

TEST(LabHttp, WhoSaysNothingIsClosedSoon) {
  TestServer lab({.limits = {.first_bytes_seconds = 0.1, .handshake_seconds = 600}});
  Client silent(lab.server.port());
  EXPECT_TRUE(silent.is_closed());
}

}  // namespace
}  // namespace asg::lab
