// Velocities and contact forces at an instant: jumps onto constraints, impacts, which contacts stay closed.
//
//   M Δv = −Cᵀ Λ,   C (v + Δv) + c = 0              constraints that hold
//   ν = −(C v + c)  the rate of a gap,              Λ >= 0  its impulse
//   Newton:   0 <= Λ  ⊥  ν⁺ + ε ν⁻ >= 0             ν⁻ of those that approach
//   Poisson:  0 <= Λc ⊥  νc >= 0,  then  0 <= Λe − ε Λc ⊥ ν⁺ >= 0,  Λ = Λc + Λe
//   closed:   0 <= λ  ⊥  dν/dt >= 0                 with M a = f − Cᵀ λ
//
// All contacts and constraints at once: a complementarity problem in A = C M⁻¹ Cᵀ on the motions that the
// constraints allow.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include <dalembert/linalg/row_rank.hpp>
#include <dalembert/system/state_evaluation.hpp>

#include "events/modes.hpp"

namespace dalembert {

/// A contact that takes part.
struct TouchingContact {
  std::size_t link;
  double restitution;
  Contact::Law law;
};

class LinkMechanics {
 public:
  static constexpr double rate_rounding = 1e-12;  ///< of the rate of a gap, beside rate_scale()

  /// Of the mode's constraints without its contacts, at a state.
  LinkMechanics(ModeSystems& systems, const Mode& mode, double t, std::span<const double> q,
                std::span<const double> v);

  /// C v + c and g of a link, and how large its terms are.
  double residual(std::size_t link) const;
  double residual_scale(std::size_t link) const;
  bool is_holonomic(std::size_t link) const { return row(link) < all_.g.size(); }
  /// Of a contact: ν at velocities v, and how large its terms are.
  double gap_rate(std::size_t link, const Eigen::VectorXd& v) const;
  double rate_scale(std::size_t link, const Eigen::VectorXd& v) const;
  /// dν/dt with accelerations a.
  double gap_acceleration(std::size_t link, const Eigen::VectorXd& a) const;

  /// d/dt (C v + c) at accelerations a, and how large its terms are.
  double acceleration(std::size_t link, const Eigen::VectorXd& a) const;
  double acceleration_scale(std::size_t link, const Eigen::VectorXd& a) const;

  struct Jump {
    Eigen::VectorXd v;
    std::vector<std::pair<std::size_t, double>> impulses;  ///< by link
  };
  /// The velocities behind an impact. Nothing: there are none.
  std::optional<Jump> jump(std::span<const TouchingContact> contacts) const;
  /// The same velocities, but for these links, whose rates are zero or as wanted. They may depend on each
  /// other.
  void hold(std::span<const std::size_t> links, Jump& jump, const Eigen::VectorXd& wanted = {}) const;

  struct Forces {
    std::vector<double> force;         ///< of each contact
    std::vector<double> acceleration;  ///< of each gap
    std::vector<double> scale;         ///< of each force: see force_scale()
  };
  /// Of contacts that touch and neither approach nor part. Nothing: there are none.
  std::optional<Forces> contact_forces(std::span<const std::size_t> contacts) const;
  /// Of the gap of another contact, with the forces of these.
  double acceleration_beside(std::span<const std::size_t> contacts, const Forces& forces,
                             std::size_t link) const;

 private:
  struct Response {
    Eigen::VectorXd x, multipliers;
  };
  Response solve(const Eigen::VectorXd& force, const Eigen::VectorXd& constraint) const;
  Eigen::Index row(std::size_t link) const { return static_cast<Eigen::Index>(rows_[link]); }
  struct Coupling {
    std::vector<Response> unit;  // of the impulse 1 of each contact
    Eigen::MatrixXd A;
  };
  Coupling couple(std::span<const std::size_t> contacts) const;

  std::vector<std::size_t> rows_;   // of every link in the system of all
  std::vector<std::size_t> links_;  // that hold
  StateEvaluation all_;
  Eigen::VectorXd q_, v_;
  Eigen::MatrixXd B_;  // of links_
  Eigen::VectorXd b_, gamma_;
  RowRank rank_;
};

}  // namespace dalembert
