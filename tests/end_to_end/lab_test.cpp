// `asg lab`, met by a client that names files.
#include <nlohmann/json.hpp>

#include "conversation.h"
#include "lab_server/client.h"
#include "program.h"

namespace asg {
namespace {

using Json = nlohmann::json;

class LabProgram : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("secret.toml", "name = \"secret\"\n[data]\nname = \"digits\"\n");
    std::filesystem::create_directories(file("inside"));
    write("inside/text.toml", "name = \"inside\"\n[data]\nname = \"moby-dick\"\n[model]\nzoo = \"llama_tiny\"\n");
    program_ = std::make_unique<Conversation>("lab --no-open --port 0 --workspace " + file("inside"));
    std::string url;
    while (url.empty()) {
      const auto line = program_->hear_line();
      ASSERT_TRUE(line) << "the program ended";
      if (line->find("Model Lab") != std::string::npos) url = line->substr(line->find("http://"));
    }
    client_ = std::make_unique<lab::Client>(
        static_cast<std::uint16_t>(std::stoi(url.substr(url.find(':', url.find("//")) + 1))));
    ASSERT_EQ(client_->upgrade("/ws" + url.substr(url.find('?'))).status, 101);
  }

  // What answers the message.
  Json ask(Json message) {
    message["ask"] = 5;
    client_->send_text(message.dump());
    for (;;) {
      const auto text = client_->text();
      if (!text) return {{"event", "nothing"}};
      Json heard = Json::parse(*text);
      if (heard.value("ask", 0) == 5) return heard;
    }
  }
  Json open(const Json& source, const std::string& data = "digits") {
    return ask({{"do", "open"}, {"source", source}, {"data", data}});
  }

  std::unique_ptr<Conversation> program_;
  std::unique_ptr<lab::Client> client_;
};

TEST_F(LabProgram, OpensNothingOutsideItsWorkspace) {
  EXPECT_EQ(ask({{"do", "history"}}).at("event"), "history");
  const std::vector<Json> sources = {{{"recipe", "../secret.toml"}}, {{"recipe", file("secret.toml")}},
                                     {{"json", "../../etc/passwd"}}, {{"run", ".."}},
                                     {{"zoo", file("secret.toml")}}, {{"zoo", "../secret.toml"}},
                                     {{"zoo", file("inside")}},      {{"json", "a/../../secret.toml"}}};
  for (const Json& source : sources) EXPECT_EQ(open(source).at("event"), "failed") << source;
  EXPECT_EQ(open({{"zoo", "lenet"}}, "digits'\nfolder='/tmp").at("event"), "failed");
  EXPECT_EQ(ask({{"do", "load"}, {"which", file("inside")}}).at("event"), "failed");
  // What lies inside can be had.
  for (const Json& source : {Json{{"recipe", "text.toml"}}, Json{{"zoo", "llama_tiny"}}}) {
    const Json opened = open(source, "moby-dick");
    EXPECT_EQ(opened.at("event"), "opened") << opened;
  }
}

}  // namespace
}  // namespace asg
