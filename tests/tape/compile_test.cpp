#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/base/error.hpp>
#include <dalembert/expr/parse.hpp>
#include <dalembert/expr/print.hpp>

#include "tape/random_programs.hpp"

namespace dalembert {
namespace {

// x, y, z are positions, u, v, w velocities, a an acceleration; m, l, p are parameters.
class Compile : public testing::Test {
 protected:
  Compile() {
    for (const char* name : {"x", "y", "z"}) inputs_.push_back({graph_.symbol(name), Stage::position});
    for (const char* name : {"u", "v", "w"}) inputs_.push_back({graph_.symbol(name), Stage::velocity});
    inputs_.push_back({graph_.symbol("a"), Stage::acceleration});
    for (const char* name : {"m", "l", "p"}) inputs_.push_back({graph_.symbol(name), Stage::constant});
  }

  Program compiled(const std::vector<std::string>& texts) {
    std::vector<Expr> outputs;
    for (const std::string& text : texts) outputs.push_back(parse(graph_, text));
    return compile(outputs, inputs_);
  }

  // How often each operation occurs.
  std::map<Op, int> operations(const std::vector<std::string>& texts) {
    std::map<Op, int> counts;
    for (const Instruction& instruction : compiled(texts).instructions) ++counts[instruction.op];
    return counts;
  }

  Graph graph_;
  std::vector<ProgramInput> inputs_;
};

using Counts = std::map<Op, int>;

std::vector<Register> operands(const Program& program, const Instruction& instruction) {
  std::vector<Register> result;
  for (const Register x : {instruction.x, instruction.y, instruction.z}) {
    if (x != no_register) result.push_back(x);
  }
  for (std::uint32_t i = 0; i < instruction.term_count; ++i)
    result.push_back(program.terms[instruction.first_term + i].x);
  return result;
}

// Instructions in order, each operand computed before, stages and levels as defined, nothing twice or unused.
void expect_sound(const Program& program) {
  std::vector<int> level(program.register_count(), -1);  // −1: not yet computed
  for (const Register input : program.inputs) {
    if (input != no_register) level[input] = 0;
  }
  std::set<std::tuple<Op, std::vector<Register>, std::vector<ConstantId>>> seen;
  std::set<Register> used;
  auto last = std::make_tuple(Stage::constant, 0U, Op::linear);
  for (const Instruction& i : program.instructions) {
    Stage stage = Stage::constant;
    int longest = 0;
    for (const Register x : operands(program, i)) {
      ASSERT_GE(level[x], 0) << "used before it is computed";
      stage = std::max(stage, program.register_stages[x]);
      used.insert(x);
    }
    for (const Register x : operands(program, i)) {
      if (program.register_stages[x] == stage) longest = std::max(longest, level[x]);
    }
    EXPECT_EQ(i.stage, stage);
    EXPECT_EQ(program.register_stages[i.result], stage);
    EXPECT_EQ(i.level, static_cast<std::uint32_t>(longest + 1));
    level[i.result] = longest + 1;
    if (i.second_result != no_register) level[i.second_result] = longest + 1;

    std::vector<ConstantId> constants{i.constant};
    for (std::uint32_t k = 0; k < i.term_count; ++k)
      constants.push_back(program.terms[i.first_term + k].coefficient);
    EXPECT_TRUE(seen.insert({i.op, operands(program, i), constants}).second) << "the same instruction twice";
    const auto place = std::make_tuple(i.stage, i.level, i.op);
    EXPECT_LE(last, place);
    last = place;
  }
  for (const Scaled& output : program.outputs) used.insert(output.x);
  for (const Instruction& i : program.instructions)
    EXPECT_TRUE(used.contains(i.result) || used.contains(i.second_result)) << "computed in vain";
}

TEST_F(Compile, RandomProgramsAreSoundAndUseEveryOperation) {
  std::set<Op> operations;
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    Graph graph;
    RandomPrograms programs(graph, seed);
    const std::vector<Expr> outputs = programs.outputs(20);
    const Program program = compile(outputs, programs.inputs);
    expect_sound(program);
    for (const Instruction& instruction : program.instructions) operations.insert(instruction.op);
  }
  EXPECT_EQ(operations.size(), op_count - 1);  // all but past products
}

TEST_F(Compile, WhatIsUsedTwiceIsComputedOnce) {
  EXPECT_EQ(operations({"sin(x*y) + exp(x*y)", "x*y*z"}),
            (Counts{{Op::product, 2}, {Op::sincos, 1}, {Op::exp, 1}, {Op::linear, 1}}));
  EXPECT_EQ(operations({"x*y", "m*x*y", "x*y/l"}), (Counts{{Op::product, 1}}));
}

TEST_F(Compile, SineAndCosineOfOneAngleAreOneInstruction) {
  EXPECT_EQ(operations({"sin(x)", "cos(x)", "l*cos(x)"}), (Counts{{Op::sincos, 1}}));
  EXPECT_EQ(operations({"sinh(x) + cosh(x)"}), (Counts{{Op::sinhcosh, 1}, {Op::linear, 1}}));
  const Program program = compiled({"cos(x)"});
  const Instruction& sincos = program.instructions[0];
  EXPECT_EQ(to_text(program.meaning[sincos.result]), "sin(x)");
  EXPECT_EQ(to_text(program.meaning[sincos.second_result]), "cos(x)");
  EXPECT_EQ(program.outputs[0].x, sincos.second_result);
}

TEST_F(Compile, ConstantFactorsCostNoInstruction) {
  const Program program = compiled({"2*m*l^2*x", "-x", "sin(p)*x"});
  EXPECT_TRUE(program.instructions.empty());
  for (const Scaled& output : program.outputs) EXPECT_EQ(output.x, program.inputs[0]);
  EXPECT_EQ(to_text(program.constants[program.outputs[0].coefficient]), "2*m*l^2");
}

TEST_F(Compile, ConstantsAreEvaluatedOnce) {
  const Program program = compiled({"sin(m*l)*x + y", "sin(m*l)*y + x", "m*l"});
  EXPECT_EQ(program.constants.size(), 4U);  // 0, 1, sin(m l), m l
  EXPECT_EQ(program.parameters, (std::vector<Expr>{graph_.symbol("m"), graph_.symbol("l")}));
  for (const Instruction& instruction : program.instructions) EXPECT_EQ(instruction.op, Op::linear);
}

TEST_F(Compile, OutputsMayBeConstants) {
  const Program program = compiled({"3", "m*l", "x - x"});
  EXPECT_TRUE(program.instructions.empty());
  for (const Scaled& output : program.outputs) EXPECT_EQ(output.x, no_register);
  Series<double> series(
      program,
      evaluate_constants<double>(program, {{graph_.symbol("m").id(), 2}, {graph_.symbol("l").id(), 5}}), 1);
  EXPECT_EQ(series.output(program.outputs[0], 0), 3);
  EXPECT_EQ(series.output(program.outputs[1], 0), 10);
  EXPECT_EQ(series.output(program.outputs[1], 1), 0);
  EXPECT_EQ(series.output(program.outputs[2], 0), 0);
}

// x^y is exp(y log(x)) when it is compiled: only then the difference is found to be zero.
TEST_F(Compile, WhatCancelsOnlyWhenCompiledIsAConstant) {
  const std::string zero = "(x^y - exp(y*log(x)))";
  const Program program =
      compiled({zero, "sin(" + zero + ")", "x*cos(" + zero + ")", "(1 + " + zero + ")^(3/2)",
                "atan2(" + zero + ", x)", "z/(2 + " + zero + ")", zero + "*z"});
  const std::vector<double> expected{0, 0, 3, 1, 0, 3.5, 0};
  Series<double> series(program, evaluate_constants<double>(program, {}), 2);
  series.set(program.inputs[0], 0, 3.0);
  series.set(program.inputs[1], 0, 2.0);
  series.set(program.inputs[2], 0, 7.0);
  for (int k = 0; k <= 2; ++k) series.run(Stage::position, k);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_DOUBLE_EQ(series.output(program.outputs[i], 0), expected[i]) << i;
    EXPECT_EQ(series.output(program.outputs[i], 2), 0) << i;
  }
}

TEST_F(Compile, WhatDependsOnPositionsAloneRunsInTheirStage) {
  const Program program = compiled({"u*x*y", "v*w*sin(x)*cos(y)", "a*z"});
  std::map<Stage, int> counts;
  for (const Instruction& instruction : program.instructions) ++counts[instruction.stage];
  EXPECT_EQ(counts[Stage::position], 4);      // x y, sin x, cos y, sin x cos y
  EXPECT_EQ(counts[Stage::velocity], 3);      // u (x y), v w, (v w) (sin x cos y)
  EXPECT_EQ(counts[Stage::acceleration], 1);  // a z
}

TEST_F(Compile, PowersWithNaturalExponentsAreProducts) {
  EXPECT_EQ(operations({"x^2"}), (Counts{{Op::square, 1}}));
  EXPECT_EQ(operations({"x^7"}), (Counts{{Op::square, 2}, {Op::product, 2}}));
  EXPECT_EQ(operations({"(2*x)^100"}), (Counts{{Op::square, 6}, {Op::product, 2}}));
  const Arguments at_zero{{{graph_.symbol("x"), {0, 1}}}, {}};
  EXPECT_EQ(expand<double>(parse(graph_, "x^100"), at_zero, 3), (std::vector<double>{0, 0, 0, 0}));
}

TEST_F(Compile, PowersOfHalfIntegersShareTheRoot) {
  EXPECT_EQ(operations({"sqrt(x)", "1/sqrt(x)", "y/sqrt(x)"}),
            (Counts{{Op::sqrt, 1}, {Op::inverse, 1}, {Op::quotient, 1}}));
  EXPECT_EQ(operations({"x^(3/2)", "y*x^(-3/2)"}),
            (Counts{{Op::sqrt, 1}, {Op::product, 1}, {Op::quotient, 1}}));
  EXPECT_EQ(operations({"x^(1/3)", "x^p"}), (Counts{{Op::power, 2}}));
  EXPECT_EQ(operations({"x^y"}), (Counts{{Op::log, 1}, {Op::product, 1}, {Op::exp, 1}}));
  EXPECT_EQ(operations({"2^x"}), (Counts{{Op::linear, 1}, {Op::exp, 1}}));
}

TEST_F(Compile, DivisionIsOneInstruction) {
  EXPECT_EQ(operations({"x/y"}), (Counts{{Op::quotient, 1}}));
  EXPECT_EQ(operations({"m/y"}), (Counts{{Op::inverse, 1}}));
  EXPECT_EQ(operations({"x/y", "m*x/y + z"}), (Counts{{Op::quotient, 1}, {Op::linear, 1}}));
  EXPECT_EQ(operations({"1/(x*y)"}), (Counts{{Op::product, 1}, {Op::inverse, 1}}));
  EXPECT_EQ(operations({"x*z/y", "x*w/y"}), (Counts{{Op::quotient, 1}, {Op::product, 2}}));  // x/y is shared
}

TEST_F(Compile, CommonFactorsOfASumAreMultipliedOnce) {
  EXPECT_EQ(operations({"m*x*y + l*x*z"}), (Counts{{Op::linear, 1}, {Op::product, 1}}));
  EXPECT_EQ(operations({"x*u^2 + 2*x*u*v + x*v^2"}).at(Op::product), 2);      // x (u² + 2 u v + v²)
  EXPECT_EQ(operations({"x*y + x*z", "x*y*u", "x*z*u"}).at(Op::product), 4);  // x y and x z are there anyway
}

TEST_F(Compile, FactorsThatStandTogetherOftenAreMultipliedFirst) {
  EXPECT_EQ(operations({"x*y*z*u", "x*y*z*v", "x*y*w"}), (Counts{{Op::product, 5}}));
}

TEST_F(Compile, ProportionalSumsAreOneInstruction) {
  EXPECT_EQ(operations({"x - y", "2*y - 2*x", "m*(x - y)/3"}), (Counts{{Op::linear, 1}}));
  EXPECT_EQ(operations({"(x - y)*z", "(3*y - 3*x)*z", "(2*x - 2*y)^2"}),
            (Counts{{Op::linear, 1}, {Op::product, 1}, {Op::square, 1}}));
  EXPECT_EQ(operations({"2*x + 2*y", "sin(x + y)"}), (Counts{{Op::linear, 2}, {Op::sincos, 1}}));
}

TEST_F(Compile, SquaresOfSineAndCosineAddUpToOne) {
  const Program program = compiled({"m*l^2*sin(x)^2 + m*l^2*cos(x)^2", "p*y*sin(x)^2 + z + p*y*cos(x)^2"});
  EXPECT_EQ(program.nonlinear_count(), 0U);
  EXPECT_EQ(to_text(program.constants[program.outputs[0].coefficient]), "m*l^2");
  EXPECT_EQ(operations({"sin(x)^2 + 2*cos(x)^2"}),
            (Counts{{Op::sincos, 1}, {Op::square, 2}, {Op::linear, 1}}));
}

TEST_F(Compile, InnerSumsThatServeNothingElseAreMerged) {
  EXPECT_EQ(operations({"m*(x + y) + z"}), (Counts{{Op::linear, 1}}));
  EXPECT_EQ(operations({"m*(x + y) + z", "x + y"}), (Counts{{Op::linear, 2}}));
}

TEST_F(Compile, FunctionsWithAKinkFollowTheirBranch) {
  const Expr x = graph_.symbol("x");
  const Arguments arguments{{{x, {-2, 3, 5}}}, {}};
  const auto series = [&](const char* text) { return expand<Rational>(parse(graph_, text), arguments, 2); };
  EXPECT_EQ(series("abs(x)"), (std::vector<Rational>{2, -3, -5}));
  EXPECT_EQ(series("sign(x)"), (std::vector<Rational>{-1, 0, 0}));
  EXPECT_EQ(series("min(x, 1)"), (std::vector<Rational>{-2, 3, 5}));
  EXPECT_EQ(series("max(x, 1)"), (std::vector<Rational>{1, 0, 0}));
}

TEST_F(Compile, AnUnknownSymbolIsAnErrorThatNamesIt) {
  try {
    compiled({"x + sin(speed)"});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "'speed' has no value here");
  }
}

// Each level uses the last one twice: 2^2000 paths, 2000 nodes.
TEST_F(Compile, ADeepSharedGraphTakesLinearTime) {
  Expr e = graph_.symbol("x");
  for (int i = 0; i < 2000; ++i) e = sin(e) * cos(e);
  const Program program = compile(std::vector<Expr>{e}, inputs_);
  EXPECT_EQ(program.instructions.size(), 4000U);
  EXPECT_EQ(program.instructions.back().level, 4000U);
}

TEST_F(Compile, ALongSumOfProductsTakesLittleTime) {
  std::vector<Term> terms;
  const Expr x = graph_.symbol("x");
  for (int i = 0; i < 20000; ++i) terms.push_back({1, sin((i + 1) * x) * cos((i + 1) * x)});
  const Program program = compile(std::vector<Expr>{graph_.sum(terms)}, inputs_);
  EXPECT_EQ(program.nonlinear_count(), 40000U);
}

TEST_F(Compile, NamesEveryBranchByTheCallThatWasWritten) {
  for (const char* text : {"max(m*(l - x) - p*u, 0)", "sign(l*u*cos(x) + l*u)", "abs(2*x - 2*l)",
                           "min(x*u + y*u, m)", "atan2(m*x + m*y, x)"}) {
    const Program program = compiled({text, std::string("3*x*") + text});
    ASSERT_EQ(program.branches.size(), 1U) << text;
    EXPECT_EQ(program.branches[0].call, parse(graph_, text)) << text;
    const Register result = program.branches[0].result;
    const auto branch = std::find_if(program.instructions.begin(), program.instructions.end(),
                                     [&](const Instruction& i) { return i.result == result; });
    ASSERT_NE(branch, program.instructions.end()) << text;
    EXPECT_TRUE(has_branches(branch->op)) << text;
  }
  EXPECT_EQ(compiled({"abs(sign(x) - l) + max(x, min(y, u))"}).branches.size(), 4U);
  EXPECT_TRUE(compiled({"x*abs(m) + sin(x)"}).branches.empty());
}

TEST_F(Compile, APartHasTheSameRegisters) {
  const Program program = compiled({"sin(x)*u + y", "exp(y)*cos(x)", "abs(x + y)"});
  const Program part = part_of(program, std::vector{program.outputs[2].x});
  ASSERT_EQ(part.branches.size(), 1U);
  EXPECT_EQ(part.instructions.size(), 2U);  // x + y and its size
  EXPECT_EQ(part.instructions.back().result, program.outputs[2].x);
  EXPECT_EQ(part.register_count(), program.register_count());
  EXPECT_TRUE(part_of(program, std::vector{program.outputs[0].x}).branches.empty());
}

}  // namespace
}  // namespace dalembert
