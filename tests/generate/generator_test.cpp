// The generator itself: freshness, and the names and forms of builders.
#include <filesystem>

#include <gtest/gtest.h>

#include "asg/core/error.h"
#include "asg/core/platform.h"
#include "asg/graph/builder.h"
#include "asg/graph/graph.h"
#include "cpp_text.h"
#include "fixtures/one_card/cards.h"
#include "generate.h"

namespace asg::generate {
namespace {

namespace fs = std::filesystem;

class Generator : public testing::Test {
 protected:
  Generator() : root_(fs::path(testing::TempDir()) / "asg_generator" / info().name()) {
    fs::remove_all(root_);
    test::register_one_card();
  }
  ~Generator() override { fs::remove_all(root_); }

  int generate(std::vector<const char*> more = {}) const {
    const std::string root = root_.string();
    std::vector<const char*> arguments = {"asg_generate", "--root", root.c_str()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  static const testing::TestInfo& info() { return *testing::UnitTest::GetInstance()->current_test_info(); }

  fs::path root_;
};

TEST_F(Generator, ChecksWhatItWrote) {
  EXPECT_EQ(generate({"--check"}), 1);
  EXPECT_FALSE(fs::exists(root_));
  EXPECT_EQ(generate(), 0);
  EXPECT_EQ(generate({"--check"}), 0);
}

TEST_F(Generator, FindsStaleAndLeftOverFiles) {
  ASSERT_EQ(generate(), 0);
  const fs::path page = root_ / "docs/ops/Add.md";
  const fs::path stranger = root_ / "docs/ops/NoSuchOp.md";
  const std::string fresh = platform::read_file(page.string());
  platform::write_file_atomically(page.string(), "old");
  EXPECT_EQ(generate({"--check"}), 1);
  EXPECT_EQ(generate(), 0);
  EXPECT_EQ(platform::read_file(page.string()), fresh);
  platform::write_file_atomically(stranger.string(), "left over");
  EXPECT_EQ(generate({"--check"}), 1);
  EXPECT_EQ(generate(), 0);
  EXPECT_FALSE(fs::exists(stranger));
}

TEST_F(Generator, LeavesFreshFilesAlone) {
  ASSERT_EQ(generate(), 0);
  const fs::path page = root_ / "docs/ops/Add.md";
  const auto before = fs::last_write_time(page);
  ASSERT_EQ(generate(), 0);
  EXPECT_EQ(fs::last_write_time(page), before);
}

TEST_F(Generator, RefusesAWrongCall) {
  EXPECT_EQ(generate({"--unknown"}), 2);
  const char* const nothing[] = {"asg_generate"};
  EXPECT_EQ(run(nothing), 2);
}

TEST(BuilderNames, AreSnakeCase) {
  const std::pair<const char*, const char*> rows[] = {
      {"Add", "add"},
      {"ReduceSum", "reduce_sum"},
      {"IsNaN", "is_nan"},
      {"nn.MultiHeadAttention", "multi_head_attention"},
      {"nn.Conv2d", "conv2d"},
      {"LSTM", "lstm"},
      {"LSTMCell", "lstm_cell"},
      {"ReduceL2", "reduce_l2"},
      {"MatMul", "mat_mul"},
      {"NaN", "nan"},
  };
  for (const auto& [op, name] : rows) EXPECT_EQ(snake_case(op), name) << op;
  EXPECT_EQ(identifier("if"), "if_");
  EXPECT_EQ(identifier("and"), "and_");
  EXPECT_EQ(identifier("axis"), "axis");
}

TEST(Literals, ReadBackAsTheSameValue) {
  const std::pair<Attr, const char*> rows[] = {
      {Attr(-1), "-1"},
      {Attr(1.0), "1.0"},
      {Attr(0.1), "0.1"},
      {Attr(1e-5), "1e-05"},
      {Attr(true), "true"},
      {Attr("a\"b"), "\"a\\\"b\""},
      {Attr(std::vector<std::int64_t>{}), "{}"},
      {Attr(std::vector<std::int64_t>{2, -3}), "{2, -3}"},
      {Attr(std::vector<double>{0.5, 2}), "{0.5, 2.0}"},
      {Attr(DType::boolean), "DType::boolean"},
      {Attr(DType::bf16), "DType::bf16"},
  };
  for (const auto& [value, literal] : rows) EXPECT_EQ(cpp_literal(value), literal);
  EXPECT_THROW(cpp_literal(Attr(std::make_shared<const Graph>("no literal"))), UserError);
}

TEST(LongLists, AreBrokenBelowTheParenthesis) {
  const std::string item(50, 'x');
  EXPECT_EQ(argument_list("f", {"a", "b"}, ";"), "f(a, b);");
  EXPECT_EQ(argument_list("call", {item, item, item}, " {"), "call(" + item + ", " + item + ",\n     " + item + ") {");
}

}  // namespace
}  // namespace asg::generate
