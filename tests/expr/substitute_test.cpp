#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>
#include <dalembert/expr/substitute.hpp>

namespace dalembert {
namespace {

class SubstituteTest : public testing::Test {
 protected:
  Expr of(const std::string& text) { return parse(graph, text); }

  Graph graph;
  Expr x = graph.symbol("x");
  Expr y = graph.symbol("y");
};

TEST_F(SubstituteTest, ReplacesEverywhereAndSimplifies) {
  EXPECT_EQ(substitute(of("x^2 + sin(x*y)/x"), {{x.id(), of("2*y")}}), of("4*y^2 + sin(2*y^2)/(2*y)"));
  EXPECT_EQ(substitute(of("x*sin(y) + max(x, y)"), {{x.id(), graph.number(0)}}), of("max(0, y)"));
  EXPECT_EQ(substitute(of("cos(x)"), {{x.id(), graph.pi()}}), graph.number(-1));
  EXPECT_EQ(substitute(of("2*x + 3"), {{x.id(), graph.number(2)}}), graph.number(7));
}

TEST_F(SubstituteTest, ReplacesAllAtOnce) {
  EXPECT_EQ(substitute(of("x - 2*y"), {{x.id(), y}, {y.id(), x}}), of("y - 2*x"));
}

TEST_F(SubstituteTest, LeavesTheRestTheSameNode) {
  const Expr e = of("sin(y)^2 + z/(1 + y)");
  EXPECT_EQ(substitute(e, {{x.id(), y}}), e);
  EXPECT_EQ(substitute(e, {}), e);
}

TEST_F(SubstituteTest, TakesManyRootsInOneSweep) {
  const std::vector<Expr> roots{of("x + 1"), of("y"), of("sin(x + 1)")};
  const std::vector<Expr> expected{of("z + 1"), y, of("sin(z + 1)")};
  EXPECT_EQ(substitute(roots, {{x.id(), of("z")}}), expected);
  EXPECT_TRUE(substitute(std::vector<Expr>{}, {}).empty());
}

TEST_F(SubstituteTest, NeedsNoStackForDeepGraphs) {
  Expr e = x;
  Expr expected = y;
  for (int i = 0; i < 100'000; ++i) {
    e = sin(e + 1);
    expected = sin(expected + 1);
  }
  EXPECT_EQ(substitute(e, {{x.id(), y}}), expected);
}

TEST(CopyTo, GivesTheSameTextsOnAnotherGraph) {
  Graph source, target;
  const Expr x = source.symbol("x"), y = source.symbol("y");
  const std::vector<Expr> roots{2 * sin(x) * pow(y, 3) - x / (y + 1), atan2(x, y) + sqrt(x) - 5,
                                exp(x) * source.pi(), source.number(Rational(2) / 3)};
  const std::vector<Expr> copies = copy_to(target, roots);
  ASSERT_EQ(copies.size(), roots.size());
  for (std::size_t i = 0; i < roots.size(); ++i) {
    EXPECT_EQ(&copies[i].graph(), &target);
    EXPECT_EQ(to_text(copies[i]), to_text(roots[i]));
  }
}

TEST(CopyTo, CopiesWhatIsNeededOnceAndNoMore) {
  Graph source, target;
  const Expr x = source.symbol("x"), shared = sin(x);
  const std::vector<Expr> roots{shared * x, shared + 1, shared};
  cos(x);
  const std::size_t before = source.size();
  copy_to(target, roots);
  EXPECT_EQ(source.size(), before);
  EXPECT_LT(target.size(), before);
  EXPECT_TRUE(copy_to(target, {}).empty());
}

}  // namespace
}  // namespace dalembert
