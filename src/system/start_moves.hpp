// Which given values of a start may move, and what moved.
#pragma once

#include <string>

#include <Eigen/Dense>

#include <dalembert/system/start.hpp>
#include <dalembert/system/system.hpp>

namespace dalembert {

enum class Moves { guesses, all };

// Residuals in bounds of round-off: a wish within `enough` stays, and where no correction gets there, `stuck`
// will do.
constexpr double start_enough = 4;
constexpr double start_stuck = 1e3;

/// The weight of each coordinate in the norm that is kept small: a guess moves far more than a given value.
/// 0: does not move.
Eigen::VectorXd start_weights(const System& system, Moves moves, bool Coordinate::*is_guess);

/// The factor of M_ij in that norm. Guesses and given values do not mix in it: the least of
/// w² x²/2 + w m x y over x is at x = −m y/w, a thousand times the given value's move y.
inline double pair_weight(double w_i, double w_j) { return w_i == w_j ? w_i * w_j : 0; }

void note_changes(const System& system, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                  const std::string& prime, Start& start);

}  // namespace dalembert
