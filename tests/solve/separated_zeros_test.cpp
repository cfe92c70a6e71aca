// Zeros of polynomials that bounds on their coefficients tell apart.
#include "switches/separated_zeros.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace dalembert {
namespace {

// Coefficients times (1 − x/root)
void add_root(std::vector<double>& c, double root) {
  c.push_back(0);
  for (std::size_t k = c.size(); k-- > 1;) c[k] -= c[k - 1] / root;
}

std::vector<double> found_by(SeparatedZeros& search) {
  return {search.found().begin(), search.found().end()};
}

// What rounding errors of the coefficients move a root by: ε Σ |c_k| / |p'|, a few of them.
double noise_of_root(const std::vector<double>& c, double root) {
  double sum = 0, slope = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum += std::abs(c[k]);
  for (std::size_t k = c.size(); k-- > 1;) slope = slope * root + static_cast<double>(k) * c[k];
  return 1e-14 * sum / std::abs(slope);
}

TEST(SeparatedZeros, OfRandomPolynomialsAreTheirRoots) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(0.02, 0.98), outside(1.1, 5);
  std::uniform_int_distribution<int> count(0, 4);
  SeparatedZeros search;
  int told = 0;
  constexpr int trials = 2000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> roots, c{1};
    for (int i = count(random); i > 0; --i) roots.push_back(place(random));
    std::ranges::sort(roots);
    for (const double root : roots) add_root(c, root);
    for (int i = count(random); i > 0; --i) add_root(c, i % 2 == 0 ? outside(random) : -outside(random));
    if (!search.find(c)) continue;
    ++told;
    const std::vector<double> found = found_by(search);
    ASSERT_EQ(found.size(), roots.size()) << "trial " << trial;
    for (std::size_t i = 0; i < roots.size(); ++i)
      EXPECT_NEAR(found[i], roots[i], noise_of_root(c, roots[i]));
  }
  EXPECT_GT(told, trials * 9 / 10);
}

// More terms than are looked at one by one: cos(ω x) through x⁴⁰.
TEST(SeparatedZeros, OfACosineAreItsZerosToRoundOff) {
  SeparatedZeros search;
  for (const double rate : {0.5, 2.0, 4.0, 5.0}) {
    std::vector<double> c(41, 0);
    double term = 1;
    for (int k = 0; k <= 40; term *= rate / ++k)
      c[static_cast<std::size_t>(k)] = k % 2 == 1 ? 0 : k % 4 == 0 ? term : -term;
    ASSERT_TRUE(search.find(c)) << rate;
    std::vector<double> zeros;
    for (double zero = std::numbers::pi / 2 / rate; zero < 1; zero += std::numbers::pi / rate)
      zeros.push_back(zero);
    const std::vector<double> found = found_by(search);
    ASSERT_EQ(found.size(), zeros.size()) << rate;
    const double noise = 1e-16 * std::exp(rate) / rate;
    for (std::size_t i = 0; i < zeros.size(); ++i) EXPECT_NEAR(found[i], zeros[i], 4 * noise) << rate;
  }
}

TEST(SeparatedZeros, AreNotToldWhereRoundingErrorsDecide) {
  SeparatedZeros search;
  const double half[] = {0.25, -1, 1}, at_end[] = {1, -1}, at_start[] = {0, 1}, none[] = {0, 0};
  EXPECT_FALSE(search.find(half)) << "a double zero";
  EXPECT_FALSE(search.find(at_end));
  EXPECT_FALSE(search.find(at_start));
  EXPECT_FALSE(search.find(none));
  const double not_numbers[] = {1, NAN, 1};
  EXPECT_FALSE(search.find(not_numbers));
}

TEST(SeparatedZeros, ThatAreCloseAreTold) {
  SeparatedZeros search;
  std::vector<double> c{1};
  add_root(c, 0.3);
  add_root(c, 0.32);
  ASSERT_TRUE(search.find(c));
  EXPECT_EQ(search.found().size(), 2U);
  const double turns_before_zero[] = {0.26, -1, 1};  // its least value is 0.01
  ASSERT_TRUE(search.find(turns_before_zero));
  EXPECT_TRUE(search.found().empty());
}

}  // namespace
}  // namespace dalembert
