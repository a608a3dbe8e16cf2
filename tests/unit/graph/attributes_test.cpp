#include "asg/graph/attributes.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "asg/graph/card.h"
#include "asg/graph/graph.h"

namespace asg {
namespace {

GraphPtr graph_named(const std::string& name) { return std::make_shared<const Graph>(name); }

struct KindCase {
  Attr attr;
  AttrKind kind;
  std::string name;
  std::string text;
};

std::vector<KindCase> one_of_each_kind() {
  return {
      {7, AttrKind::integer, "integer", "7"},
      {0.1, AttrKind::real, "real", "0.1"},
      {true, AttrKind::boolean, "boolean", "true"},
      {"same", AttrKind::text, "text", "\"same\""},
      {std::vector<std::int64_t>{1, -2}, AttrKind::integers, "integers", "[1, -2]"},
      {std::vector<double>{0.5, 1}, AttrKind::reals, "reals", "[0.5, 1]"},
      {std::vector<std::string>{"a", "b"}, AttrKind::texts, "texts", "[\"a\", \"b\"]"},
      {DType::bf16, AttrKind::dtype, "dtype", "bf16"},
      {TensorType{DType::f32, {Dim::symbol("batch"), 3}}, AttrKind::type, "type", "f32[batch, 3]"},
      {Array::ints({2, -1}), AttrKind::tensor, "tensor", "i64[2] [2, -1]"},
      {graph_named("then"), AttrKind::graph, "graph", "graph \"then\" of 0 nodes"},
  };
}

TEST(Attr, HasAKindANameAndAText) {
  for (const KindCase& row : one_of_each_kind()) {
    EXPECT_EQ(row.attr.kind(), row.kind);
    EXPECT_EQ(name_of(row.kind), row.name);
    EXPECT_EQ(row.attr.to_string(), row.text);
  }
}

TEST(Attr, EqualsOnlyItself) {
  const auto rows = one_of_each_kind();
  const auto again = one_of_each_kind();
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b < again.size(); ++b) EXPECT_EQ(rows[a].attr == again[b].attr, a == b) << a << ' ' << b;
  }
}

TEST(Attr, ComparesByBitsAndByContent) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Attr(nan), Attr(nan));
  EXPECT_NE(Attr(0.0), Attr(-0.0));
  EXPECT_NE(Attr(1), Attr(1.0));
  EXPECT_EQ(Attr(std::vector<double>{nan}), Attr(std::vector<double>{nan}));
  EXPECT_NE(Attr(std::vector<double>{1}), Attr(std::vector<double>{1, 2}));
  EXPECT_EQ(Attr(Array::scalar(DType::f32, nan)), Attr(Array::scalar(DType::f32, nan)));
  EXPECT_NE(Attr(Array::scalar(DType::f32, 1)), Attr(Array::scalar(DType::f64, 1)));
  EXPECT_NE(Attr(graph_named("a")), Attr(graph_named("b")));
  EXPECT_NE(Attr(GraphPtr()), Attr(graph_named("a")));
  EXPECT_EQ(Attr(GraphPtr()), Attr(GraphPtr()));
}

TEST(Attr, ReadsBackItsValue) {
  EXPECT_EQ(Attr(std::int64_t{1} << 40).as_integer(), std::int64_t{1} << 40);
  EXPECT_EQ(Attr(0.25).as_real(), 0.25);
  EXPECT_EQ(Attr(3).as_real(), 3.0);
  EXPECT_EQ(Attr(false).as_boolean(), false);
  EXPECT_EQ(Attr("x").as_text(), "x");
  EXPECT_EQ(Attr(std::vector<std::int64_t>{4, 5}).as_integers(), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(Attr(std::vector<double>{4, 5}).as_reals(), (std::vector<double>{4, 5}));
  EXPECT_EQ(Attr(std::vector<std::string>{"p"}).as_texts(), (std::vector<std::string>{"p"}));
  EXPECT_EQ(Attr(DType::u8).as_dtype(), DType::u8);
  EXPECT_EQ(Attr(TensorType{DType::i8, {2}}).as_type(), (TensorType{DType::i8, {2}}));
  EXPECT_TRUE(bit_equal(Attr(Array::ints({9})).as_tensor(), Array::ints({9})));
  EXPECT_EQ(Attr(graph_named("g")).as_graph()->name(), "g");
}

struct WrongKind {
  std::function<void()> read;
  std::string given;
  std::string needed;
};

TEST(Attr, RefusesAnotherKindInWords) {
  const WrongKind rows[] = {
      {[] { Attr("x").as_integer(); }, "\"x\", which is a text", "an integer"},
      {[] { Attr(0.5).as_integer(); }, "0.5, which is a real number", "an integer"},
      {[] { Attr(true).as_real(); }, "true, which is true or false", "a real number"},
      {[] { Attr(1).as_boolean(); }, "1, which is an integer", "true or false"},
      {[] { Attr(1).as_text(); }, "1, which is an integer", "a text"},
      {[] { Attr(1).as_integers(); }, "1, which is an integer", "a list of integers"},
      {[] { Attr(std::vector<std::int64_t>{1}).as_reals(); }, "[1], which is a list of integers",
       "a list of real numbers"},
      {[] { Attr(DType::f32).as_texts(); }, "f32, which is a dtype", "a list of texts"},
      {[] { Attr(graph_named("g")).as_dtype(); }, "graph \"g\" of 0 nodes, which is a graph", "a dtype"},
      {[] { Attr(Array::ints({1})).as_type(); }, "i64[1] [1], which is a tensor", "a tensor type"},
      {[] { Attr(TensorType{DType::f32, {1}}).as_tensor(); }, "f32[1], which is a tensor type", "a tensor"},
      {[] { Attr(std::vector<std::string>{}).as_graph(); }, "[], which is a list of texts", "a graph"},
  };
  for (const WrongKind& row : rows) {
    try {
      row.read();
      ADD_FAILURE() << row.given;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_attribute);
      EXPECT_EQ(error.detail().given, row.given);
      EXPECT_EQ(error.detail().needed, row.needed);
    }
  }
}

TEST(Attr, ShortensWhatIsLong) {
  std::vector<std::int64_t> many(100);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = static_cast<std::int64_t>(k);
  EXPECT_EQ(Attr(many).to_string(), "[0, 1, 2, 3, 4, 5, 6, 7, ..., 92, 93, 94, 95, 96, 97, 98, 99]");
  EXPECT_EQ(Attr(std::vector<std::int64_t>(16, 1)).to_string().find("..."), std::string::npos);
  EXPECT_EQ(Attr(Array(DType::f32, {100, 100})).to_string(), "f32[100, 100] [[0, ..., 0], ..., [0, ..., 0]]");
  EXPECT_EQ(Attr(Array::of<float>({2, 2}, {1, 2, 3, 4})).to_string(), "f32[2, 2] [[1, 2], [3, 4]]");
  EXPECT_EQ(Attr(std::string(100, 'x')).to_string(), '"' + std::string(60, 'x') + "…\"");
  // A letter of two bytes on the limit is left out as a whole.
  EXPECT_EQ(Attr(std::string(59, 'x') + "я и ещё").to_string(), '"' + std::string(59, 'x') + "…\"");
  EXPECT_EQ(Attr("a\"b\\c\nd\te\x01").to_string(), R"("a\"b\\c\nd\te\x01")");
  EXPECT_EQ(Attr(GraphPtr()).to_string(), "none");
}

TEST(Attrs, AreSortedAndUnique) {
  Attrs attrs = {{"units", 32}, {"bias", false}, {"units", 64}};
  attrs.set("axis", -1);
  std::string names;
  for (const auto& [name, value] : attrs) names += name + '=' + value.to_string() + ' ';
  EXPECT_EQ(names, "axis=-1 bias=false units=64 ");
  EXPECT_EQ(attrs.size(), 3u);
  EXPECT_EQ(attrs.find("units")->as_integer(), 64);
  EXPECT_EQ(attrs.find("unit"), nullptr);
  EXPECT_TRUE(attrs.erase("units"));
  EXPECT_FALSE(attrs.erase("units"));
  EXPECT_EQ(attrs, (Attrs{{"bias", false}, {"axis", -1}}));
  EXPECT_FALSE(attrs.empty());
  EXPECT_TRUE(Attrs().empty());
}

TEST(Names, OfCategoriesAndRoles) {
  EXPECT_EQ(name_of(Category::leaf), "leaf");
  EXPECT_EQ(name_of(Category::linear_algebra), "linear_algebra");
  EXPECT_EQ(name_of(Category::gradient), "gradient");
  EXPECT_EQ(words_of(Category::activation).en, "Activations");
  EXPECT_EQ(words_of(Category::activation).ru, "Функции активации");
  EXPECT_EQ(name_of(Role::forward), "forward");
  EXPECT_EQ(name_of(Role::update), "update");
}

}  // namespace
}  // namespace asg
