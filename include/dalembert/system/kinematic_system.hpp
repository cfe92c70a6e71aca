// What a method sees of a kinematic model, q' = c [f_q C] + f_q⁺ (K f − f_t), and its value at a state.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/derive/kinematics.hpp>
#include <dalembert/linalg/orthogonal.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/series.hpp>

namespace dalembert {

class KinematicSystem {
 public:
  explicit KinematicSystem(const Model& model);

  const KinematicEquations& equations() const { return equations_; }
  const ModelData& model() const { return *equations_.model; }
  std::size_t n() const { return equations_.q.size(); }
  std::size_t m() const { return equations_.f.size(); }

  /// f, f_q, f_t, c, C, K. Inputs t, q, then parameters.
  struct StateProgram {
    Program program;
    std::vector<Scaled> f, f_t;
    std::vector<MatrixEntry> f_q, C, K;
    Scaled c;
  };
  const StateProgram& state() const { return state_; }
  /// The user's outputs. Inputs t, q, v, then parameters.
  const Program& outputs() const { return outputs_; }

  /// With those of the pieces that inputs have behind or before a time.
  std::unordered_map<NodeId, double> parameter_values(double t, bool before = false) const;
  /// Where the first of these pieces ends; ±∞: nowhere.
  double next_knot(double t, bool before) const;
  std::vector<double> given_positions() const;

 private:
  KinematicEquations equations_;
  StateProgram state_;
  Program outputs_;
};

class KinematicEvaluation {
 public:
  /// With inputs as they are behind or before a time.
  KinematicEvaluation(const KinematicSystem& system, double t, bool before);
  void follow_inputs(double t, bool before);

  /// Fills f, f_q, f_t, c, C, K.
  void eval(double t, std::span<const double> q);
  /// q' there, with K or without. False: f_q has lost rank, so that f_q⁺ jumps.
  bool eval_velocity(bool with_K, std::span<double> velocity);
  /// The smallest change of q that takes f away to first order: −f_q⁺ f. False: f_q has lost rank.
  bool eval_correction(std::span<double> change);

  Eigen::VectorXd f, f_t;
  Eigen::MatrixXd f_q, C, K;
  double c = 0;

 private:
  bool factor();

  const KinematicSystem* system_;
  Series<double> series_;
  PseudoInverse pseudo_inverse_;  // of f_q
  Eigen::MatrixXd rows_;          // [f_q; C]
};

}  // namespace dalembert
