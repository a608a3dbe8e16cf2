#include "asg/io/tokenizer.h"

#include <filesystem>
#include <functional>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "io/tokenizer/normalise.h"
#include "io/tokenizer/split.h"

namespace asg::io {
namespace {

using Ids = std::vector<TokenId>;
using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string kTokenizerFolder = ASG_SOURCE_DIR "/tests/unit/io/tokenisers/";

std::vector<std::string> pieces(SplitKind kind, std::string_view text) {
  std::vector<std::string> result;
  const auto sink = [&result](std::string_view piece) { result.emplace_back(piece); };
  const SplitStep step = {.kind = kind};
  split(std::span(&step, 1), text, sink);
  return result;
}

struct Cut {
  SplitKind kind;
  const char* text;
  std::vector<std::string> pieces;
};

// By the documented regular expressions, worked out by hand.
TEST(TokenizerSplit, CutsAsTheExpressionsSay) {
  const std::vector<Cut> rows = {
      {SplitKind::gpt2, "Hello world", {"Hello", " world"}},
      {SplitKind::gpt2, "it's  10 o'clock", {"it", "'s", " ", " 10", " o", "'", "clock"}},
      {SplitKind::gpt2, "IT'S a\n\n b  ", {"IT", "'", "S", " a", "\n\n", " b", "  "}},
      {SplitKind::gpt2, "x\t\ty", {"x", "\t", "\t", "y"}},
      {SplitKind::gpt2, "\u00a0é\u0301 ١٢", {"\u00a0", "é", "\u0301", " ١٢"}},
      {SplitKind::gpt4, "IT'S 12345!\n\nx", {"IT", "'S", " ", "123", "45", "!\n\n", "x"}},
      {SplitKind::gpt4, "\"quoted\"  \n z", {"\"quoted", "\"", "  \n", " z"}},
      {SplitKind::gpt4_single_digit, "a12", {"a", "1", "2"}},
      {SplitKind::gpt4o, "camelCase HTTPServer it's", {"camel", "Case", " HTTPServer", " it's"}},
      {SplitKind::gpt4o, "/usr//bin\n", {"/usr", "//", "bin", "\n"}},
      {SplitKind::gpt4o, "ABCあDEF", {"ABCあ", "DEF"}},
      {SplitKind::digits_alone, "ab12c", {"ab", "1", "2", "c"}},
      {SplitKind::digits_together, "ab12c", {"ab", "12", "c"}},
      {SplitKind::white_space, "  a\t b ", {"a", "b"}},
      {SplitKind::bert, " Don't $5 ", {"Don", "'", "t", "$", "5"}},
      {SplitKind::bert, "", {}},
      {SplitKind::whole, "a b", {"a b"}},
  };
  for (const Cut& row : rows) EXPECT_EQ(pieces(row.kind, row.text), row.pieces) << row.text;
}

TEST(TokenizerSplit, EveryByteIsInOnePiece) {
  std::string text;  // all pairs of some bytes, most of them no UTF-8
  for (int first = 0; first < 256; first += 5) {
    for (int second = 0; second < 256; second += 3) text += {static_cast<char>(first), static_cast<char>(second)};
  }
  for (const SplitKind kind : {SplitKind::gpt2, SplitKind::gpt4, SplitKind::gpt4_single_digit, SplitKind::gpt4o}) {
    std::string joined;
    for (const std::string& piece : pieces(kind, text)) joined += piece;
    EXPECT_EQ(joined, text);
  }
}

TEST(TokenizerUnicode, NormalForms) {
  EXPECT_EQ(normal_form("e\u0301x", NormalForm::nfc), "éx");
  EXPECT_EQ(normal_form("é", NormalForm::nfd), "e\u0301");
  EXPECT_EQ(normal_form("ﬁ½", NormalForm::nfkc), "fi1⁄2");
  EXPECT_EQ(normal_form("각", NormalForm::nfd), "\u1100\u1161\u11a8");
  EXPECT_EQ(normal_form("\u1100\u1161\u11a8", NormalForm::nfc), "각");
  // Marks are ordered by class, and bytes that are no UTF-8 stay.
  EXPECT_EQ(normal_form("q\u0307\u0323\xFFq", NormalForm::nfc), "q\u0323\u0307\xFFq");
  // Many marks in a row take no quadratic time.
  std::string marks = "a";
  for (int k = 0; k < 200'000; ++k) marks += k % 2 == 0 ? "\u0301" : "\u0316";
  EXPECT_EQ(normal_form(marks, NormalForm::nfd).size(), marks.size());
}

TEST(TokenizerUnicode, Bert) {
  const auto bert = [](std::string_view text) { return normalise(std::vector<NormaliseStep>(1), text); };
  EXPECT_EQ(bert("Héllo\tWÖRLD\u200b\x01"), "hello world");
  EXPECT_EQ(bert("a中b"), "a 中 b");
  EXPECT_EQ(bert("İ\ufffd"), "i");
}

TEST(Tokenizer, Characters) {
  const Tokenizer tokenizer = character_tokenizer("hello, wörld");
  EXPECT_EQ(tokenizer.kind(), TokenizerKind::characters);
  EXPECT_EQ(tokenizer.vocabulary_size(), 10);
  EXPECT_EQ(tokenizer.encode("ol d"), (Ids{6, 5, 0, 2}));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("drwöl")), "drwöl");
  EXPECT_EQ(tokenizer.id_of("ö"), 9);
  EXPECT_EQ(tokenizer.token(9), "ö");
  EXPECT_EQ(tokenizer.token(10), std::nullopt);
  const Tokenizer lenient = character_tokenizer("abc", {.unknown = "<unk>"});
  EXPECT_EQ(lenient.encode("axc\xFF"), (Ids{1, 0, 3, 0}));
  EXPECT_EQ(lenient.special_tokens(), Ids{0});
  EXPECT_EQ(character_tokenizer("").vocabulary_size(), 0);
  EXPECT_TRUE(character_tokenizer("").encode("").empty());
}

// A vocabulary of the bytes of "low" and "er", with a few merges, in GPT-2's two files.
constexpr const char* kEncoder =
    R"({"l":0,"o":1,"w":2,"e":3,"r":4,"Ġ":5,"lo":6,"low":7,"er":8,"Ġlow":9,"<|endoftext|>":12})";
constexpr const char* kMerges = "#version: 0.2\nl o\nlo w\ne r\nĠ low\n";

TEST(Tokenizer, Gpt2Files) {
  const Tokenizer tokenizer = gpt2_tokenizer(kEncoder, kMerges);
  EXPECT_EQ(tokenizer.kind(), TokenizerKind::byte_level);
  EXPECT_EQ(tokenizer.vocabulary_size(), 13);
  EXPECT_EQ(tokenizer.encode("lower low"), (Ids{7, 8, 9}));
  EXPECT_EQ(tokenizer.encode("low<|endoftext|>low"), (Ids{7, 12, 7}));
  EXPECT_EQ(tokenizer.decode(Ids{7, 12, 9}), "low<|endoftext|> low");
  EXPECT_EQ(tokenizer.decode(Ids{7, 12, 9}, {.skip_special = true}), "low low");
  EXPECT_TRUE(tokenizer.is_special(12));
  EXPECT_FALSE(tokenizer.is_special(7));
}

TEST(Tokenizer, LeavesSpecialNamesAloneWhereAsked) {
  const Tokenizer tokenizer = load_tokenizer(kTokenizerFolder + "byte_level.json");
  const Ids ids = tokenizer.encode("a<|endoftext|>", {.recognise_special = false});
  EXPECT_GT(ids.size(), 2U);
  EXPECT_FALSE(tokenizer.is_special(ids.back()));
  EXPECT_EQ(tokenizer.decode(ids), "a<|endoftext|>");
}

TEST(Tokenizer, WordPiece) {
  const Tokenizer tokenizer = word_piece_tokenizer("[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##aff\n##able\n,\nhe\n");
  EXPECT_EQ(tokenizer.kind(), TokenizerKind::word_piece);
  EXPECT_EQ(tokenizer.encode("UNaffable, xyz"), (Ids{2, 4, 5, 6, 7, 1, 3}));
  EXPECT_EQ(tokenizer.encode("he", {.add_special = false}), Ids{8});
  EXPECT_EQ(tokenizer.decode(Ids{2, 4, 5, 6, 7, 8, 3}, {.skip_special = true}), "unaffable, he");
  EXPECT_EQ(tokenizer.encode("hé"), (Ids{2, 8, 3}));
  EXPECT_EQ(tokenizer.encode("he\xFF"), (Ids{2, 8, 3}));  // U+FFFD, which BERT's cleaning drops
  EXPECT_EQ(tokenizer.encode(std::string(101, 'u')), (Ids{2, 1, 3}));
  // A capital letter in the vocabulary: nothing is made small.
  EXPECT_EQ(word_piece_tokenizer("[UNK]\nHe\nhe").encode("He he HE"), (Ids{1, 2, 0}));
  EXPECT_EQ(word_piece_tokenizer("[UNK]\nhe", {.lower_case = false}).encode("He he"), (Ids{0, 1}));
}

// Characters are counted, not bytes.
TEST(Tokenizer, WordPieceTakesWordsOfAHundredCharacters) {
  const Tokenizer tokenizer = word_piece_tokenizer("[UNK]\nu\n##u\nж\n##ж\n", {.lower_case = false});
  for (const std::string& letter : {std::string("u"), std::string("ж")}) {
    std::string word;
    for (int k = 0; k < 100; ++k) word += letter;
    Ids expected(100, tokenizer.id_of("##" + letter).value());
    expected.front() = tokenizer.id_of(letter).value();
    EXPECT_EQ(tokenizer.encode(word), expected) << letter;
    EXPECT_EQ(tokenizer.encode(word + letter), Ids{0}) << letter;
  }
}

TEST(Tokenizer, ByteLevelKeepsAllBytes) {
  const Tokenizer tokenizer = load_tokenizer(kTokenizerFolder + "byte_level.json");
  std::string text;
  for (int first = 0; first < 256; ++first) text += {static_cast<char>(first), 'x', static_cast<char>(255 - first)};
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  EXPECT_EQ(tokenizer.encode(""), Ids{});
  EXPECT_EQ(tokenizer.decode(Ids{}), "");
}

// Words beyond the bound of the simple way to merge, also against that way: the same word in a text of short ones.
TEST(Tokenizer, LongWords) {
  const Tokenizer tokenizer = train_byte_pair("abababab abab ababab aaaa aaaa", {.vocabulary_size = 280});
  const std::string word(300'001, 'a');
  const Ids ids = tokenizer.encode(word);
  EXPECT_LE(ids.size(), word.size() / 2 + 1);
  EXPECT_EQ(tokenizer.decode(ids), word);
  std::string pairs;
  for (int k = 0; k < 100; ++k) pairs += "ab";
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(pairs)), pairs);
}

TEST(Tokenizer, TrainsTheSameTokensFromTheSameText) {
  const std::string text = platform::read_file(kTokenizerFolder + "nasty.txt");
  const Tokenizer tokenizer = train_byte_pair(text, {.vocabulary_size = 400});
  EXPECT_EQ(tokenizer.vocabulary_size(), 400);
  EXPECT_EQ(tokenizer.to_json(), train_byte_pair(text, {.vocabulary_size = 400}).to_json());
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  EXPECT_LT(tokenizer.encode(text).size(), text.size());
  // The most frequent pair first, of equally frequent ones the smaller.
  const Tokenizer small = train_byte_pair("aab aab xy xy", {.vocabulary_size = 260, .special = {}});
  EXPECT_EQ(small.token(256), "Ġx");
  EXPECT_EQ(small.token(257), "aa");
  // Nothing to learn is no error.
  EXPECT_EQ(train_byte_pair("", {.vocabulary_size = 300, .special = {}}).vocabulary_size(), 256);
}

TEST(Tokenizer, ServesSeveralThreads) {
  const Tokenizer tokenizer = load_tokenizer(kTokenizerFolder + "byte_level.json");
  const std::string text = platform::read_file(kTokenizerFolder + "nasty.txt");
  const Ids expected = tokenizer.encode(text);
  std::vector<int> equal(4, 0);
  std::vector<std::thread> threads;
  for (int& result : equal) {
    threads.emplace_back([&] { result = tokenizer.encode(text) == expected ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>(4, 1));
}

class TokenizerFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("asg_tokens_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& content) const {
    platform::write_file_atomically((folder_ / name).string(), content);
    return (folder_ / name).string();
  }
  std::string folder() const { return folder_.string(); }

 private:
  fs::path folder_;
};

TEST_F(TokenizerFiles, AreRecognisedByTheirContent) {
  const std::string vocabulary = write("encoder.json", kEncoder);
  const std::string merges = write("vocab.bpe", kMerges);
  const std::string words = write("words", "[UNK]\nhe\n");
  for (const std::string& path : {vocabulary, merges, folder()}) {
    EXPECT_EQ(load_tokenizer(path).encode("lower"), (Ids{7, 8})) << path;
  }
  EXPECT_EQ(load_tokenizer(words).kind(), TokenizerKind::word_piece);
  const std::string other = write("other", character_tokenizer("abc").to_json());
  EXPECT_EQ(load_tokenizer(other).kind(), TokenizerKind::characters);
}

struct BadFile {
  const char* name;
  ErrorCode code;
  const char* contains;
};

TEST_F(TokenizerFiles, AreRefusedWithWords) {
  fs::create_directories(fs::path(folder()) / "none");
  write("lonely.json", kEncoder);
  write("empty", "");
  write("words", "he\nshe\n");
  write("twice", "[UNK]\nhe\nhe\n");
  write("tokenizer.json", R"({"version": "1.0", "added_tokens": [)");
  const std::vector<BadFile> rows = {
      {"nowhere", ErrorCode::io_error, "nowhere"},        {"none", ErrorCode::io_error, "a folder without a tokeniser"},
      {"lonely.json", ErrorCode::io_error, "vocab.bpe"},  {"empty", ErrorCode::io_error, "an empty file"},
      {"words", ErrorCode::bad_json, "without [UNK]"},    {"twice", ErrorCode::bad_json, "line 3"},
      {"tokenizer.json", ErrorCode::bad_json, "cut off"},
  };
  for (const BadFile& row : rows) {
    try {
      load_tokenizer(folder() + "/" + row.name);
      ADD_FAILURE() << row.name << " was read";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), row.code) << error.what();
      EXPECT_NE(std::string(error.what()).find(row.contains), std::string::npos) << error.what();
    }
  }
}

struct BadJson {
  const char* name;
  Json patch;
  ErrorCode code;
  const char* contains;  // in the message, with the place in the file
};

const Json kGood = Json::parse(R"({"version": "1.0", "truncation": null, "padding": null,
  "added_tokens": [{"id": 4, "content": "<end>", "special": true}],
  "normalizer": null, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "post_processor": null,
  "decoder": {"type": "ByteLevel"},
  "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "c": 3}, "merges": ["a b"]}})");

TEST(TokenizerJson, RefusesWithWordsAndPlace) {
  const Json split = {{"type", "Split"}, {"pattern", {{"Regex", "[a-z]+"}}}, {"behavior", "Isolated"}};
  const std::vector<BadJson> rows = {
      {"no model", {{"model", nullptr}}, ErrorCode::bad_json, "'model'"},
      {"model of another type", {{"model", 3}}, ErrorCode::bad_json, "/model"},
      {"unknown model", {{"model", {{"type", "Unigram"}}}}, ErrorCode::not_implemented, "'Unigram'"},
      {"version", {{"version", "2.0"}}, ErrorCode::unsupported_version, "'2.0'"},
      {"unknown key", {{"fancy", 1}}, ErrorCode::not_implemented, "'fancy'"},
      {"unknown key of the model", {{"model", {{"fancy", 1}}}}, ErrorCode::not_implemented, "'fancy'"},
      {"vocabulary as a list", {{"model", {{"vocab", Json::array()}}}}, ErrorCode::bad_json, "/model/vocab"},
      {"id as a text", {{"model", {{"vocab", {{"a", "0"}}}}}}, ErrorCode::bad_json, "'a'"},
      {"negative id", {{"model", {{"vocab", {{"a", -1}}}}}}, ErrorCode::bad_json, "-1"},
      {"huge id", {{"model", {{"vocab", {{"a", 4'000'000'000'000}}}}}}, ErrorCode::bad_json, "4000000000000"},
      {"hole", {{"model", {{"vocab", {{"d", 1'000'000}}}}}}, ErrorCode::bad_json, "large holes"},
      {"two of one id", {{"model", {{"vocab", {{"d", 1}}}}}}, ErrorCode::bad_json, "the id 1 for both"},
      {"merge of an unknown token", {{"model", {{"merges", {"a x"}}}}}, ErrorCode::bad_json, "/model/merges/0"},
      {"merge to an unknown token", {{"model", {{"merges", {"a b", "b c"}}}}}, ErrorCode::bad_json, "a merge to 'bc'"},
      {"merge of three", {{"model", {{"merges", {"a b c"}}}}}, ErrorCode::bad_json, "two tokens"},
      {"merge as a number", {{"model", {{"merges", {1}}}}}, ErrorCode::bad_json, "two tokens"},
      {"merge twice", {{"model", {{"merges", {"a b", "a b"}}}}}, ErrorCode::bad_json, "twice"},
      {"merges as a text", {{"model", {{"merges", "a b"}}}}, ErrorCode::bad_json, "/model/merges"},
      {"dropout", {{"model", {{"dropout", 0.1}}}}, ErrorCode::not_implemented, "dropout"},
      {"suffix", {{"model", {{"end_of_word_suffix", "</w>"}}}}, ErrorCode::not_implemented, "end_of_word_suffix"},
      {"unknown token that is none", {{"model", {{"unk_token", "?"}}}}, ErrorCode::bad_json, "'?'"},
      {"added token of another id", {{"added_tokens", {{{"id", 7}, {"content", "a"}}}}}, ErrorCode::bad_json, "0"},
      {"added token of a taken id", {{"added_tokens", {{{"id", 0}, {"content", "z"}}}}}, ErrorCode::bad_json, "both"},
      {"added token without text", {{"added_tokens", {{{"id", 9}, {"content", ""}}}}}, ErrorCode::bad_json, "content"},
      {"added token as a text", {{"added_tokens", {"x"}}}, ErrorCode::bad_json, "/added_tokens/0"},
      {"truncation", {{"truncation", {{"max_length", 5}}}}, ErrorCode::not_implemented, "truncation"},
      {"unknown normalizer", {{"normalizer", {{"type", "Nmt"}}}}, ErrorCode::not_implemented, "'Nmt'"},
      {"normalizer without a type", {{"normalizer", Json::object()}}, ErrorCode::bad_json, "/normalizer"},
      {"unknown expression", {{"pre_tokenizer", split}}, ErrorCode::not_implemented, "[a-z]+"},
      {"unknown pre-tokenizer", {{"pre_tokenizer", {{"type", "Metaspace"}}}}, ErrorCode::not_implemented, "Metaspace"},
      {"flag as a number", {{"pre_tokenizer", {{"use_regex", 1}}}}, ErrorCode::bad_json, "/pre_tokenizer/use_regex"},
      {"unknown decoder", {{"decoder", {{"type", "CTC"}}}}, ErrorCode::not_implemented, "'CTC'"},
      {"unknown post-processor", {{"post_processor", {{"type", "X"}}}}, ErrorCode::not_implemented, "'X'"},
      {"processor with a bad id",
       {{"post_processor", {{"type", "BertProcessing"}, {"cls", {"a", 77}}, {"sep", {"b", 1}}}}},
       ErrorCode::bad_json,
       "/post_processor/cls/1"},
      {"template without a text",
       {{"post_processor", {{"type", "TemplateProcessing"}, {"single", Json::array()}}}},
       ErrorCode::bad_json,
       "without a text"},
  };
  ASSERT_EQ(tokenizer_from_json(kGood.dump()).encode("abc<end>"), (Ids{2, 3, 4}));
  for (const BadJson& row : rows) {
    Json file = kGood;
    file.merge_patch(row.patch);
    if (row.patch.contains("model") && row.patch["model"].is_object() && row.patch["model"].contains("vocab") &&
        row.patch["model"]["vocab"].size() == 1 && row.patch["model"]["vocab"].is_object()) {
      file["model"]["merges"] = Json::array();
    }
    try {
      tokenizer_from_json(file.dump());
      ADD_FAILURE() << row.name << " was read";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), row.code) << row.name << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(row.contains), std::string::npos) << row.name << ": " << error.what();
    }
  }
}

TEST(TokenizerJson, RefusesTextThatIsNoJson) {
  const std::string whole = kGood.dump();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(tokenizer_from_json(whole.substr(0, size)), UserError) << size;
  }
  const auto message = [](const std::string& text, const TokenizerLimits& limits = {}) {
    try {
      tokenizer_from_json(text, limits);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(R"({"version": "1.0", "version": "1.0"})").find("the key 'version' twice"), std::string::npos);
  EXPECT_NE(message(std::string(100'000, '[')).find("nested"), std::string::npos);
  EXPECT_NE(message(whole, {.max_bytes = 10}).find("at most 10 bytes"), std::string::npos);
  EXPECT_NE(message("\"\xFF\"").find("bad_json"), std::string::npos);
}

struct BadUse {
  const char* name;
  std::function<void()> use;
  ErrorCode code;
  const char* contains;
};

TEST(Tokenizer, RefusesBadUse) {
  const std::vector<BadUse> rows = {
      {"unknown character", [] { character_tokenizer("abc").encode("abx"); }, ErrorCode::computation_error, "'x'"},
      {"unknown byte", [] { gpt2_tokenizer(kEncoder, kMerges).encode("lox"); }, ErrorCode::computation_error, "'x'"},
      {"id beyond", [] { character_tokenizer("abc").decode(Ids{0, 3}); }, ErrorCode::bad_index, "position 1"},
      {"negative id", [] { character_tokenizer("abc").decode(Ids{-1}); }, ErrorCode::bad_index, "-1"},
      {"id in a hole", [] { gpt2_tokenizer(kEncoder, kMerges).decode(Ids{10}); }, ErrorCode::bad_index, "10"},
      {"small vocabulary", [] { train_byte_pair("x", {.vocabulary_size = 200}); }, ErrorCode::bad_attribute, "257"},
      {"special twice", [] { train_byte_pair("x", {.special = {"<a>", "<a>"}}); }, ErrorCode::bad_attribute, "twice"},
      {"bad encoder", [] { gpt2_tokenizer("[]", ""); }, ErrorCode::bad_json, "a list"},
      {"bad merges", [] { gpt2_tokenizer(kEncoder, "l\n"); }, ErrorCode::bad_json, "two tokens"},
  };
  for (const BadUse& row : rows) {
    try {
      row.use();
      ADD_FAILURE() << row.name << " passed";
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), row.code) << row.name << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(row.contains), std::string::npos) << row.name << ": " << error.what();
    }
  }
}

}  // namespace
}  // namespace asg::io
