// Positions on g(q, t) = 0 near a wish: Newton's method in the norm of the mass matrix, damped.
#pragma once

#include <random>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/linalg/least_norm.hpp>

#include "residuals.hpp"

namespace dalembert {

/// What may move, and how dear a move is: the norm is δᵀ S M S δ with S = diag(weight).
struct Movable {
  std::vector<Eigen::Index> coordinates;
  Eigen::VectorXd weight;  ///< one per coordinate in the list
};

struct FoundPositions {
  bool consistent = false;
  Eigen::VectorXd q;
  Eigen::VectorXd g;  ///< residual at q
  int iterations = 0;
};

class PositionSearch {
 public:
  explicit PositionSearch(Residuals& residuals) : residuals_(residuals) {}

  /// Newton from the wish, then from random places around it. Where nothing consistent was found, what came
  /// nearest.
  FoundPositions run(const Eigen::VectorXd& wish, const Movable& movable);

  /// Newton from one random place at this distance, relative to the size of the coordinates.
  FoundPositions run_near(const Eigen::VectorXd& q, const Movable& movable, double distance);

  /// The wish itself is consistent as far as doubles can tell.
  bool is_consistent(const Eigen::VectorXd& wish);

 private:
  FoundPositions newton(const Eigen::VectorXd& first, const Eigen::VectorXd& wish, const Movable& movable);
  bool eval(const Eigen::VectorXd& q);
  Eigen::VectorXd allowed_residual(const Eigen::VectorXd& q, const Eigen::VectorXd& size) const;
  bool take_damped_step(Eigen::VectorXd& q, const Eigen::VectorXd& step, const Movable& movable);
  double first_damping(const Eigen::VectorXd& q, const Eigen::VectorXd& step, const Movable& movable);
  Eigen::VectorXd perturbed(const Eigen::VectorXd& wish, const Movable& movable, double size);

  Residuals& residuals_;
  LeastNorm solver_;
  std::mt19937 random_{20240501};  // one seed: the same model starts in the same way every time
};

/// Solves Jacobian δ = −residual for the movable coordinates in the norm above, zero for the others.
Eigen::VectorXd correct(LeastNorm& solver, const Eigen::MatrixXd& M, const Eigen::MatrixXd& jacobian,
                        const Eigen::VectorXd& residual, const Movable& movable);

}  // namespace dalembert
