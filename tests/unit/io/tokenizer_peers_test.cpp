// Ids and texts that Hugging Face's `tokenizers` gave for a nasty text; tools/peers/tokenisers.sh renews them.
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/platform.h"
#include "asg/io/tokenizer.h"

namespace asg::io {
namespace {

using Json = nlohmann::json;

const std::string kFolder = ASG_SOURCE_DIR "/tests/unit/io/tokenisers/";

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t k = 16; k-- > 0; value >>= 4) text[k] = "0123456789abcdef"[value & 15];
  return text;
}

std::string hash(std::string_view bytes) {  // FNV-1a
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hex(value);
}

std::string hash(const std::vector<TokenId>& ids) {
  std::string bytes;
  for (const TokenId id : ids) {
    for (int shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(static_cast<std::uint32_t>(id) >> shift & 255);
  }
  return hash(std::string_view(bytes));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines = {""};
  for (const char letter : text) {
    if (letter == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += letter;
    }
  }
  return lines;
}

Json read_json(const std::string& name) { return Json::parse(platform::read_file(kFolder + name)); }

TEST(TokenizerPeers, TheSameIdsAndTextsAsTheOracle) {
  const std::string text = platform::read_file(kFolder + "nasty.txt");
  const std::vector<std::string> lines = lines_of(text);
  const Json expected = read_json("expected.json");
  const Json cases = read_json("cases.json");
  ASSERT_EQ(cases.size(), expected.size());
  for (const Json& each : cases) {
    const auto name = each["name"].get<std::string>();
    SCOPED_TRACE(name);
    Json file = read_json(each["base"].get<std::string>());
    file.merge_patch(each["patch"]);
    const Tokenizer tokenizer = tokenizer_from_json(file.dump());
    const Json& wanted = expected[name];
    const std::vector<TokenId> ids = tokenizer.encode(text);
    EXPECT_EQ(ids.size(), wanted["count"].get<std::size_t>());
    EXPECT_EQ(hash(ids), wanted["ids"].get<std::string>());
    EXPECT_EQ(hash(tokenizer.decode(ids)), wanted["decoded"].get<std::string>());
    EXPECT_EQ(hash(tokenizer.decode(ids, {.skip_special = true})), wanted["plain"].get<std::string>());
    ASSERT_EQ(wanted["lines"].size(), lines.size());
    for (std::size_t k = 0; k < lines.size(); ++k) {
      EXPECT_EQ(hash(tokenizer.encode(lines[k])), wanted["lines"][k].get<std::string>()) << "line " << k + 1;
    }
    EXPECT_EQ(tokenizer_from_json(tokenizer.to_json()).encode(text), ids);
  }
}

// The real vocabularies lie here once `make peers` has been run.
TEST(TokenizerPeers, MobyDickWithGpt2) {
  const std::string peers = ASG_BINARY_DIR "/peers";
  const std::string text_file = peers + "/moby-dick/data/data.txt";
  if (!std::filesystem::exists(text_file) || !std::filesystem::exists(peers + "/gpt2-files/encoder.json")) {
    GTEST_SKIP() << "make peers fetches the files";
  }
  const std::string text = platform::read_file(text_file);
  const Tokenizer tokenizer = load_tokenizer(peers + "/gpt2-files");
  const std::vector<TokenId> ids = tokenizer.encode(text);
  EXPECT_EQ(ids.size(), 317756U);
  EXPECT_EQ(hash(ids), "869e01de69469109");
  EXPECT_EQ(tokenizer.decode(ids), text);
}

}  // namespace
}  // namespace asg::io
