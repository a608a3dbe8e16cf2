// Random expressions: whatever the normal form does, the value stays, text reads back, and the laws of arithmetic hold.

#include <random>

#include <gtest/gtest.h>

#include "asg/core/dim.h"
#include "asg/core/error.h"

namespace asg {
namespace {

constexpr const char* kNames[] = {"a", "b", "c"};
constexpr std::int64_t kBounds[] = {9, 15, 40};
using Values = std::vector<std::int64_t>;  // of the symbols, by position in kNames

// An expression as it was written, evaluated without any normal form.
struct Written {
  char kind = 'k';  // k: constant, s: symbol, else an operator
  std::int64_t number = 0;
  std::vector<Written> operands;

  Dim dim() const {
    if (kind == 'k') return number;
    if (kind == 's') return Dim::symbol(kNames[number], kBounds[number]);
    const Dim x = operands[0].dim();
    const Dim y = operands[1].dim();
    switch (kind) {
      case '+':
        return x + y;
      case '-':
        return x - y;
      case '*':
        return x * y;
      case '/':
        return floor_div(x, y);
      case '^':
        return ceil_div(x, y);
      case '%':
        return mod(x, y);
      case '<':
        return min(x, y);
      default:
        return max(x, y);
    }
  }

  // Nothing where a divisor is 0. Values are small enough not to overflow.
  std::optional<std::int64_t> value(const Values& values) const {
    if (kind == 'k') return number;
    if (kind == 's') return values[static_cast<std::size_t>(number)];
    const auto x = operands[0].value(values);
    const auto y = operands[1].value(values);
    if (!x || !y) return std::nullopt;
    if ((kind == '/' || kind == '^' || kind == '%') && *y == 0) return std::nullopt;
    const std::int64_t remainder = kind == '/' || kind == '^' || kind == '%' ? *x % *y : 0;
    const bool signs_differ = (*x < 0) != (*y < 0);
    switch (kind) {
      case '+':
        return *x + *y;
      case '-':
        return *x - *y;
      case '*':
        return *x * *y;
      case '/':
        return *x / *y - (remainder != 0 && signs_differ ? 1 : 0);
      case '^':
        return *x / *y + (remainder != 0 && !signs_differ ? 1 : 0);
      case '%':
        return remainder != 0 && (remainder < 0) != (*y < 0) ? remainder + *y : remainder;
      case '<':
        return *x < *y ? *x : *y;
      default:
        return *x > *y ? *x : *y;
    }
  }
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }

  Written written(int depth, const std::string& operators) {
    Written result;
    if (depth == 0 || below(8) == 0) {
      result.kind = below(3) == 0 ? 'k' : 's';
      result.number = result.kind == 'k' ? below(13) - 6 : below(3);
      return result;
    }
    result.kind = operators[static_cast<std::size_t>(below(static_cast<std::int64_t>(operators.size())))];
    result.operands = {written(depth - 1, operators), written(depth - 1, operators)};
    return result;
  }

  Values values() {
    Values result;
    for (const std::int64_t bound : kBounds) result.push_back(below(bound + 1));
    return result;
  }

 private:
  std::mt19937_64 random_;
};

Dim at(const Dim& dim, const Values& values, std::string_view only = "abc") {
  return dim.substitute([&](std::string_view name) -> std::optional<Dim> {
    if (only.find(name) == std::string_view::npos) return std::nullopt;
    return Dim(values[static_cast<std::size_t>(name[0] - 'a')]);
  });
}

// The dim, or nothing where the expression divides by 0 whatever the values, or passes a limit.
std::optional<Dim> dim_of(const Written& written) {
  try {
    return written.dim();
  } catch (const UserError&) {
    return std::nullopt;
  }
}

constexpr const char* kAllOperators = "++--**/^%<>";

TEST(DimProperty, TheValueStays) {
  Generator generator(1);
  int compared = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Written written = generator.written(3, kAllOperators);
    const std::optional<Dim> dim = dim_of(written);
    if (!dim) continue;
    for (int sample = 0; sample < 5; ++sample) {
      const Values values = generator.values();
      const std::optional<std::int64_t> value = written.value(values);
      if (!value) continue;
      ++compared;
      ASSERT_EQ(at(*dim, values).known(), value) << dim->to_string();
      ASSERT_EQ(at(at(*dim, values, "b"), values).known(), value) << dim->to_string();
      ASSERT_LE(dim->lower_bound().value_or(*value), *value) << dim->to_string();
      ASSERT_GE(dim->upper_bound().value_or(*value), *value) << dim->to_string();
    }
  }
  EXPECT_GT(compared, 50'000);
}

TEST(DimProperty, TextReadsBack) {
  Generator generator(2);
  for (int round = 0; round < 10'000; ++round) {
    const std::optional<Dim> dim = dim_of(generator.written(3, kAllOperators));
    if (!dim) continue;
    const std::string text = dim->to_string();
    ASSERT_EQ(Dim::parse(text), *dim) << text;
    ASSERT_EQ(Dim::parse(text).to_string(), text);
    // Putting the parts together again changes nothing.
    ASSERT_EQ(dim->substitute([](std::string_view) { return std::nullopt; }), *dim) << text;
  }
}

struct Law {
  const char* title;
  std::function<Dim(const Dim& x, const Dim& y, const Dim& z)> left;
  std::function<Dim(const Dim& x, const Dim& y, const Dim& z)> right;
};

const Law kLaws[] = {
    {"x + y = y + x", [](auto& x, auto& y, auto&) { return x + y; }, [](auto& x, auto& y, auto&) { return y + x; }},
    {"x y = y x", [](auto& x, auto& y, auto&) { return x * y; }, [](auto& x, auto& y, auto&) { return y * x; }},
    {"sums associate", [](auto& x, auto& y, auto& z) { return (x + y) + z; },
     [](auto& x, auto& y, auto& z) { return x + (y + z); }},
    {"products associate", [](auto& x, auto& y, auto& z) { return (x * y) * z; },
     [](auto& x, auto& y, auto& z) { return x * (y * z); }},
    {"x (y + z) = x y + x z", [](auto& x, auto& y, auto& z) { return x * (y + z); },
     [](auto& x, auto& y, auto& z) { return x * y + x * z; }},
    {"x - y + y = x", [](auto& x, auto& y, auto&) { return x - y + y; }, [](auto& x, auto&, auto&) { return x; }},
    {"x y / y = x", [](auto& x, auto& y, auto&) { return floor_div(x * y, y); },
     [](auto& x, auto&, auto&) { return x; }},
    {"x y up / y = x", [](auto& x, auto& y, auto&) { return ceil_div(x * y, y); },
     [](auto& x, auto&, auto&) { return x; }},
    {"x y mod y = 0", [](auto& x, auto& y, auto&) { return mod(x * y, y); },
     [](auto&, auto&, auto&) { return Dim(0); }},
    {"(x + y z) / z = x / z + y", [](auto& x, auto& y, auto& z) { return floor_div(x + y * z, z); },
     [](auto& x, auto& y, auto& z) { return floor_div(x, z) + y; }},
    {"(x + y z) mod z = x mod z", [](auto& x, auto& y, auto& z) { return mod(x + y * z, z); },
     [](auto& x, auto&, auto& z) { return mod(x, z); }},
    {"z (x / z) + x mod z = x", [](auto& x, auto&, auto& z) { return z * floor_div(x, z) + mod(x, z); },
     [](auto& x, auto&, auto&) { return x; }},
    {"x / y = -x / -y", [](auto& x, auto& y, auto&) { return floor_div(x, y); },
     [](auto& x, auto& y, auto&) { return floor_div(0 - x, 0 - y); }},
    {"x up / 6 = (x + 5) / 6", [](auto& x, auto&, auto&) { return ceil_div(x, 6); },
     [](auto& x, auto&, auto&) { return floor_div(x + 5, 6); }},
    {"3 x / 6 = x / 2", [](auto& x, auto&, auto&) { return floor_div(3 * x, 6); },
     [](auto& x, auto&, auto&) { return floor_div(x, 2); }},
    {"min commutes", [](auto& x, auto& y, auto&) { return min(x, y); },
     [](auto& x, auto& y, auto&) { return min(y, x); }},
    {"min associates", [](auto& x, auto& y, auto& z) { return min(min(x, y), z); },
     [](auto& x, auto& y, auto& z) { return min(x, min(y, z)); }},
    {"max associates", [](auto& x, auto& y, auto& z) { return max(max(x, y), z); },
     [](auto& x, auto& y, auto& z) { return max(x, max(y, z)); }},
    {"max of both", [](auto& x, auto& y, auto&) { return max(max(x, y), x); },
     [](auto& x, auto& y, auto&) { return max(x, y); }},
};

TEST(DimProperty, LawsHold) {
  Generator generator(3);
  constexpr int kRounds = 1500;
  for (const Law& law : kLaws) {
    int compared = 0;
    for (int round = 0; round < kRounds; ++round) {
      const auto x = dim_of(generator.written(2, kAllOperators));
      const auto y = dim_of(generator.written(2, kAllOperators));
      const auto z = dim_of(generator.written(2, kAllOperators));
      if (!x || !y || !z) continue;
      Dim left;
      Dim right;
      try {
        left = law.left(*x, *y, *z);
        right = law.right(*x, *y, *z);
      } catch (const UserError&) {
        continue;  // a divisor that is 0
      }
      ++compared;
      ASSERT_EQ(left, right) << law.title << "\n  x = " << x->to_string() << "\n  y = " << y->to_string()
                             << "\n  z = " << z->to_string() << "\n  " << left.to_string() << "\n  "
                             << right.to_string();
    }
    EXPECT_GT(compared, kRounds / 2) << law.title;
  }
}

TEST(DimProperty, DivisionsByIntegersNest) {
  Generator generator(4);
  for (int round = 0; round < 5000; ++round) {
    const std::optional<Dim> dim = dim_of(generator.written(3, "+-*"));
    if (!dim) continue;
    const std::int64_t first = generator.below(7) + 1;
    const std::int64_t second =
        generator.below(7) + 3;  // by 2, x and -x leave the same remainder: either form may stay
    ASSERT_EQ(floor_div(floor_div(*dim, first), second), floor_div(*dim, first * second))
        << dim->to_string() << " by " << first << " and " << second;
  }
}

TEST(DimProperty, TheOrderIsTotal) {
  Generator generator(5);
  std::vector<Dim> dims;
  while (dims.size() < 60) {
    if (const auto dim = dim_of(generator.written(2, kAllOperators))) dims.push_back(*dim);
  }
  for (const Dim& x : dims) {
    for (const Dim& y : dims) {
      ASSERT_EQ(order(x, y) == 0, x == y);
      ASSERT_EQ(order(x, y) < 0, order(y, x) > 0);
      for (const Dim& z : dims) ASSERT_FALSE(order(x, y) < 0 && order(y, z) < 0 && !(order(x, z) < 0));
    }
  }
}

}  // namespace
}  // namespace asg
