// Which factorization solves a matrix, and every threshold by which a matrix or its rows count as singular:
// one place for all layers. Each number says where it comes from. Times are in µs on a Zen 4 core, gcc 12 -O3
// -march=native, minima of hundreds of runs (docs/decisions.md, "One saddle-point system").
//
//   solver              for                                  factors
//   DenseInverse        few unknowns, many right-hand sides  Gauss-Jordan, the pivots of the last matrix
//   LanesInverse        the same in lanes of matrices        the same for all lanes
//   StaticFactors       few right-hand sides or entries      L U as a list of operations
//   PatternLu           the same, of any size                that list, or KLU
//   StaticSymmetric     one right-hand side at a state       L D Lᵀ as a list, PatternLu where unsafe
//   DenseLu             other scalars, full matrices         L U with row pivoting
//   SparseLu            large and sparse                     KLU, packed for many solves
//   solve_saddle_point  a start, whatever the rank of C      pivoted QR of C, L U, extended residuals
#pragma once

#include <cstddef>

namespace dalembert::policy {

// --- The solver

/// The inverse of up to so many unknowns, whose rows fill four registers of eight doubles. Factor and 20
/// solves of 8, 20, 32 unknowns take 0.14, 0.92, 2.1; by dense L U 1.6, 5.0, 9.1.
inline constexpr std::size_t largest_inverse = 32;

/// Sparse L U where a full matrix has so many times the entries of its factors. Dense blocks in a row that
/// share one entry with the next, factor and 20 solves by KLU and by dense L U: at a ratio of 1.9 19.2
/// and 17.6, at 2.7 7.7 and 11.0, at 3.8 35.9 and 68.9, at 5.7 53 and 180.
inline constexpr double sparse_ratio = 2;

/// An operation of a list and one of a dense factorization, in cycles, of a double and of lanes of them:
/// entries of a list are found one by one, those of dense matrices follow each other and fill registers. As
/// measured.
inline constexpr double list_cost = 4.5, list_cost_in_lanes = 5;
inline constexpr double dense_cost = 0.25, dense_cost_in_lanes = 0.2;

/// L U for few right-hand sides by a list up to this size, however full: 90 full unknowns take 146 by the
/// list and 130 by KLU, 240 3400 and 2900. Choosing pivots of 240 full unknowns takes 67 ms and the list 37
/// MB, and both grow with the third power.
inline constexpr std::size_t largest_full_list = 200;
/// Beyond it while factors have no more than so many entries per unknown (a chain: 7): 900 unknowns of a
/// chain take 10 by the list and 36 by KLU. Choosing their pivots takes 5 ms, of 3000 53 ms.
inline constexpr double most_list_fill = 20;
inline constexpr std::size_t largest_sparse_list = 3000;

/// From this size on the order of elimination has parts for threads to share, whether there are any or not.
inline constexpr std::size_t dissected_size = 3000;
/// Threads share a solve where parts have so many rows together: docs/decisions.md, "Threads for one run".
inline constexpr std::size_t shared_rows = 6000;

/// Starts and structures of systems of this size by sparse factors. A dense pivoted QR takes 1.7 ms for 256
/// rows and 72 ms for 1000, and a start takes some ten decompositions.
inline constexpr std::size_t large_system = 256;

// --- Pivots

/// Relative to its row, a pivot of so little is rounding errors: 45 units in doubles. Numbers of arbitrary
/// precision have 30 digits at least; exact ones know zero.
inline constexpr double singular_pivot = 1e-14;
inline constexpr double singular_pivot_of_digits = 1e-25;
/// Of the reciprocal condition of a start's scaled matrix: ten units of round-off, beyond which refinement
/// finds no digits.
inline constexpr double singular_condition = 2.2e-15;

/// Of the estimated reciprocal condition of a large start: from here on the dense search decides, which knows
/// rank. Chosen, not measured.
inline constexpr double nearly_singular = 1e-11;

/// Likewise of Newton matrices, where entries of M and of h² times a stiffness stand side by side. Only what
/// cannot be solved for is refused: the iteration itself tells whether its corrections are right.
inline constexpr double singular_newton = 1e-20;

/// Pivots of the last matrix serve the next as long as none has shrunk to less than this part, so that at
/// most about a digit is lost beside pivots that are searched. Chosen, not measured.
inline constexpr double most_shrinking = 1.0 / 16;

/// When chosen, a pivot may be so much smaller than the largest entry of its column: the usual compromise
/// between few operations and small growth [duff2017].
inline constexpr double pivot_threshold = 0.1;
/// A list of L U is replayed while its multipliers stay below this, a hundred times what the threshold
/// allowed when it was chosen. Chosen, not measured.
inline constexpr double largest_multiplier = 1e3;
/// KLU's pivots are kept while the reciprocal growth of entries is above this. Chosen, not measured.
inline constexpr double worst_growth = 1e-4;
/// KLU scales by inertia while a trial solution misses no row by more than this part of its terms: refinement
/// then still finds all digits. Masses of 1e-12 of their neighbours' left 1e-7.
inline constexpr double worst_miss = 1e-10;

/// L D Lᵀ: scaled, the diagonals of M and of C M⁻¹ Cᵀ are 1, so that a small pivot is what cancellation has
/// left; below this, three digits, L U takes over. Chosen, not measured.
inline constexpr double smallest_diagonal_pivot = 1e-3;
/// Likewise where forward substitution is so many times larger than the solution, a small difference then: at
/// some states of Andrews' mechanism errors were 8e-13 without it (docs/decisions.md).
inline constexpr double most_cancellation = 100;
/// L D Lᵀ is tried again after so many matrices at most, so that vain attempts cost less than a fiftieth.
inline constexpr std::size_t longest_patience = 64;

// --- Rank of constraints

/// How far rows must be apart, after equilibration, to count as independent. Rows that are computed from
/// positions on a singular manifold are right to √ε only, hence a value between ε and √ε.
inline constexpr double dependent_rows = 1e-10;
/// The same at configurations around the start. Where constraints are redundant to second order (hinges with
/// parallel axes), Newton's method leaves positions that are right to √ε = 1.5e-8 only, and rows as far from
/// dependence; where rank is lost at the start alone, they are apart by about the distance to it, 0.01.
inline constexpr double dependent_rows_around = 1e-6;
/// Rows this far apart are independent whatever the units of coordinates: seven digits above dependent_rows.
inline constexpr double clearly_independent_rows = 1e-3;
/// Columns are stretched by no more than this when they are brought to like sizes: what cancellation has left
/// of a column, 1e-16 of a row, stays below dependent_rows.
inline constexpr double most_stretch = 1e4;

/// Chosen rows of redundant ones that are this far apart lose hardly a digit: no others are looked for.
inline constexpr double good_rows = 0.3;
/// Others must be so many times farther apart to be worth it: matrices are analysed anew. Chosen, not
/// measured.
inline constexpr double much_better_rows = 2;
/// A look at the rows costs their dense QR; from so many operations on it is taken at some steps only.
/// Chosen, not measured.
inline constexpr std::size_t cheap_look = 200'000;

/// All rows together have lost rank where their smallest pivot is this part of the largest so far. Places of
/// lost rank are found to about half of the digits of doubles.
inline constexpr double lost_rank = 1e-3;
/// The same of σ², the square of how far rows are apart.
inline constexpr double lost_rank_squared = lost_rank * lost_rank;
/// Steps shrink because rows come near dependence where these are apart by less than this part of what they
/// were at the start. Chosen, not measured.
inline constexpr double near_lost_rank = 1e-2;
/// Rank is not watched for more rows: a pivoted QR of 1000 takes 72 ms.
inline constexpr std::size_t most_watched_rows = 1000;

/// Of kinetic energy on the kernel of C beside that of single coordinates: less is rounding errors of sums of
/// some hundred terms.
inline constexpr double no_inertia = 1e-13;
/// Of xᵀ M x beside its terms, for an x that was solved for with an unknown condition: less is rounding
/// errors. The norm of a quaternion constrains such motions.
inline constexpr double least_inertia_share = 1e-10;

}  // namespace dalembert::policy
