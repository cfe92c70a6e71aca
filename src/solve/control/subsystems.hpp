// Coordinates that have nothing to do with each other: no force, inertia or constraint joins them.
//
// Registers of the dynamics program are joined to what they are computed from, the force on a coordinate to
// the coordinate, and all coordinates of an entry of M or of a row of C to each other. What depends on time
// alone joins nothing. Coordinates of much different units, as 1/√M_ii tells, are not joined: no size is
// common to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <dalembert/system/system.hpp>

namespace dalembert {

class Subsystems {
 public:
  /// `units` as in Start; empty: they are alike.
  Subsystems(const System& system, const std::vector<double>& units)
      : program_(system.dynamics().program), parent_(program_.register_count()) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    join_instructions();
    for (std::size_t i = 0; i < system.n(); ++i) {
      const Register q = program_.inputs[system.input_q(i)];
      join(q, program_.inputs[system.input_v(i)]);
      join(q, system.dynamics().f[i].x);
    }
    join_entries(system, system.dynamics().M);
    std::vector<Register> first(system.m(), no_register);
    for (const MatrixEntry& e : system.dynamics().C) {
      const Register q = program_.inputs[system.input_q(e.column)];
      if (first[e.row] == no_register) first[e.row] = q;
      join(first[e.row], q);
      join(q, e.value.x);
    }
    const std::vector<std::size_t> classes = classes_of(system.n(), units);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
    for (std::size_t i = 0; i < system.n(); ++i) {
      const std::pair part(find(program_.inputs[system.input_q(i)]), classes[i]);
      of_coordinate_.push_back(numbers.try_emplace(part, numbers.size()).first->second);
    }
    count_ = numbers.size();
  }

  std::size_t count() const { return count_; }
  /// The number of each coordinate's subsystem, below count().
  const std::vector<std::size_t>& of_coordinate() const { return of_coordinate_; }

 private:
  // Units of one class differ by no more than `much`: masses make as much of a difference, too.
  static std::vector<std::size_t> classes_of(std::size_t n, const std::vector<double>& units) {
    // as in ErrorScale::shares; chosen, not measured
    constexpr double much = 1e4;
    std::vector<std::size_t> classes(n, 0);
    if (units.empty()) return classes;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return units[a] < units[b]; });
    std::size_t first = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (units[order[k]] > much * units[order[first]]) first = k;
      classes[order[k]] = first;
    }
    return classes;
  }

  void join_instructions() {
    of_state_.assign(parent_.size(), false);
    for (std::size_t input = 1; input < program_.inputs.size(); ++input) {  // time is the first
      if (program_.inputs[input] != no_register) of_state_[program_.inputs[input]] = true;
    }
    for (const Instruction& i : program_.instructions) {
      for (const Register x : {i.x, i.y, i.z}) join_result(i, x);
      for (std::size_t k = 0; k < i.term_count; ++k) join_result(i, program_.terms[i.first_term + k].x);
    }
  }
  void join_result(const Instruction& i, Register x) {
    if (x == no_register || !of_state_[x]) return;
    for (const Register result : {i.result, i.second_result}) {
      if (result == no_register) continue;
      of_state_[result] = true;
      join(result, x);
    }
  }
  void join_entries(const System& system, const std::vector<MatrixEntry>& entries) {
    for (const MatrixEntry& e : entries) {
      join(program_.inputs[system.input_q(e.row)], program_.inputs[system.input_q(e.column)]);
      join(program_.inputs[system.input_q(e.row)], e.value.x);
    }
  }

  std::size_t find(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(Register a, Register b) {
    if (a == no_register || b == no_register || !of_state_[a] || !of_state_[b]) return;
    parent_[find(a)] = find(b);
  }

  const Program& program_;
  std::vector<std::size_t> parent_;  // by register
  std::vector<bool> of_state_;       // by register: depends on more than time
  std::vector<std::size_t> of_coordinate_;
  std::size_t count_ = 0;
};

}  // namespace dalembert
