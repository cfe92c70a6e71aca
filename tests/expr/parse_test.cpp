#include <ctime>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/evaluate.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>

namespace dalembert {
namespace {

std::string failure(const std::string& text, const SourceLocation& origin = {}) {
  Graph graph;
  try {
    parse(graph, text, {}, origin);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class ParseTest : public testing::Test {
 protected:
  Expr of(const std::string& text) { return parse(graph, text); }
  Rational value(const std::string& text) { return evaluate<Rational>(of(text)); }

  Graph graph;
  Expr x = graph.symbol("x");
  Expr y = graph.symbol("y");
  Expr z = graph.symbol("z");
};

TEST_F(ParseTest, OperatorsBindAsInMathematics) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("2 - 3 - 4"), -5);
  EXPECT_EQ(value("24/4/3"), 2);
  EXPECT_EQ(value("24/4*3"), 18);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("(-2)^2"), 4);
  EXPECT_EQ(value("2^-2"), Rational(1, 4));
  EXPECT_EQ(value("2^-2^2"), Rational(1, 16));
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("6/-3"), -2);
  EXPECT_EQ(value("1 - -1"), 2);
  EXPECT_EQ(value("--+-1"), -1);
}

TEST_F(ParseTest, SymbolsFollowTheSameRules) {
  EXPECT_EQ(of("-x^2"), -pow(x, 2));
  EXPECT_EQ(of("x^y^z"), pow(x, pow(y, z)));
  EXPECT_EQ(of("x/y*z"), x * z / y);
  EXPECT_EQ(of("x/(y*z)"), x / (y * z));
  EXPECT_EQ(of("-(x + y)*z"), -((x + y) * z));
  EXPECT_EQ(of("x--y"), x + y);
}

TEST_F(ParseTest, NumbersAreExact) {
  EXPECT_EQ(value("0.1"), Rational(1, 10));
  EXPECT_EQ(value("1e-3"), Rational(1, 1000));
  EXPECT_EQ(value(".5"), Rational(1, 2));
  EXPECT_EQ(value("2.E2"), 200);
  EXPECT_EQ(value("1/3"), Rational(1, 3));
}

TEST_F(ParseTest, NamesMayHaveDigitsUnderscoresAndPrimes) {
  EXPECT_EQ(of("theta_1a''").name(), "theta_1a''");
  EXPECT_EQ(of("_x").name(), "_x");
  EXPECT_EQ(of("  e1 ").name(), "e1");
  EXPECT_EQ(of("x\t+\r\n y"), x + y);
  EXPECT_EQ(of("lambda( pin )").name(), "lambda(pin)");
  EXPECT_EQ(of("pi").kind(), Kind::pi);
  EXPECT_EQ(of("t").name(), "t");
  EXPECT_EQ(of("sine").name(), "sine");
}

TEST_F(ParseTest, CallsEveryFunction) {
  EXPECT_EQ(of("sin(x)+cos(x)+tan(x)+asin(x)+acos(x)"), of("sin(x)") + cos(x) + tan(x) + (asin(x) + acos(x)));
  EXPECT_EQ(of("atan(x)*sinh(x)*cosh(x)*tanh(x)"), atan(x) * sinh(x) * cosh(x) * tanh(x));
  EXPECT_EQ(of("exp(x)/log(x)"), exp(x) / log(x));
  EXPECT_EQ(of("sqrt(x)"), sqrt(x));
  EXPECT_EQ(of("atan2(y, x)"), atan2(y, x));
  EXPECT_EQ(of("abs(x) + sign (x)"), abs(x) + sign(x));
  EXPECT_EQ(of("min(x, y)*max(x,y)"), min(x, y) * max(x, y));
}

TEST_F(ParseTest, EquationsAreLeftMinusRight) {
  EXPECT_EQ(parse_equation(graph, "x^2 + y^2 = z^2"), of("x^2 + y^2 - z^2"));
  EXPECT_EQ(parse_equation(graph, "x - y"), x - y);
  EXPECT_THROW(parse_equation(graph, "x == y"), Error);
  EXPECT_THROW(parse_equation(graph, "x = y = z"), Error);
  EXPECT_THROW(parse_equation(graph, "x ="), Error);
}

TEST_F(ParseTest, ResolverGivesNamesTheirMeaning) {
  std::vector<std::string> asked;
  const Resolver resolver = [&](const std::string& name) {
    asked.push_back(name);
    if (name == "unknown") throw Error("unknown name 'unknown'");
    return x;
  };
  EXPECT_EQ(parse(graph, "a + b' * lambda(c) ", resolver), x + x * x);
  EXPECT_EQ(asked, (std::vector<std::string>{"a", "b'", "lambda(c)"}));
  try {
    parse(graph, "a + unknown", resolver, {"model.toml", 7, 12});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), (SourceLocation{"model.toml", 7, 16}));
    EXPECT_STREQ(error.what(), "model.toml:7:16: error: unknown name 'unknown'\n  a + unknown\n      ^");
  }
}

TEST(ParseErrors, SayWhatWasExpectedWithACaretUnderThePlace) {
  EXPECT_EQ(failure("x +"),
            "1:4: error: expected a number, a name or '(', found the end of the expression\n  x +\n     ^");
  EXPECT_EQ(failure("x * / y"),
            "1:5: error: expected a number, a name or '(', found '/'\n  x * / y\n      ^");
  EXPECT_EQ(failure(""),
            "1:1: error: expected a number, a name or '(', found the end of the expression\n  \n  ^");
  EXPECT_EQ(failure("(x + 1"), "1:1: error: this '(' is never closed\n  (x + 1\n  ^");
  EXPECT_EQ(failure("x + 1)"), "1:6: error: this ')' closes nothing\n  x + 1)\n       ^");
  EXPECT_EQ(failure("(x y)"), "1:4: error: expected an operator or ')', found 'y'\n  (x y)\n     ^");
  EXPECT_EQ(failure("2x"), "1:2: error: expected an operator, found 'x'\n  2x\n   ^");
  EXPECT_EQ(failure("x $ y"), "1:3: error: expected an operator, found '$'\n  x $ y\n    ^");
  EXPECT_EQ(failure("x = y"),
            "1:3: error: unexpected '='; only constraints may have two sides\n  x = y\n    ^");
  EXPECT_EQ(failure("x**2"), "1:2: error: '**' is not known; write '^'\n  x**2\n   ^");
}

TEST(ParseErrors, KnowFunctions) {
  EXPECT_EQ(failure("1 + sni(x)"),
            "1:5: error: 'sni' is not a function; did you mean 'sin'?\n  1 + sni(x)\n      ^");
  EXPECT_EQ(failure("sin + 1"), "1:1: error: 'sin' is a function: write sin(...)\n  sin + 1\n  ^");
  EXPECT_EQ(failure("atan2(x)"), "1:1: error: atan2 takes 2 arguments, not 1\n  atan2(x)\n  ^");
  EXPECT_EQ(failure("2*sin(x, y)"), "1:3: error: sin takes 1 argument, not 2\n  2*sin(x, y)\n    ^");
  EXPECT_EQ(failure("lamda(pin)"),
            "1:1: error: 'lamda' is not a function; did you mean 'lambda'?\n  lamda(pin)\n  ^");
  EXPECT_EQ(failure("2*pi'"), "1:3: error: pi does not change: there is no pi'\n  2*pi'\n    ^");
  EXPECT_EQ(failure("sqrt()"), "1:6: error: expected a number, a name or '(', found ')'\n  sqrt()\n       ^");
  EXPECT_EQ(failure("1/0"), "1:3: error: division by zero\n  1/0\n    ^");
}

TEST(ParseErrors, ShowCharactersBeyondAsciiAndHowTheyAreWritten) {
  EXPECT_EQ(failure("x × y"), "1:3: error: expected an operator, found '×'; write '*'\n  x × y\n    ^");
  EXPECT_EQ(failure("x − 1"), "1:3: error: expected an operator, found '−'; write '-'\n  x − 1\n    ^");
  EXPECT_EQ(failure("x²"), "1:2: error: expected an operator, found '²'; write '^2'\n  x²\n   ^");
  EXPECT_EQ(failure("2*π"),
            "1:3: error: expected a number, a name or '(', found 'π'; write 'pi'\n  2*π\n    ^");
  EXPECT_EQ(
      failure("θ + 1"),
      "1:1: error: expected a number, a name or '(', found 'θ'; names are of the letters a to z, digits "
      "and '_'\n  θ + 1\n  ^");
  EXPECT_NE(failure("x\xC2\xA0+ 1").find("found a no-break space"), std::string::npos);
}

TEST(ParseErrors, AConstraintHasTwoSides) {
  Graph graph;
  try {
    parse_equation(graph, "x = y = 1");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "1:7: error: a second '='; a constraint has two sides\n  x = y = 1\n        ^");
  }
}

TEST(ParseErrors, CountLinesAndColumnsFromTheOrigin) {
  EXPECT_EQ(failure("x +\n  y ) z", {"model.toml", 10, 20}),
            "model.toml:11:5: error: this ')' closes nothing\n    y ) z\n      ^");
  EXPECT_EQ(failure("x )", {"model.toml", 10, 20}),
            "model.toml:10:22: error: this ')' closes nothing\n  x )\n    ^");
}

TEST(ParseErrors, SurviveStrangeBytes) {
  EXPECT_EQ(failure(std::string("x\0y", 3)),
            "1:2: error: expected an operator, found the byte 0x00\n  x?y\n   ^");
  EXPECT_NE(failure("\xCE + 1").find("the byte 0xCE"), std::string::npos);
  EXPECT_NE(failure("x\xFF").find("the byte 0xFF"), std::string::npos);
}

TEST(ParseLimits, NumbersOutOfRangeAreErrors) {
  EXPECT_EQ(failure("1e999999999"), "1:1: error: the number 1e999999999 is out of range\n  1e999999999\n  ^");
  EXPECT_NE(failure("2 + " + std::string(100'000, '9')).find("1:5: error: the number 9999"),
            std::string::npos);
  Graph graph;
  EXPECT_EQ(to_text(parse(graph, "9^9^9^9")), "9^(9^387420489)");
}

TEST(ParseLimits, MegabytesOfNestingAreAnErrorAtOnce) {
  const std::size_t size = 1'000'000;
  std::string powers = "2";
  for (std::size_t i = 0; i < size / 2; ++i) powers += "^2";
  std::string calls;
  for (std::size_t i = 0; i < size / 4; ++i) calls += "sin(";
  const std::clock_t start = std::clock();
  EXPECT_NE(failure(std::string(size, '(')).find("nested deeper than"), std::string::npos);
  EXPECT_NE(failure(std::string(size, '(') + 'x' + std::string(size, ')')).find("nested"), std::string::npos);
  EXPECT_NE(failure(powers).find("nested"), std::string::npos);
  EXPECT_NE(failure(calls).find("nested"), std::string::npos);
  EXPECT_NE(failure(std::string(size, ')')).find("1:1: error"), std::string::npos);
  EXPECT_NE(failure(std::string(size, '-')).find("the end of the expression"), std::string::npos);
  EXPECT_NE(failure(std::string(longest_text + 1, ' ')).find("longer than"), std::string::npos);
  EXPECT_LT(std::clock() - start, 2 * CLOCKS_PER_SEC);
}

TEST(ParseLimits, DeepButAllowedNestingWorks) {
  Graph graph;
  const auto depth = static_cast<std::size_t>(deepest_nesting - 1);
  EXPECT_EQ(parse(graph, std::string(depth, '(') + 'x' + std::string(depth, ')')), graph.symbol("x"));
}

TEST(ParseLimits, LongFlatTextsAreFast) {
  Graph graph;
  std::string sum = "x";
  std::string product = "x";
  for (int i = 0; i < 100'000; ++i) {
    sum += "+y" + std::to_string(i);
    product += "*x";
  }
  const std::clock_t start = std::clock();
  EXPECT_EQ(parse(graph, sum).size(), 100'001U);
  EXPECT_EQ(parse(graph, product), pow(graph.symbol("x"), 100'001));
  EXPECT_LT(std::clock() - start, 2 * CLOCKS_PER_SEC);
}

TEST(DefinableName, IsAPlainNameThatIsNotTaken) {
  for (const char* name : {"x", "theta1", "x_slider", "_a", "e", "sine"})
    EXPECT_TRUE(is_definable_name(name)) << name;
  for (const char* name : {"", "1x", "x'", "a b", "sin", "sqrt", "pi", "t", "lambda", "max", "x-y"}) {
    EXPECT_FALSE(is_definable_name(name)) << name;
  }
}

}  // namespace
}  // namespace dalembert
