#include "asg/core/dim.h"

#include <limits>

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg {
namespace {

struct DimTest : testing::Test {
  const Dim n = Dim::symbol("n");
  const Dim m = Dim::symbol("m");
  const Dim k = Dim::symbol("k");
  const Dim h = Dim::symbol("h");
};

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

struct EqualRow {
  const char* title;
  Dim a;
  Dim b;
};

TEST_F(DimTest, EqualThingsCompareEqual) {
  const EqualRow rows[] = {
      {"sum", n + n, 2 * n},
      {"order of a sum", n + m, m + n},
      {"order of a product", n * m, m * n},
      {"nothing left", n + m - m - n, 0},
      {"distribution", (n + 1) * (n - 1), n * n - 1},
      {"exact by an integer", floor_div(4 * n, 4), n},
      {"exact by a symbol", floor_div(n * m, n), m},
      {"exact by a monomial", floor_div(6 * n * n * m + 2 * n, 2 * n), 3 * n * m + 1},
      {"exact by a polynomial", floor_div((n + 1) * (m + 2), n + 1), m + 2},
      {"exact by itself", floor_div(n + 1, n + 1), 1},
      {"polynomial that does not divide", floor_div(n * m + 5, n + 1), m + floor_div(5 - m, n + 1)},
      {"divide by 1", floor_div(n, 1), n},
      {"divide up by 1", ceil_div(n, 1), n},
      {"divide by -1", floor_div(n, -1), 0 - n},
      {"0 by anything", floor_div(0, n), 0},
      {"pull out", floor_div(4 * n + 2, 4), n},
      {"pull out of a symbol", floor_div(n * m + k, m), n + floor_div(k, m)},
      {"pull out part of a coefficient", floor_div(5 * n, 4), n + floor_div(n, 4)},
      {"constant across the sign", floor_div(h - 1, 2) + 1, floor_div(h + 1, 2)},
      {"common factor", floor_div(2 * n + 3, 4), floor_div(n + 1, 2)},
      {"common factor of both", floor_div(2 * n, 4 * m), floor_div(n, 2 * m)},
      {"common symbol of both", floor_div(n * m, n * k), floor_div(m, k)},
      {"up is down", ceil_div(n, 2), floor_div(n + 1, 2)},
      {"up is down negated", ceil_div(n, 3), 0 - floor_div(0 - n, 3)},
      {"up is down negated, of symbols", ceil_div(n, m), 0 - floor_div(0 - n, m)},
      {"sign of the divisor", floor_div(n, -3), floor_div(0 - n, 3)},
      {"sign of a symbolic divisor", floor_div(n, 0 - m), floor_div(0 - n, m)},
      {"division twice", floor_div(floor_div(n, 2), 3), floor_div(n, 6)},
      {"two convolutions of stride 2", floor_div(floor_div(h - 1, 2) + 1 - 1, 2) + 1, floor_div(h - 1, 4) + 1},
      {"up twice", ceil_div(ceil_div(n, 2), 4), ceil_div(n, 8)},
      {"remainder of a multiple", mod(4 * n, 4), 0},
      {"remainder", mod(4 * n + 1, 4), 1},
      {"remainder by 1", mod(n, 1), 0},
      {"remainder and quotient", 4 * floor_div(n, 4) + mod(n, 4), n},
      {"padded to a multiple", n + mod(0 - n, 8), 8 * ceil_div(n, 8)},
      {"remainder by a negative", mod(n, -4), 0 - mod(0 - n, 4)},
      {"the largest divisors", mod(n, -kLargest), 0 - mod(0 - n, kLargest)},
      {"min of one", min(n, n), n},
      {"max of one", max(n, n), n},
      {"min commutes", min(n, m), min(m, n)},
      {"min associates", min(n, min(m, k)), min(min(n, m), k)},
      {"min repeats", min(min(n, m), n), min(n, m)},
      {"max by order", max(n + 1, n), n + 1},
      {"min by order", min(n + 1, n - 2), n - 2},
      {"min of integers inside", min(3, min(n, 5)), min(n, 3)},
      {"max by order inside", max(max(n, m), m + 2), max(n, m + 2)},
      {"names decide, not bounds", Dim::symbol("seq", 128), Dim::symbol("seq")},
  };
  for (const EqualRow& row : rows) {
    EXPECT_EQ(row.a, row.b) << row.title << ": " << row.a.to_string() << " and " << row.b.to_string();
    EXPECT_TRUE(order(row.a, row.b) == 0) << row.title;
    EXPECT_EQ(row.a.to_string() == row.b.to_string(), row.title != std::string("names decide, not bounds"));
  }
}

TEST_F(DimTest, DifferentThingsDiffer) {
  const std::vector<Dim> dims = {0,
                                 1,
                                 n,
                                 m,
                                 n + 1,
                                 n - 1,
                                 2 * n,
                                 n * n,
                                 n * m,
                                 n + m,
                                 floor_div(n, 2),
                                 floor_div(n, 3),
                                 min(n, m),
                                 max(n, m),
                                 floor_div(n, m),
                                 ceil_div(n, m),
                                 min(n, 3),
                                 min(n, 4)};
  for (std::size_t first = 0; first < dims.size(); ++first) {
    for (std::size_t second = 0; second < dims.size(); ++second) {
      EXPECT_EQ(dims[first] == dims[second], first == second)
          << dims[first].to_string() << " " << dims[second].to_string();
      EXPECT_EQ(order(dims[first], dims[second]) == 0, first == second);
      EXPECT_EQ(order(dims[first], dims[second]) < 0, order(dims[second], dims[first]) > 0);
    }
  }
}

struct IntegerRow {
  std::int64_t a;
  std::int64_t b;
  std::int64_t down;
  std::int64_t up;
  std::int64_t remainder;
};

TEST_F(DimTest, IntegersRoundAsPromised) {
  const IntegerRow rows[] = {
      {7, 2, 3, 4, 1},
      {-7, 2, -4, -3, 1},
      {7, -2, -4, -3, -1},
      {-7, -2, 3, 4, -1},
      {6, 2, 3, 3, 0},
      {-6, 2, -3, -3, 0},
      {6, -2, -3, -3, 0},
      {0, 5, 0, 0, 0},
      {0, -5, 0, 0, 0},
      {1, 5, 0, 1, 1},
      {-1, 5, -1, 0, 4},
      {1, -5, -1, 0, -4},
      {kLargest, 1, kLargest, kLargest, 0},
      {kSmallest, 1, kSmallest, kSmallest, 0},
      {kSmallest, 2, kSmallest / 2, kSmallest / 2, 0},
      {kLargest, -1, -kLargest, -kLargest, 0},
      {kLargest, kLargest, 1, 1, 0},
      {kSmallest, kSmallest, 1, 1, 0},
      {kLargest, kSmallest, -1, 0, -1},
      {kSmallest, kLargest, -2, -1, kLargest - 1},
  };
  for (const IntegerRow& row : rows) {
    EXPECT_EQ(floor_div(Dim(row.a), row.b), Dim(row.down)) << row.a << " " << row.b;
    EXPECT_EQ(ceil_div(Dim(row.a), row.b), Dim(row.up)) << row.a << " " << row.b;
    EXPECT_EQ(mod(Dim(row.a), row.b), Dim(row.remainder)) << row.a << " " << row.b;
  }
  EXPECT_EQ(min(Dim(2), 3), Dim(2));
  EXPECT_EQ(max(Dim(2), 3), Dim(3));
}

TEST_F(DimTest, BoundsAreShownWhereTheyCan) {
  const Dim seq = Dim::symbol("seq", 128);
  const Dim batch = Dim::symbol("batch", 8);
  struct Row {
    Dim dim;
    std::optional<std::int64_t> low;
    std::optional<std::int64_t> high;
  };
  const Row rows[] = {
      {5, 5, 5},
      {-5, -5, -5},
      {n, 0, std::nullopt},
      {seq, 0, 128},
      {2 * seq + 1, 1, 257},
      {seq * batch, 0, 1024},
      {seq * seq, 0, 16384},
      {10 - seq, -118, 10},
      {seq - n, std::nullopt, 128},
      {seq + n, 0, std::nullopt},
      {min(n, seq), 0, 128},
      {min(n, 7), 0, 7},
      {max(n, 7), 7, std::nullopt},
      {max(seq, batch), 0, 128},
      {floor_div(seq, 3), 0, 42},
      {ceil_div(seq, 3), 0, 43},
      {floor_div(seq - 1, 2) + 1, 0, 64},
      {floor_div(seq, n), 0, 128},
      {ceil_div(seq, n), 0, 128},
      {ceil_div(seq - 1, n), std::nullopt, std::nullopt},
      {(seq - 3) * (batch - 2), -274, 1030},
      {(seq - 3) * n, std::nullopt, std::nullopt},
      {kLargest * seq, 0, std::nullopt},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(row.dim.lower_bound(), row.low) << row.dim.to_string();
    EXPECT_EQ(row.dim.upper_bound(), row.high) << row.dim.to_string();
  }
}

TEST_F(DimTest, Questions) {
  EXPECT_TRUE(n.is_symbol());
  for (const Dim& dim : {Dim(3), 2 * n, n + 1, n * n, n * m, min(n, m)}) EXPECT_FALSE(dim.is_symbol());
  EXPECT_TRUE(Dim(3).is_known());
  EXPECT_EQ(Dim(3).known(), 3);
  EXPECT_EQ(n.known(), std::nullopt);
  EXPECT_EQ((m * floor_div(n + k, m + 1) + n).symbols(), (std::vector<std::string>{"k", "m", "n"}));
  EXPECT_TRUE(Dim(3).symbols().empty());
}

TEST_F(DimTest, SubstituteReplacesWhatIsKnown) {
  const Dim dim = floor_div(n - 1, 2) + min(n, m) * m + ceil_div(n, k) * n * n;
  const auto values = [&](std::string_view name) -> std::optional<Dim> {
    if (name == "n") return Dim(7);
    if (name == "m") return k + 1;
    return std::nullopt;
  };
  EXPECT_EQ(dim.substitute(values), 3 + min(k + 1, 7) * (k + 1) + ceil_div(7, k) * 49);
  EXPECT_EQ(Dim(4).substitute(values), Dim(4));
  // Simultaneously: n and m change places.
  const auto swap = [&](std::string_view name) { return std::optional<Dim>(name == "n" ? m : n); };
  EXPECT_EQ((n - m).substitute(swap), m - n);
}

TEST_F(DimTest, BadArithmeticIsRefused) {
  const std::pair<const char*, std::function<void()>> rows[] = {
      {"sum", [&] { Dim(kLargest) + 1; }},
      {"difference", [&] { Dim(kSmallest) - 1; }},
      {"product", [&] { Dim(kLargest) * 2; }},
      {"coefficient of a sum", [&] { kLargest* n + n; }},
      {"coefficient of a product", [&] { (kLargest * n) * 2; }},
      {"negation of a coefficient", [&] { 0 - kSmallest* n; }},
      {"quotient", [&] { floor_div(Dim(kSmallest), -1); }},
      {"quotient up", [&] { ceil_div(Dim(kSmallest), -1); }},
      {"by zero", [&] { floor_div(n, 0); }},
      {"integer by zero", [&] { floor_div(Dim(3), 0); }},
      {"up by zero", [&] { ceil_div(n, 0); }},
      {"integer up by zero", [&] { ceil_div(Dim(3), 0); }},
      {"remainder by zero", [&] { mod(n, 0); }},
      {"by a symbol that is zero", [&] { floor_div(n, m).substitute([&](std::string_view) { return Dim(0); }); }},
      {"value of a symbol", [&] { n.value(); }},
      {"negative bound", [&] { Dim::symbol("n", -1); }},
  };
  for (const auto& [title, function] : rows) {
    try {
      function();
      ADD_FAILURE() << "nothing was thrown: " << title;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_dim) << title;
    }
  }
  EXPECT_EQ(mod(Dim(kSmallest), -1), Dim(0));
}

TEST_F(DimTest, NamesOfSymbolsAreChecked) {
  for (const char* name : {"n", "N_1", "_", "unk__12", "NonZero#3.0", "min"})
    EXPECT_NO_THROW(Dim::symbol(name)) << name;
  for (const std::string& name : {std::string(), std::string("1n"), std::string("a b"), std::string("a-b"),
                                  std::string(".a"), std::string("a\0b", 3), std::string(129, 'a')}) {
    try {
      Dim::symbol(name);
      ADD_FAILURE() << "accepted: " << name;
    } catch (const UserError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_name) << name;
    }
  }
}

TEST_F(DimTest, GrowthHasLimits) {
  const auto grow = [&](auto step) {
    Dim dim = n;
    for (int count = 0; count < 100'000; ++count) dim = step(dim, count);
  };
  EXPECT_THROW(grow([&](const Dim& dim, int) { return floor_div(dim, 2) * 3 + min(dim, m); }), UserError);
  EXPECT_THROW(grow([&](const Dim& dim, int) { return max(3 * floor_div(dim, 5) + 1, m); }), UserError);
  EXPECT_THROW(grow([&](const Dim& dim, int) { return dim * dim; }), UserError);
  EXPECT_THROW(grow([&](const Dim& dim, int) { return dim * (dim + m + 1); }), UserError);
  EXPECT_THROW(grow([&](const Dim& dim, int count) { return dim + Dim::symbol("s" + std::to_string(count)); }),
               UserError);
  EXPECT_THROW(grow([&](const Dim& dim, int count) { return min(dim, Dim::symbol("s" + std::to_string(count))); }),
               UserError);
}

}  // namespace
}  // namespace asg
