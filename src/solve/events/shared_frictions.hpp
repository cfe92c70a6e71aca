// Friction in space that several contacts share in no unique way, as the feet of a table at rest do: what
// each holds is a choice, what they hold together is not.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "events/modes.hpp"

namespace dalembert {

/// Groups of contacts that stick in a mode and share forces, with Dᵀ z = 0 for the shares z. Their sums ΣΛ
/// and Σλ are unique where zᵀ r = 0 for r = 1 in these rows, and then |ΣΛ| <= Σ μ λ is necessary, however
/// they share.
class SharedFrictions {
 public:
  SharedFrictions() = default;
  SharedFrictions(ModeSystems& systems, const Mode& mode, double t, std::span<const double> q,
                  std::span<const double> v);

  bool empty() const { return groups_.empty(); }
  /// What is wrong with multipliers, by row of the mode's system.
  std::optional<std::string> judge(double t, std::span<const double> lambda) const;

 private:
  struct Group {
    std::vector<std::string> names;
    std::vector<std::size_t> normals, first_slips, second_slips;  // rows
    double sticking = 0;                                          // the largest of them

    void join(const Group& other);
  };
  std::vector<Group> groups_;
};

}  // namespace dalembert
