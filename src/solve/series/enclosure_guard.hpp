// Nothing may happen within a step that the series at its start do not show: the step is as long as this is
// proven, or as the calls in question show what they do (tape/step_enclosure.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <dalembert/system/expansion.hpp>
#include <dalembert/system/system.hpp>
#include <dalembert/tape/step_enclosure.hpp>

namespace dalembert {

template <class S>
class EnclosureGuard {
 public:
  EnclosureGuard(const System& system, Expansion<S>& expansion)
      : system_(system),
        expansion_(expansion),
        enclosure_(expansion.series(), outputs_of(system), expanded_in(system)),
        errors_{std::vector<double>(system.n(), 0), std::vector<double>(system.m(), 0)},
        peaks_(LaneMath<S>::lanes, errors_),
        inertia_(system.n(), 0),
        rows_(system.m(), 0),
        velocities_(system.n(), 0) {}

  /// Whether the forces, masses and constraints can hide nothing.
  bool empty() const { return enclosure_.empty(); }

  /// Counts pulses of time alone, where the series of the motion do not reach; or all again.
  void count_time_only(bool only) {
    if (only) {
      enclosure_.count_only(expansion_.series().program().inputs[System::input_t()]);
    } else {
      enclosure_.count_all();
    }
  }

  /// The share of a step h of this order, 1 or less, over which what is hidden moves velocities by no more
  /// than `tolerance` of their size.
  double proven_share(int order, const S& h, double tolerance) {
    tolerance_ = tolerance;
    order_ = order;
    double share = 1;
    // each shortens the step; then the share that is left counts. Chosen, not measured.
    constexpr int most_rounds = 20;
    for (int round = 0; round < most_rounds; ++round) {
      const S part = h * number(share);
      if (!enclosure_.read(order, part)) return share;
      if (round == 0) expansion_.complete_registers(order);
      length_ = LaneMath<S>::largest(part);
      bool is_proven = true;
      double next = 1;
      for (std::size_t lane = 0; lane < LaneMath<S>::lanes; ++lane) {
        const Proof proof = prove(lane, round);
        next = std::min(next, proof.share);
        is_proven = is_proven && proof.is_complete;
      }
      share *= next;
      if (is_proven) return share;
    }
    return share;
  }

 private:
  struct Errors {
    std::vector<double> forces, constraints;
  };
  struct Proof {
    double share;      // of the step
    bool is_complete;  // false: other calls may hide something within this share
  };

  static S number(double x) {
    if constexpr (LaneMath<S>::lanes > 1) {
      return LaneMath<S>::of(0) + x;
    } else {
      return S(x);
    }
  }

  static std::vector<Register> outputs_of(const System& system) {
    const DynamicsProgram& p = system.dynamics();
    std::vector<Register> registers;
    for (const auto* values : {&p.f, &p.c}) {
      for (const Scaled& value : *values) registers.push_back(value.x);
    }
    for (const auto* entries : {&p.M, &p.C, &p.D}) {
      for (const MatrixEntry& entry : *entries) registers.push_back(entry.value.x);
    }
    return registers;
  }
  static std::vector<Register> expanded_in(const System& system) {
    const ExpansionProgram& p = system.expansion_program();
    std::vector<Register> registers = p.force;
    registers.insert(registers.end(), p.constraint.begin(), p.constraint.end());
    return registers;
  }

  // From the start of the step as far as parts of it are proven, halved again and again.
  Proof prove(std::size_t lane, int round) {
    constexpr int deepest = 20;  // parts of 1e-6 of the step
    // what a proof may cost: in enclosures; chosen, not measured
    constexpr int most_parts = 200;
    constexpr double close = 0.02;  // to where the proof ends
    measure_velocities(lane);
    if (round == 0) {
      std::fill(peaks_[lane].forces.begin(), peaks_[lane].forces.end(), 0);
      std::fill(peaks_[lane].constraints.begin(), peaks_[lane].constraints.end(), 0);
      enclosure_.enclose(lane, 0, 1);
      if (is_harmless(lane)) return {1, true};
      if (is_at_rest()) find_peaks(lane);
    }
    double from = 0;
    double part = 1;
    int depth = 0;
    for (int parts = 0; from < 1; ++parts) {
      enclosure_.enclose(lane, from, std::min(from + part, 1.0));
      if (is_harmless(lane)) {
        from += part;
        // as long a part as the halves allow
        while (depth > 0 && std::fmod(from, 2 * part) == 0) part *= 2, --depth;
        continue;
      }
      const double visible = from == 0 ? enclosure_.visible_share() : 0;
      const bool is_close = part < close * from || depth == deepest || parts > most_parts;
      if (from > 0 && is_close) return {from, true};
      if (from == 0 && (part <= visible || depth == deepest)) return {std::max(visible, 0.5 * part), false};
      part *= 0.5;
      ++depth;
    }
    return {1, true};
  }

  double size_at(const Scaled& value, std::size_t lane) const {
    return std::abs(enclosure_.in_lane(expansion_.series().output(value, 0), lane));
  }
  double deviation(const Scaled& value, std::size_t lane) const {
    const double d = enclosure_.deviation(value.x);
    return d == 0 ? 0
                  : d * std::abs(enclosure_.in_lane(expansion_.series().constant(value.coefficient), lane));
  }
  double magnitude(std::size_t input) {
    return enclosure_.magnitude(system_.expansion_program().program.inputs[input]);
  }

  // What errors of velocities count against: their largest values over the step. Those far below the largest,
  // and those that move nothing, count as more (AdomianStep::measure_components).
  void measure_velocities(std::size_t lane) {
    // as in AdomianStep::measure_components and choose_step; chosen there
    constexpr double smallest_share = 1e-4;
    constexpr double moving_share = 0.01;
    const auto largest = [&](auto coefficient, int last) {
      double sum = 0, power = 1;
      for (int k = 0; k < last; ++k, power *= length_) sum += std::abs(coefficient(k)) * power;
      return sum;
    };
    double most = 0;
    for (std::size_t i = 0; i < velocities_.size(); ++i) {
      const auto in_lane = [&](const S& x) { return enclosure_.in_lane(x, lane); };
      const double q = largest([&](int k) { return in_lane(expansion_.q(k)[i]); }, order_);
      velocities_[i] = std::max(largest([&](int k) { return in_lane(expansion_.v(k)[i]); }, order_),
                                moving_share * q / length_);
      most = std::max(most, velocities_[i]);
    }
    for (double& size : velocities_) size = std::max(size, smallest_share * most);
  }

  // M δa = δf − δM a − δDᵀ λ over the step, and C δv = −(δC v + δc). False: there are none.
  bool sum_errors(std::size_t lane) {
    const DynamicsProgram& p = system_.dynamics();
    bool any = false;
    for (std::size_t i = 0; i < p.f.size(); ++i) any |= (errors_.forces[i] = deviation(p.f[i], lane)) > 0;
    for (std::size_t j = 0; j < p.c.size(); ++j)
      any |= (errors_.constraints[j] = deviation(p.c[j], lane)) > 0;
    for (const MatrixEntry& entry : p.M) {
      const double d = deviation(entry.value, lane);
      if (d == 0) continue;
      any = true;
      errors_.forces[entry.row] += d * magnitude(system_.input_a(entry.column));
    }
    for (const MatrixEntry& entry : p.C) {
      const double d = deviation(entry.value, lane);
      if (d == 0) continue;
      any = true;
      errors_.constraints[entry.row] += d * magnitude(system_.input_v(entry.column));
    }
    for (const MatrixEntry& entry : system_.is_symmetric() ? p.C : p.D) {
      const double d = deviation(entry.value, lane);
      if (d == 0) continue;
      any = true;
      errors_.forces[entry.column] += d * magnitude(system_.input_lambda(entry.row));
    }
    return any;
  }

  bool is_harmless(std::size_t lane) {
    return !sum_errors(lane) || (forces_agree(lane) && constraints_agree(lane));
  }

  // After is_harmless(): the errors would change the velocities to something of another size.
  bool is_at_rest() const {
    // velocities of less than a millionth of what the errors would make of them: rest. Chosen, not measured.
    constexpr double small = 1e-6;
    for (std::size_t i = 0; i < velocities_.size(); ++i) {
      if (velocities_[i] * inertia_[i] < small * errors_.forces[i] * length_) return true;
    }
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      if (rows_[j] < small * errors_.constraints[j]) return true;
    }
    return false;
  }

  // Where nothing moves, the foot of a pulse counts beside its peak. This is looked for in the half where
  // more may happen, again and again: what is found there at last does happen.
  void find_peaks(std::size_t lane) {
    // to 1e-9 of the step. Chosen, not measured.
    constexpr int halvings = 30;
    const auto most = [&](double from, double to) {
      enclosure_.enclose(lane, from, to);
      sum_errors(lane);
      keep_what_acts(errors_.forces, system_.dynamics().f, lane);
      keep_what_acts(errors_.constraints, system_.dynamics().c, lane);
      return std::max(largest(errors_.forces), largest(errors_.constraints));
    };
    double from = 0, part = 1;
    for (int i = 0; i < halvings; ++i) {
      part *= 0.5;
      if (most(from, from + part) < most(from + part, from + 2 * part)) from += part;
    }
    if (std::isfinite(most(from, from + part))) peaks_[lane] = errors_;
  }
  // Series that have not converged deviate by more than there is.
  void keep_what_acts(std::vector<double>& errors, const std::vector<Scaled>& values, std::size_t lane) {
    for (std::size_t i = 0; i < errors.size(); ++i) {
      if (errors[i] == 0) continue;
      const double coefficient =
          enclosure_.in_lane(expansion_.series().constant(values[i].coefficient), lane);
      errors[i] = std::min(errors[i], std::abs(coefficient) * enclosure_.magnitude(values[i].x));
    }
  }
  static double largest(const std::vector<double>& sizes) {
    return sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  }
  double floor_of(double peak) const {
    // errors of a millionth of the tolerance need no proof; the second keeps loose tolerances from hiding
    // pulses. Chosen, not measured.
    constexpr double share = 1e-6, largest_tolerance = 1e-9;
    return share * std::min(tolerance_, largest_tolerance) * peak;
  }

  bool forces_agree(std::size_t lane) {
    std::fill(inertia_.begin(), inertia_.end(), 0);
    double least = std::numeric_limits<double>::infinity();
    for (const MatrixEntry& entry : system_.dynamics().M) {
      if (entry.row != entry.column) continue;
      inertia_[entry.row] = size_at(entry.value, lane);
      if (inertia_[entry.row] > 0) least = std::min(least, inertia_[entry.row]);
    }
    for (std::size_t i = 0; i < inertia_.size(); ++i) {
      const double inertia = inertia_[i] > 0 ? inertia_[i] : least;  // what has none moves what has
      const double allowed =
          std::max(tolerance_ * velocities_[i] * inertia / length_, floor_of(peaks_[lane].forces[i]));
      if (!(errors_.forces[i] <= allowed)) return false;
    }
    return true;
  }

  bool constraints_agree(std::size_t lane) {
    const DynamicsProgram& p = system_.dynamics();
    std::fill(rows_.begin(), rows_.end(), 0);
    for (const MatrixEntry& entry : p.C) {
      rows_[entry.row] = std::max(rows_[entry.row], size_at(entry.value, lane) * velocities_[entry.column]);
    }
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      const double allowed = std::max(tolerance_ * rows_[j], floor_of(peaks_[lane].constraints[j]));
      if (!(errors_.constraints[j] <= allowed)) return false;
    }
    return true;
  }

  const System& system_;
  Expansion<S>& expansion_;
  StepEnclosure<S> enclosure_;
  Errors errors_;              // over the present part
  std::vector<Errors> peaks_;  // where they are largest, by lane
  std::vector<double> inertia_, rows_, velocities_;
  double tolerance_ = 0;
  double length_ = 0;  // of the step
  int order_ = 0;
};

}  // namespace dalembert
