// Calls that can do within a step what their series at its start does not show: a Gaussian far from its
// centre has coefficients that are zero to the last digit, and so has a tanh that is saturated.
#pragma once

#include <vector>

#include <dalembert/expr/interval.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

struct HidingCall {
  Op op;
  Register result;
  Register second_result;
  Register x;                  ///< the argument; of quotients the denominator, of natural powers the base
  Register y = no_register;    ///< the other argument of atan2
  unsigned natural_power = 0;  ///< where the call is x^n of squares and products
};

/// Sums, products, sines and cosines are not among them: their series show what they do.
std::vector<HidingCall> find_hiding_calls(const Program& program);

/// How far the argument may go from its value at the start for a series of this order to show what the call
/// does: with |x(τ) − x₀| ≤ Σ |x_k| hᵏ ≤ the result for |τ| ≤ h in the complex plane. Values of x and y at
/// the start.
///   1/x, √x, ln x, x^c, atan, asin, tan, ...: nearly to the nearest singularity. The terms of the series
///   fall slowly then, and the last ones are as large as what comes behind them.
///   exp, sinh, cosh: r = order/2. The last term, rᵖ/p!, is comparable with e^r up to r = p.
///   tanh: half of that too, since it nears ±1 like e^(−2x); what 1 − tanh² loses beside 1 is lost.
///   xⁿ: as far as it is like exp(n ln x).
double visible_move(const HidingCall& call, double x, double y, int order);

/// The same by the range of the argument along the step, where it is known: the call changes by no more than
/// a factor that its series shows, e^(order/2) of exponentials and a few of the others.
bool is_visible(const HidingCall& call, const Interval& x, int order);

/// Whether x is in the domain of roots, logarithms, asin and acos.
bool has_value(const HidingCall& call, double x);

}  // namespace dalembert
