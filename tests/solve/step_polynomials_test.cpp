// The polynomials of a step, at its end and with one order more.
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <dalembert/solve/step_polynomials.hpp>

namespace dalembert {
namespace {

// q = (1 + c) e^τ in component c, λ = e^τ, up to the order of the step; v and a are its derivatives.
template <class S>
StepPolynomials<S> exponentials(std::size_t n, std::size_t m, int order) {
  const S zero = LaneMath<S>::of(0);
  StepPolynomials<S> step(n, m, order, zero);
  step.order = order;
  S coefficient = LaneMath<S>::of(1);  // 1/k!
  for (int k = 0; k <= order + 1; ++k) {
    if (k > 0) coefficient = coefficient / LaneMath<S>::of(k);
    for (std::size_t i = 0; i < n; ++i) {
      const S c = coefficient * LaneMath<S>::of(1 + static_cast<int>(i));
      // what is beyond an order is not known: it must not count
      step.row(k)[i] = c;
      step.row(k)[n + i] = k <= order ? c : LaneMath<S>::of(1000);
      step.row(k)[2 * n + i] = k < order ? c : LaneMath<S>::of(1000);
    }
    for (std::size_t j = 0; j < m; ++j)
      step.row(k)[3 * n + j] = k < order ? coefficient : LaneMath<S>::of(1000);
  }
  return step;
}

TEST(StepPolynomials, GainWhatTheirSumsTell) {
  for (const std::size_t n : {1, 2, 3, 7, 12, 30}) {
    for (int order = 4; order <= 21; ++order) {
      const std::size_t m = n / 2;
      const auto step = exponentials<double>(n, m, order);
      const double tau = -0.7;
      std::vector<double> gain(step.width());
      step.eval_gain(tau, gain);
      const auto sum = [&](int degree) {  // Σ_{k=1..degree} τ^k/k!, smallest terms first
        double total = 0;
        for (int k = degree; k >= 1; --k) total += std::pow(tau, k) / std::tgamma(k + 1.0);
        return total;
      };
      for (std::size_t i = 0; i < n; ++i) {
        const auto c = static_cast<double>(i + 1);
        EXPECT_NEAR(gain[i], c * sum(order + 1), 1e-15 * c) << n << ' ' << order;
        EXPECT_NEAR(gain[n + i], c * sum(order), 1e-15 * c) << n << ' ' << order;
        EXPECT_NEAR(gain[2 * n + i], c * sum(order - 1), 1e-15 * c) << n << ' ' << order;
      }
      for (std::size_t j = 0; j < m; ++j) EXPECT_NEAR(gain[3 * n + j], sum(order - 1), 1e-15);
    }
  }
}

TEST(StepPolynomials, OneOrderMoreChangesTheEndAsAsked) {
  for (int order = 4; order <= 31; ++order) {
    auto step = exponentials<double>(2, 1, order);
    const double h = 0.3;
    std::vector<double> before(2), after(2), lambda(1), lambda_after(1);
    step.eval_a(h, before);
    step.eval_lambda(h, lambda);
    ASSERT_TRUE(step.add_term(h, std::vector<double>{0.25, -0.5}, std::vector<double>{2}));
    EXPECT_EQ(step.order, order + 1);
    step.eval_a(h, after);
    step.eval_lambda(h, lambda_after);
    EXPECT_NEAR(after[0] - before[0], 0.25, 1e-14);
    EXPECT_NEAR(after[1] - before[1], -0.5, 1e-14);
    EXPECT_NEAR(lambda_after[0] - lambda[0], 2, 1e-14);
  }
}

}  // namespace
}  // namespace dalembert
