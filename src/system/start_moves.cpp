#include "start_moves.hpp"

#include <cstddef>
#include <string>

namespace dalembert {

using Eigen::Index;
using Eigen::VectorXd;

VectorXd start_weights(const System& system, Moves moves, bool Coordinate::*is_guess) {
  // a guess moves a million times as easily (weights are squared): given coordinates keep six digits where
  // guesses can move at all
  constexpr double guess_weight = 1e-3;
  VectorXd weight(static_cast<Index>(system.n()));
  for (std::size_t i = 0; i < system.n(); ++i) {
    const Coordinate& coordinate = system.model().coordinates[i];
    const bool guess = coordinate.*is_guess;
    const bool stays = coordinate.fixed || (moves == Moves::guesses && !guess);
    weight[static_cast<Index>(i)] = stays ? 0 : guess ? guess_weight : 1;
  }
  return weight;
}

void note_changes(const System& system, const VectorXd& from, const VectorXd& to, const std::string& prime,
                  Start& start) {
  for (std::size_t i = 0; i < system.n(); ++i) {
    const auto j = static_cast<Index>(i);
    if (from[j] != to[j]) start.changes.push_back({system.coordinate_name(i) + prime, from[j], to[j]});
  }
}

}  // namespace dalembert
