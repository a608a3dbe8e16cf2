// Small files that ask for much: depth, length, repetition. Each is refused in words, whatever reads it, and costs no
// more than its size and the limits.
#include <functional>

#include <gtest/gtest.h>
#include <zlib.h>

#include "asg/backend/cpu.h"
#include "asg/backend/interpreter.h"
#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/io/inflate.h"
#include "asg/io/npz.h"
#include "asg/io/onnx.h"
#include "asg/io/safetensors.h"
#include "asg/io/tokenizer.h"
#include "asg/metrics/metric.h"
#include "asg/optim/json.h"
#include "asg/recipe/recipe.h"
#include "asg/zoo/hugging_face.h"
#include "graph/json_dom.h"
#include "onnx_text.h"
#include "recipe/table.h"
#include "support/amount.h"
#include "support/growth.h"
#include "support/limit_guard.h"
#include "support/temporary_folder.h"
#include "train/log/record_text.h"

namespace asg::test {
namespace {

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += part;
  return text;
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text.substr(0, 500);
}

// ---- Nesting

struct DeepText {
  const char* name;
  std::function<void()> read;
};

constexpr int kDeep = 100'000;

std::string deep_list() { return repeated("[", kDeep) + repeated("]", kDeep); }

std::vector<DeepText> deep_texts() {
  const auto recipe = [](const std::string& text, recipe::Format format) { recipe::read_recipe(text, format, {}); };
  return {
      {"header", [=] { recipe("[a" + repeated(".a", kDeep) + "]\nx = 1\n", recipe::Format::toml); }},
      {"table_array", [=] { recipe("[[a" + repeated(".a", kDeep) + "]]\n", recipe::Format::toml); }},
      {"key", [=] { recipe("a" + repeated(" . \"a\"", kDeep) + " = 1\n", recipe::Format::toml); }},
      {"key_of_inline_table", [=] { recipe("x = [1, {a" + repeated(".a", kDeep) + " = 1}]\n", recipe::Format::toml); }},
      {"keys_in_inline_tables",
       [=] { recipe("x = " + repeated("{" + repeated("a.", 200) + "a = ", 200) + "1", recipe::Format::toml); }},
      {"behind_odd_quotes",
       [=] {
         recipe("x = ['''it''''', \"\"\"\\\"\"\"\"\", 'a\\', \"\", {a" + repeated(".a", kDeep) + " = 1}]\n",
                recipe::Format::toml);
       }},
      {"toml_lists", [=] { recipe("x = " + deep_list(), recipe::Format::toml); }},
      {"change",
       [] {
         const std::string change = "a" + repeated(".a", kDeep) + "=1";
         recipe::read_recipe("", recipe::Format::toml, std::span(&change, 1));
       }},
      {"recipe_in_json",
       [=] { recipe(R"({"model":{"zoo":"lenet","channels":)" + deep_list() + "}}", recipe::Format::json); }},
      {"config_of_hugging_face",
       [] { zoo::read_hugging_face_config(R"({"model_type":"gpt2","scale_attn_weights":)" + deep_list() + "}"); }},
      {"record_of_a_log",
       [] { train::record_from_json(R"({"step":1,"time":1,"tag":"a","value":)" + deep_list() + "}"); }},
      {"metric", [] { metrics::metric_from_json(R"({"name":"f1","average":)" + deep_list() + "}"); }},
      {"schedule", [] { optim::schedule_from_json(R"({"kind":"cosine","steps":)" + deep_list() + "}"); }},
  };
}

class DeepTexts : public testing::TestWithParam<DeepText> {};

TEST_P(DeepTexts, AreRefused) {
  const std::string text = refusal(GetParam().read);
  EXPECT_TRUE(text.starts_with("limit_exceeded: ")) << text.substr(0, 500);
  expect_part(text, "--max-depth");
}

INSTANTIATE_TEST_SUITE_P(All, DeepTexts, testing::ValuesIn(deep_texts()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(TomlDepth, CountsNothingInStringsAndComments) {
  const std::string dots = repeated("a.[{", 300);
  EXPECT_EQ(refusal([&] {
              recipe::json_of_toml("# " + dots + "\nname = \"" + dots + "\" # " + dots + "\nfolder = '''" + dots +
                                   "\n" + dots + "'''\n");
            }),
            "accepted");
  std::string numbers = "x = [";
  for (int k = 0; k < 1000; ++k) numbers += "0.5, {a.b = 1.5},\n";
  EXPECT_EQ(refusal([&] { recipe::json_of_toml(numbers + "]\n"); }), "accepted");
}

// The parser takes some of these for impossible; its release build then does what it likes.
TEST(Toml, WithOddCharactersOutsideOfQuotesIsRefused) {
  for (const char* odd : {"\xC3\x97", "\xD2\x99", "\xE1\x9A\x81", "\xEF\xBB\xBE", "\xF0\x9F\x98\x80"}) {
    for (const std::string& text : {"20" + std::string(odd) + "20 = 1\n", "a = 1" + std::string(odd) + "\n",
                                    "a = 1.{\"`" + std::string(odd) + "\n", "a = 1 " + std::string(odd)}) {
      expect_part(refusal([&] { recipe::json_of_toml(text); }), "a text that is no TOML");
    }
    const std::string quoted = "\"" + std::string(odd) + "\" = '" + odd + "' # " + odd;
    EXPECT_EQ(recipe::json_of_toml(quoted).size(), 1U);
  }
}

TEST(Toml, WithControlCharactersIsRefused) {
  for (const char* text : {"[\x12\x12model]\n", "a\x01 = 1\n", "[[\x7F]]\n", "\x0B = 2", "a = \x0C 3"}) {
    expect_part(refusal([&] { recipe::json_of_toml(text); }), "a text that is no TOML: the control character");
  }
  EXPECT_EQ(recipe::json_of_toml("\ta\t=\t1\r\n").size(), 1U);
}

// ---- Many names

TEST(Tables, OfTooManyNamesAreRefused) {
  const auto names_of = [](int count, const std::string& end) {
    std::string text;
    for (int k = 0; k < count; ++k)
      text += (k == 0 || end == "=1\n" ? "" : ",") + ("\"k" + std::to_string(k)) + "\"" + end;
    return text;
  };
  const std::string words = "a table or object of more than 1000 names";
  EXPECT_EQ(recipe::json_of_toml(names_of(1000, "=1\n")).size(), 1000U);
  expect_part(refusal([&] { recipe::json_of_toml(names_of(1001, "=1\n")); }), words);
  expect_part(refusal([&] { recipe::json_of_toml("[a]\n" + names_of(1001, "=1\n")); }), words);
  expect_part(refusal([&] { recipe::read_recipe("{" + names_of(1001, ":1") + "}", recipe::Format::json, {}); }), words);
  expect_part(refusal([&] { train::record_from_json("{" + names_of(1001, ":1") + "}"); }), words);
}

// The work that a reader does grows with the file, whatever there is many of.
TEST(OnnxModels, AreReadInTimeThatGrowsWithThem) {
  const auto outputs = [](int count) {
    std::string nodes, names;
    for (int k = 0; k < count; ++k) {
      nodes += node("Neg", {"x"}, {"v" + std::to_string(k)});
      names += output("v" + std::to_string(k));
    }
    return model(13, input("x", 1, {"1"}) + nodes + names);
  };
  const auto functions = [](int count) {
    std::string calls, bodies;
    for (int k = 0; k < count; ++k) {
      const std::string number = std::to_string(k);
      calls += "node { op_type: 'F" + number + "' domain: 'd' input: 'x' output: 'v" + number + "' } ";
      bodies += "functions { name: 'F" + number +
                "' domain: 'd' input: 'a' output: 'b' node { op_type: 'Neg' input: "
                "'a' output: 'b' } opset_import { domain: '' version: 17 } } ";
    }
    return model_bytes(
        "ir_version: 8 opset_import { domain: '' version: 17 } opset_import { domain: 'd' version: 1 } "
        "graph { name: 'g' " +
        input("x", 1, {"1"}) + calls + output("v0") + "} " + bodies);
  };
  const int count = amount(4000, 300);
  for (const auto& made : std::vector<std::function<std::string(int)>>{outputs, functions}) {
    const std::string few = made(count), many = made(10 * count);
    EXPECT_LT(growth(count, [&](int size) { io::read_onnx(size == count ? few : many); }), kMostGrowth);
  }
}

TEST(JsonTrees, OfManyObjectsInAListAreBuiltInTimeThatGrowsWithThem) {
  const auto list_of = [](int count) { return "[{}" + repeated(",{\"a\":1}", count) + "]"; };
  const int count = amount(20'000, 1000);
  const std::string few = list_of(count), many = list_of(10 * count);
  const double ratio = growth(count, [&](int size) { dom_from_text(size == count ? few : many); });
  EXPECT_LT(ratio, kMostGrowth);
}

TEST(Tokenizers, OfManyAddedTokensAreReadInTimeThatGrowsWithThem) {
  const auto tokenizer_of = [](int count) {
    std::string added;
    for (int k = 0; k < count; ++k) {
      added +=
          (k == 0 ? "" : ",") + ("{\"id\":" + std::to_string(k + 1)) + ",\"content\":\"<t" + std::to_string(k) + ">\"}";
    }
    return R"({"added_tokens":[)" + added +
           R"(],"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":"WordPiece","unk_token":"u","vocab":{"u":0}}})";
  };
  const int count = amount(3000, 300);
  const std::string few = tokenizer_of(count), many = tokenizer_of(10 * count);
  const double ratio = growth(count, [&](int size) { io::tokenizer_from_json(size == count ? few : many); });
  EXPECT_LT(ratio, kMostGrowth);
}

// ---- Compressed files

std::string gzip_of(const std::string& content) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(Gzip, UnpacksToTheLimitAndNoFurther) {
  const std::string packed = gzip_of(std::string(1 << 20, 'a'));
  ASSERT_LT(packed.size(), 2000U);
  const LimitGuard guard(Limit::unpacked_bytes, 1 << 20);
  EXPECT_EQ(io::gunzip(packed).size(), std::size_t{1} << 20);
  const std::string text = refusal([&] { io::gunzip(packed + gzip_of("b")); });
  expect_part(text, "unpack to more than 1 MiB");
  expect_part(text, "--max-unpacked-bytes");
  const TemporaryFolder folder;
  folder.write("bomb.csv", packed + gzip_of("b"));
  expect_part(refusal([&] { io::read_maybe_gzip_file(folder.path("bomb.csv")); }), "bomb.csv");
}

TEST(Gzip, ManyMembersBehindALargeOneCostWhatTheyHold) {
  const std::string empty = gzip_of("");
  const auto file_of = [&](int size) {
    return gzip_of(std::string(static_cast<std::size_t>(size) * 4096, 'a')) + repeated(empty, size);
  };
  const int size = amount(100, 30);
  const std::string few = file_of(size), many = file_of(10 * size);
  EXPECT_LT(growth(size, [&](int of) { io::gunzip(of == size ? few : many); }), kMostGrowth);
  EXPECT_EQ(io::gunzip(few).size(), static_cast<std::size_t>(size) * 4096);
}

// An archive whose directory names one stored member again and again.
std::string overlapping_archive(int members) {
  const std::string file = platform::read_file(ASG_SOURCE_DIR "/tests/data/files/numpy_stored.npz");
  const std::size_t directory = file.find("PK\1\2"), second = file.find("PK\1\2", directory + 1);
  const std::size_t end = file.find("PK\5\6");
  std::string bytes = file.substr(0, directory);
  for (int k = 0; k < members; ++k) {
    std::string entry = file.substr(directory, second - directory);
    entry[46] = static_cast<char>('a' + k);  // the name
    bytes += entry;
  }
  std::string tail = file.substr(end);
  tail[8] = tail[10] = static_cast<char>(members);
  return bytes + tail;
}

TEST(Npz, MembersThatShareBytesAreRefused) {
  EXPECT_EQ(io::read_npz(overlapping_archive(1)).size(), 1U);
  expect_part(refusal([] { io::read_npz(overlapping_archive(20)); }), "a member that overlaps the one before");
}

TEST(Npz, AllMembersTogetherKeepTheLimit) {
  const std::string file = platform::read_file(ASG_SOURCE_DIR "/tests/data/files/pillow_resize.npz");
  const LimitGuard guard(Limit::unpacked_bytes, 400);
  expect_part(refusal([&] { io::read_npz(file); }), "an archive that unpacks to more than 400 bytes");
}

// ---- Safetensors

TEST(SafetensorsIndex, ThatNamesItselfOrAnotherIsRefused) {
  const TemporaryFolder folder;
  const std::string name = "model.safetensors.index.json";
  for (const char* shard : {"model.safetensors.index.json", "other.index.json", "folder"}) {
    folder.write(name, R"({"weight_map":{"a":")" + std::string(shard) + "\"}}");
    std::filesystem::create_directories(folder.path("folder"));
    folder.write("folder/" + name, R"({"weight_map":{"a":"model.safetensors"}})");
    const std::string text = refusal([&] { io::Safetensors::open(folder.path()); });
    const bool is_json = std::string(shard).ends_with(".json");
    expect_part(text, is_json ? "the name of a safetensors file in the folder of the index" : "a file, not a folder");
  }
}

// ---- Loops

using Names = std::vector<std::string>;

// A loop of `trips` whose state doubles; each state may be stacked.
std::string loop_model(const std::string& trips, bool goes_on = true, bool stacks = false) {
  const std::string condition = goes_on ? node("Identity", {"c"}, {"c2"}) : node("Not", {"c"}, {"c2"});
  const std::string body = input("i", 7, {}) + input("c", 9, {}) + input("s", 1, {"1"}) + condition +
                           node("Add", {"s", "s"}, {"s2"}) + node("Identity", {"s"}, {"out"}) + output("c2") +
                           output("s2") + (stacks ? output("out") : "");
  return model(13, input("x", 1, {"1"}) + "initializer { name: 'n' data_type: 7 int64_data: " + trips + " } " +
                       node("Loop", {"n", "", "x"}, stacks ? Names{"y", "all"} : Names{"y"}, attr_graph("body", body)) +
                       output("y"));
}

std::string outcome_of_running(Backend& backend, const std::string& bytes) {
  return refusal([&] {
    const auto executable = backend.compile(io::read_onnx(bytes).graph, {.mode = Mode::eval});
    executable->run({{"x", Array::of<float>({1}, {0})}});
  });
}

TEST(Loops, KeepTheLimitOfTrips) {
  CpuBackend cpu(1);
  Interpreter interpreter;
  const LimitGuard guard(Limit::trips, 20);
  for (Backend* backend : {static_cast<Backend*>(&cpu), static_cast<Backend*>(&interpreter)}) {
    EXPECT_EQ(outcome_of_running(*backend, loop_model("20")), "accepted");
    for (const char* trips : {"21", "10000000", "9223372036854775807"}) {
      const std::string text = outcome_of_running(*backend, loop_model(trips));
      expect_part(text, "a loop of " + std::string(trips) + " iterations");
      expect_part(text, "raise the limit with --max-trips");
    }
    // The data end it long before.
    EXPECT_EQ(outcome_of_running(*backend, loop_model("9223372036854775807", false, true)), "accepted");
  }
}

TEST(Loops, StackNoMoreThanTheLimitOfElements) {
  CpuBackend cpu(1);
  const LimitGuard guard(Limit::elements, 10);
  EXPECT_EQ(outcome_of_running(cpu, loop_model("10", true, true)), "accepted");
  const std::string text = outcome_of_running(cpu, loop_model("11", true, true));
  expect_part(text, "11 iterations that each give f32[1]");
  expect_part(text, "--max-elements");
}

// ---- Sizes

TEST(Sizes, ThatNoProgramCountsAreRefused) {
  CpuBackend cpu(1);
  const std::string most = "9223372036854775807", less = "2305843009213693952";
  for (const char* op : {"Expand", "Tile"}) {
    for (const std::string& length : {most, less}) {
      const std::string bytes =
          model(13, input("x", 1, {"1"}) + "initializer { name: 'n' data_type: 7 dims: 1 int64_data: " + length +
                        " } " + node(op, {"x", "n"}, {"wide"}) + node("ReduceSum", {"wide"}, {"y"}) + output("y"));
      const std::string text = outcome_of_running(cpu, bytes);
      expect_part(text, "that gives f32[" + length);  // as it is, or with the axes of its body
      expect_part(text, "a value of fewer than 2^62 bytes");
    }
  }
}

}  // namespace
}  // namespace asg::test
