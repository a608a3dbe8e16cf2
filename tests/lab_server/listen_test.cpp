// Where a server listens, and how it goes by.
#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "lab_server/fixture.h"

namespace asg::lab {
namespace {

ErrorDetail refusal_of(ServerOptions options) {
  Recorder recorder;
  try {
    const Server server(std::move(options), Assets(), recorder);
  } catch (const UserError& error) {
    return error.detail();
  }
  return {};
}

TEST(LabListen, TellsWhereItIs) {
  TestServer lab;
  EXPECT_NE(lab.server.port(), 0);
  EXPECT_EQ(lab.server.url().find("http://" + lab.authority() + "/?token="), 0u);
  EXPECT_EQ(lab.server.viewer_url().find("http://" + lab.authority() + "/?token="), 0u);
  EXPECT_NE(lab.server.url(), lab.server.viewer_url());
  TestServer other;
  EXPECT_NE(lab.target(), other.target());
  TestServer chosen({.token = "0123456789abcdef"});
  EXPECT_EQ(chosen.target(), "/ws?token=0123456789abcdef");
}

TEST(LabListen, AnotherCannotTakeItsPort) {
  TestServer lab;
  const ErrorDetail error = refusal_of({.port = lab.server.port()});
  EXPECT_EQ(error.code, ErrorCode::io_error);
  EXPECT_NE(error.given.find(lab.authority()), std::string::npos) << error.given;
  EXPECT_NE(error.mend.find("another program uses the port"), std::string::npos) << error.mend;
  EXPECT_TRUE(lab.is_alive());
}

TEST(LabListen, ThePortIsFreeAfterwards) {
  std::uint16_t port = 0;
  {
    TestServer lab;
    port = lab.server.port();
    EXPECT_TRUE(lab.is_alive());
  }
  EXPECT_FALSE(Client(port).is_connected());
  TestServer again({.port = port});
  EXPECT_EQ(again.server.port(), port);
  EXPECT_TRUE(again.is_alive());
}

TEST(LabListen, RefusesAddressesAndTokensThatWillNotDo) {
  EXPECT_EQ(refusal_of({.host = "not an address"}).code, ErrorCode::io_error);
  const ErrorDetail elsewhere = refusal_of({.host = "192.0.2.1"});  // of the range for examples
  EXPECT_EQ(elsewhere.code, ErrorCode::io_error);
  EXPECT_NE(elsewhere.given.find("192.0.2.1:0"), std::string::npos) << elsewhere.given;
  EXPECT_EQ(refusal_of({.token = "short"}).code, ErrorCode::bad_attribute);
  EXPECT_EQ(refusal_of({.token = "with blanks and more"}).code, ErrorCode::bad_attribute);
}

TEST(LabListen, ListensAtLoopbackAloneUnlessToldOtherwise) {
  TestServer lab;
  EXPECT_TRUE(Client(lab.server.port(), "127.0.0.1").is_connected());
  EXPECT_FALSE(Client(lab.server.port(), "127.0.0.2").is_connected());
  TestServer open({.host = "0.0.0.0"});
  EXPECT_EQ(open.server.url().find("http://127.0.0.1:"), 0u);
  Client client(open.server.port(), "127.0.0.2");
  ASSERT_TRUE(client.is_connected());
  EXPECT_EQ(
      client.request("GET / HTTP/1.1\r\nHost: 127.0.0.2:" + std::to_string(open.server.port()) + "\r\n\r\n").status,
      200);
}

TEST(LabListen, GoesByFurtherNamesWhereTheyAreGiven) {
  TestServer lab({.hosts = {"lab.example.org", "localhost:9000"}});
  const std::string target = lab.target();
  EXPECT_EQ(Client(lab.server.port()).upgrade(target, "Origin: https://lab.example.org\r\n", "lab.example.org").status,
            101);
  EXPECT_EQ(Client(lab.server.port()).upgrade(target, "Origin: http://localhost:9000\r\n", "localhost:9000").status,
            101);
  EXPECT_EQ(Client(lab.server.port()).upgrade(target, "Origin: http://localhost:9001\r\n", "localhost:9001").status,
            403);
}

TEST(LabListen, SpeaksIpv6WhereThereIsSome) {
  if (refusal_of({.host = "::1"}).code == ErrorCode::io_error) GTEST_SKIP() << "this machine has no IPv6";
  TestServer lab({.host = "::1"});
  const std::string authority = "[::1]:" + std::to_string(lab.server.port());
  EXPECT_EQ(lab.server.url().find("http://" + authority + "/?token="), 0u);
  Client client(lab.server.port(), "::1");
  EXPECT_EQ(client.upgrade(lab.target(), "Origin: http://" + authority + "\r\n", authority).status, 101);
  EXPECT_TRUE(client.send_text("hello"));
  EXPECT_TRUE(lab.recorder.wait_for(What::received, 1));
}

}  // namespace
}  // namespace asg::lab
