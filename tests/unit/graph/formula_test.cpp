#include "asg/graph/formula.h"

#include <gtest/gtest.h>

#include "asg/core/error.h"

namespace asg {
namespace {

struct TextCase {
  std::string_view latex;
  std::string_view text;
};

constexpr TextCase kTexts[] = {
    {R"(y = \frac{x}{1 + \exp(-x)})", "y = x / (1 + exp(−x))"},
    {R"(y=x^2+2x+1)", "y = x² + 2x + 1"},
    {R"(y_{ij} = \sum_{k=1}^{n} a_{ik} b_{kj})", "y_ij = ∑_(k=1)^n a_ik b_kj"},
    {R"(\prod_i x_i \ne \int_0^1 f(x)\,dx)", "∏_i x_i ≠ ∫₀¹ f(x) d x"},
    {R"(\sqrt{x} + \sqrt{x^2 + y^2} + \sqrt[3]{x} + \sqrt[k]{x})", "√x + √(x² + y²) + ³√x + root(k, x)"},
    {R"(\frac{\partial L}{\partial x} = \frac{\partial L}{\partial y} \cdot \frac{1}{2\sqrt{x}})",
     "∂L / ∂x = (∂L / ∂y) · (1 / (2√x))"},
    {R"(y = \begin{cases} x & x > 0 \\ \alpha (e^x - 1) & \text{otherwise} \end{cases})",
     "y = { x, x > 0; α(e^x − 1), otherwise }"},
    {R"(\operatorname{softmax}(x)_i = \frac{\exp(x_i)}{\sum_j \exp(x_j)})", "softmax(x)_i = exp(x_i) / (∑_j exp(x_j))"},
    {R"(y = x W^\top + b)", "y = x Wᵀ + b"},
    {R"(\hat{x} = \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}}, \bar{xy}, \tilde y)",
     "x\u0302 = (x − μ) / √(σ² + ε), bar(x y), y\u0303"},
    {R"(\lfloor x \rfloor \le \lceil x \rceil)", "⌊x⌋ ≤ ⌈x⌉"},
    {R"(\left( \frac{a}{b} \right)^2 + {a + b}^2)", "(a / b)² + (a + b)²"},
    {R"(|x| \cdot \|y\|_2)", "|x| · ‖y‖₂"},
    {R"(p(x | y) = p(x \mid y))", "p(x | y) = p(x | y)"},
    {R"(\max_{i \in S} x_i \ge \min(x, 0))", "max_(i∈S) x_i ≥ min(x, 0)"},
    {R"(\tfrac12 x \left(1 + \tanh\left(\sqrt{2/\pi}\,(x + 0.044715 x^3)\right)\right))",
     "(1 / 2) x(1 + tanh(√(2 / π) (x + 0.044715x³)))"},
    {R"(f'(x) = -\sin x, f''_i, g'^2)", "f′(x) = −sin x, f_i′′, g′²"},
    {R"(a \odot b \times c \pm d)", "a ⊙ b × c ± d"},
    {R"(x \in [0, 1), \quad \epsilon \sim \mathcal{N}(0, \infty))", "x ∈ [0, 1),  ε ∼ N(0, ∞)"},
    {R"(\mathbf{W} \in \mathbb{R}^{n \times m})", "W ∈ ℝ^(n×m)"},
    {R"(\frac{1}{n} \sum_i (x_i - \mu)^2 + \log_2 x)", "(1 / n) ∑_i (x_i − μ)² + log₂ x"},
    {R"(e^{-x} x^{-1} x_{t-1} x^n x_{i_j})", "e^(−x) x⁻¹ x_(t−1) xⁿ x_(i_j)"},
    {R"(\begin{aligned} i &= \sigma(W_i x) \\ f &= \tanh(x) \\ \end{aligned})", "i = σ(W_i x); f = tanh(x)"},
    {R"(\begin{bmatrix} a & b \\ c & d \end{bmatrix})", "[a, b; c, d]"},
    {R"(\frac{\frac{a}{b}}{c} - \frac{-x}{y z} + \frac{a + b}{f(x)})", "(a / b) / c − −x / (y z) + (a + b) / f(x)"},
    {R"(f(\cdot) \to x_1, \ldots, x_n)", "f(·) → x₁, …, x_n"},
    {R"(\text{if } x \ne 0 \text{ then}~y)", "if x ≠ 0 then y"},
    {R"(\operatorname*{argmax}_i x_i = \mathrm{fan\_in} \bmod 3)", "argmax_i x_i = fan_in mod 3"},
    {R"(\left. \frac{a}{b} \right|_0)", "a / b|₀"},
    {"", ""},
};

TEST(Formula, IsWrittenAsPlainText) {
  for (const TextCase& row : kTexts) EXPECT_EQ(formula_to_text(row.latex), row.text) << row.latex;
}

constexpr TextCase kMathMl[] = {
    {"x", "<mi>x</mi>"},
    {"", "<mrow></mrow>"},
    {R"(\frac{1}{2x})", "<mfrac><mn>1</mn><mrow><mn>2</mn><mi>x</mi></mrow></mfrac>"},
    {R"(-x)", R"(<mrow><mo form="prefix">−</mo><mi>x</mi></mrow>)"},
    {R"(a - b)", "<mrow><mi>a</mi><mo>−</mo><mi>b</mi></mrow>"},
    {R"(a < b \& c)", "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi><mi>&amp;</mi><mi>c</mi></mrow>"},
    {R"(x_i^2)", "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"},
    {R"(f')", "<msup><mi>f</mi><mo>′</mo></msup>"},
    {R"(W_1)", "<msub><mi>W</mi><mn>1</mn></msub>"},
    {R"(\sum_{i=1}^n i)",
     "<mrow><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi></mrow>"},
    {R"(\sum^n)", "<mover><mo>∑</mo><mi>n</mi></mover>"},
    {R"(\int_0^1)", "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>"},
    {R"(\max_i x)", "<mrow><munder><mi>max</mi><mi>i</mi></munder><mo>&#x2061;</mo><mi>x</mi></mrow>"},
    {R"(\exp(x))",
     R"(<mrow><mi>exp</mi><mo>&#x2061;</mo><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo></mrow>)"},
    {R"(\sqrt{x})", "<msqrt><mi>x</mi></msqrt>"},
    {R"(\sqrt[3]{x})", "<mroot><mi>x</mi><mn>3</mn></mroot>"},
    {R"(\left( x \right.)", R"(<mrow><mo form="prefix" stretchy="true">(</mo><mi>x</mi></mrow>)"},
    {R"(|x|)",
     R"(<mrow><mo stretchy="false" form="prefix">|</mo><mi>x</mi><mo stretchy="false" form="postfix">|</mo></mrow>)"},
    {R"(\hat{x})", R"(<mover accent="true"><mi>x</mi><mo>^</mo></mover>)"},
    {R"(\mathrm{T})", R"(<mi mathvariant="normal">T</mi>)"},
    {R"(\mathbf{W}\mathbb{R}\mathcal{L})", "<mrow><mi>𝐖</mi><mi>ℝ</mi><mi>ℒ</mi></mrow>"},
    {R"(\text{ if })", "<mtext>\u00A0if\u00A0</mtext>"},
    {R"(a\,b\quad c\!)",
     R"(<mrow><mi>a</mi><mspace width="0.2em"></mspace><mi>b</mi><mspace width="1em"></mspace><mi>c</mi></mrow>)"},
    {R"(\begin{cases} x & y \\ 0 \end{cases})",
     R"(<mrow><mo form="prefix" stretchy="true">{</mo><mtable columnalign="left"><mtr><mtd><mi>x</mi></mtd><mtd><mi>y</mi></mtd></mtr><mtr><mtd><mn>0</mn></mtd></mtr></mtable></mrow>)"},
    {R"(\begin{bmatrix} 1 \end{bmatrix})",
     R"(<mrow><mo form="prefix" stretchy="true">[</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr></mtable><mo form="postfix" stretchy="true">]</mo></mrow>)"},
    {R"(\begin{aligned} a &= b \end{aligned})",
     R"(<mtable columnalign="right left" columnspacing="0"><mtr><mtd><mi>a</mi></mtd><mtd><mrow><mo>=</mo><mi>b</mi></mrow></mtd></mtr></mtable>)"},
};

TEST(Formula, IsWrittenAsMathMl) {
  for (const TextCase& row : kMathMl) {
    EXPECT_EQ(formula_to_mathml(row.latex), "<math display=\"block\">" + std::string(row.text) + "</math>")
        << row.latex;
  }
}

// Every opened element is closed in order, whatever the formula.
TEST(Formula, MathMlIsBalanced) {
  for (const TextCase& row : kTexts) {
    const std::string mathml = formula_to_mathml(row.latex);
    std::vector<std::string> open;
    for (std::size_t at = mathml.find('<'); at != std::string::npos; at = mathml.find('<', at + 1)) {
      const bool closes = mathml[at + 1] == '/';
      const std::size_t first = at + (closes ? 2 : 1);
      const std::string tag = mathml.substr(first, mathml.find_first_of(" >", first) - first);
      if (!closes) {
        open.push_back(tag);
        continue;
      }
      ASSERT_FALSE(open.empty()) << mathml;
      EXPECT_EQ(open.back(), tag) << mathml;
      open.pop_back();
    }
    EXPECT_TRUE(open.empty()) << mathml;
  }
}

struct BadCase {
  std::string latex;
  std::string given;
  std::string mend;
};

TEST(Formula, RefusesWhatIsOutsideTheSubset) {
  const BadCase rows[] = {
      {R"(y = \foobar{x})", R"(the unknown command \foobar)", R"(write a name as \operatorname{name})"},
      {R"(\alhpa)", R"(the unknown command \alhpa)", R"(did you mean \alpha?)"},
      {R"(\softmax(x))", R"(the unknown command \softmax)", R"(write a name as \operatorname{name})"},
      {"x \\", "the unknown command \\", R"(write a name as \operatorname{name})"},
      {R"(\frac{a})", R"(\frac without an argument)", ""},
      {R"(x^)", "^ without an argument", ""},
      {R"(\hat)", R"(\hat without an argument)", ""},
      {R"({x)", "a { without }", ""},
      {R"(x})", "a } without {", ""},
      {R"(x^2^3)", "two superscripts", "group with { }"},
      {R"(x_2_3)", "two subscripts", "group with { }"},
      {R"(^2)", "a script ^ without a base", "write {} before it for an empty one"},
      {R"(\left( x)", R"(\left without \right)", ""},
      {R"(x \right))", R"(\right without \left)", ""},
      {R"(\left x \right))", R"(\left without a delimiter)", ""},
      {R"(\left)", R"(\left without a delimiter)", ""},
      {R"(\begin{cases} x)", R"(\begin{cases} without its end)", ""},
      {R"(\begin{cases} x \end{aligned})", R"(\begin{cases} without its end)", ""},
      {R"(\end{cases})", R"(\end without \begin)", ""},
      {R"(\begin{array} x \end{array})", R"(the unknown environment \begin{array})", ""},
      {R"(a & b)", R"(& or \\ outside of an environment)", ""},
      {R"(a \\ b)", R"(& or \\ outside of an environment)", ""},
      {R"(\sqrt[3)", R"(\sqrt[ without ])", ""},
      {R"(\text{abc)", R"(\text{abc without })", ""},
      {R"(\text x)", R"(\text without {)", ""},
      {R"(\mathbf{12})", R"(\mathbf of something else than letters)", ""},
      {"σ", "a character that has no meaning in formulas",
       R"(put words into \text{ } and write other symbols as commands)"},
      {std::string("x\0y", 3), "a character that has no meaning in formulas",
       R"(put words into \text{ } and write other symbols as commands)"},
      {std::string(70, '{') + 'x' + std::string(70, '}'), "nesting deeper than 64", ""},
  };
  for (const BadCase& row : rows) {
    for (const auto render : {formula_to_text, formula_to_mathml}) {
      try {
        render(row.latex);
        ADD_FAILURE() << row.latex;
      } catch (const UserError& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_card);
        EXPECT_EQ(error.detail().given, row.given + ", in the formula \"" + row.latex + '"');
        EXPECT_EQ(error.detail().mend, row.mend) << row.latex;
        EXPECT_FALSE(error.detail().needed.empty());
      }
    }
  }
}

TEST(Formula, MayBeNestedToTheLimit) {
  EXPECT_EQ(formula_to_text(std::string(60, '{') + 'x' + std::string(60, '}')), "x");
  std::string accents;
  for (int k = 0; k < 100000; ++k) accents += "\\hat";
  EXPECT_THROW(formula_to_text(accents + 'x'), UserError);
}

}  // namespace
}  // namespace asg
