#include "asg/core/error.h"

#include <set>

#include <gtest/gtest.h>

namespace asg {
namespace {

TEST(ErrorCode, EachHasItsOwnNameAndSummary) {
  std::set<std::string_view> names;
  std::set<std::string_view> summaries;
  for (const ErrorCode code : all_error_codes()) {
    EXPECT_FALSE(name_of(code).empty());
    EXPECT_FALSE(summary_of(code).empty());
    EXPECT_TRUE(names.insert(name_of(code)).second) << name_of(code);
    EXPECT_TRUE(summaries.insert(summary_of(code)).second) << summary_of(code);
  }
  EXPECT_EQ(name_of(ErrorCode::bad_dtype), "bad_dtype");
  EXPECT_EQ(name_of(ErrorCode::no_such_snapshot), "no_such_snapshot");
  EXPECT_EQ(summary_of(ErrorCode::cycle), "a graph that feeds on itself");
}

struct TextRow {
  const char* title;
  ErrorDetail detail;
  const char* text;
};

TEST(UserError, TextSaysWhatWhereAndHowToMend) {
  const TextRow rows[] = {
      {"all fields",
       {ErrorCode::broadcast_mismatch, "shapes [2, 3] and [4]", "equal sizes, or 1", "reshape one of them",
        "encoder/Add#17", "model.cpp:42"},
       "broadcast_mismatch: shapes [2, 3] and [4] (in encoder/Add#17, built at model.cpp:42)\n"
       "  needed: equal sizes, or 1\n"
       "  to mend: reshape one of them"},
      {"a JSON pointer is not where a node was built",
       {ErrorCode::bad_json, "a string", "a number", "", "Add#1", "/nodes/1"},
       "bad_json: a string (in Add#1, at /nodes/1)\n  needed: a number"},
      {"node only", {ErrorCode::cycle, "a loop", "", "", "Add#1", ""}, "cycle: a loop (in Add#1)"},
      {"place only", {ErrorCode::cycle, "a loop", "", "", "", "/nodes"}, "cycle: a loop (at /nodes)"},
      {"only what to do", {ErrorCode::cycle, "a loop", "", "cut it", "", ""}, "cycle: a loop\n  to mend: cut it"},
      {"nothing but the code", {ErrorCode::cycle, "", "", "", "", ""}, "cycle: a graph that feeds on itself"},
  };
  for (const TextRow& row : rows) {
    const UserError error(row.detail);
    EXPECT_STREQ(error.what(), row.text) << row.title;
    EXPECT_EQ(error.code(), row.detail.code) << row.title;
    EXPECT_EQ(error.detail(), row.detail) << row.title;
  }
}

TEST(UserError, OuterLayersAddOnlyWhatIsMissing) {
  const UserError bare({ErrorCode::cycle, "a loop", "", "", "", ""});
  const UserError placed = bare.with_node("Add#1").with_where("model.cpp:1");
  EXPECT_STREQ(placed.what(), "cycle: a loop (in Add#1, built at model.cpp:1)");
  EXPECT_EQ(placed.with_node("Mul#2").with_where("other.cpp:2"), placed);
  EXPECT_STREQ(bare.what(), "cycle: a loop");
}

TEST(UserError, IsComparedByEveryField) {
  const ErrorDetail base = {ErrorCode::cycle, "given", "needed", "mend", "node", "where"};
  EXPECT_EQ(UserError(base), UserError(base));
  std::vector<ErrorDetail> others(6, base);
  others[0].code = ErrorCode::bad_dim;
  others[1].given = "x";
  others[2].needed = "x";
  others[3].mend = "x";
  others[4].node = "x";
  others[5].where = "x";
  for (const ErrorDetail& other : others) EXPECT_NE(UserError(other), UserError(base));
}

TEST(UserError, FailThrowsIt) {
  try {
    fail(ErrorCode::bad_index, "index 3", "an index below 2", "use 1");
    FAIL() << "nothing was thrown";
  } catch (const UserError& error) {
    EXPECT_EQ(error.detail(), (ErrorDetail{ErrorCode::bad_index, "index 3", "an index below 2", "use 1", "", ""}));
  }
}

TEST(InternalError, SaysWhereAndAsksForAReport) {
  EXPECT_STREQ(InternalError("a node without a card", {"/src/graph/graph.cpp", 7}).what(),
               "internal error: a node without a card (at graph.cpp:7)\n"
               "  this is a mistake in ASG, not in your program; please report it");
  try {
    internal_check(false, "the sky is up");
    FAIL() << "nothing was thrown";
  } catch (const InternalError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("the sky is up (at error_test.cpp:"), std::string::npos) << text;
  }
  EXPECT_NO_THROW(internal_check(true, ""));
}

TEST(SourceLocation, PrintsTheNameOfTheFile) {
  EXPECT_EQ((SourceLocation{"model.cpp", 42}).to_string(), "model.cpp:42");
  EXPECT_EQ((SourceLocation{"/home/me/model.cpp", 42}).to_string(), "model.cpp:42");
  EXPECT_EQ((SourceLocation{"src\\model.cpp", 42}).to_string(), "model.cpp:42");
  EXPECT_EQ(SourceLocation{}.to_string(), "");
  EXPECT_FALSE(SourceLocation{}.known());
  const SourceLocation here = SourceLocation::current();
  EXPECT_TRUE(here.known());
  EXPECT_EQ(here.line, __LINE__ - 2);
  EXPECT_EQ(here, (SourceLocation{__FILE__, here.line}));
  EXPECT_FALSE(here == SourceLocation::current());
}

struct NearestRow {
  const char* name;
  const char* nearest;
};

TEST(NearestName, FindsWhatWasMeant) {
  const std::vector<std::string> candidates = {"Relu", "Gelu", "Conv", "ConvTranspose", "MatMul", "Softmax", "Add"};
  const NearestRow rows[] = {
      {"Relu", "Relu"},
      {"relu", "Relu"},  // case first
      {"gelu", "Gelu"},  // although Relu is one letter away
      {"GELU", "Gelu"},
      {"Rleu", "Relu"},  // neighbours swapped
      {"Softmx", "Softmax"},
      {"SoftmaxX", "Softmax"},
      {"Matmull", "MatMul"},
      {"Convtranspos", "ConvTranspose"},
      {"Ad", "Add"},
      {"Celu", "Relu"},  // the first of equally near ones
      {"Transformer", ""},
      {"x", ""},
      {"", ""},
  };
  for (const NearestRow& row : rows) EXPECT_EQ(nearest_name(row.name, candidates), row.nearest) << row.name;
  EXPECT_EQ(nearest_name(std::string(100'000, 'a'), candidates), "");
  EXPECT_EQ(nearest_name("Relu", {}), "");
}

}  // namespace
}  // namespace asg
