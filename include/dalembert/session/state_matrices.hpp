// The equations of motion as numbers at any state: what a controller or another solver asks for.
//
//   M(q,v,t) a = f(q,v,t) − C(q,t)ᵀ λ,   g(q,t) = 0,   C v + c = 0,   C a = γ(q,v,t)
#pragma once

#include <span>
#include <vector>

#include <dalembert/session/loaded_model.hpp>
#include <dalembert/system/value_tape.hpp>

namespace dalembert::session {

class StateMatrices {
 public:
  /// Throws Error for kinematic models: they have no equations of motion.
  explicit StateMatrices(const LoadedModel& model);

  /// Fills what follows. q and v have a value per coordinate.
  void eval(double t, std::span<const double> q, std::span<const double> v);

  std::vector<double> M;  ///< n rows of n
  std::vector<double> f;
  std::vector<double> C;  ///< m rows of n
  std::vector<double> c;
  std::vector<double> g;
  std::vector<double> gamma;

 private:
  void follow_inputs(double t);
  void fill(std::vector<double>& matrix, std::span<const MatrixEntry> entries) const;
  void fill(std::vector<double>& column, std::span<const Scaled> entries) const;

  LoadedModel model_;
  ValueTape values_;
  double piece_begin_ = 0, piece_end_ = 0;  // where its constants are those of the inputs
};

}  // namespace dalembert::session
