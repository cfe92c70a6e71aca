#include "packed_factors.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include <dalembert/base/team.hpp>
#include <dalembert/linalg/policy.hpp>

namespace dalembert {

namespace {

// Rows by their keys, those with as many entries beside each other.
template <class Rows>
std::vector<std::uint32_t> sorted(const std::vector<std::uint32_t>& keys, const Rows& rows) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : rows[a].size() < rows[b].size();
  });
  return order;
}

}  // namespace

void PackedFactors::arrange(const FactorColumns& factors, std::span<const std::uint32_t> part_of,
                            std::uint32_t parts) {
  const std::size_t size = factors.row_order.size();
  parts_ = parts;
  std::vector<std::uint32_t> part(size);
  for (std::size_t i = 0; i < size; ++i) part[i] = part_of[static_cast<std::size_t>(factors.column_order[i])];
  place_.assign(size, 0);
  work_.assign(size, 0.0);
  arrange_lower(factors, part);
  arrange_upper(factors, part);
  const std::size_t in_parts = lower_.first_row[parts] + upper_.first_row[parts];
  shares_ = parts > 1 && in_parts > policy::shared_rows;
}

// A row that waits for another part or for the rest belongs to the rest. In the order of the longest way to
// each, those that wait for nothing come first.
void PackedFactors::arrange_lower(const FactorColumns& factors, std::vector<std::uint32_t> part) {
  Rows rows(part.size());
  std::vector<std::uint32_t> depth(part.size(), 0);
  for (std::uint32_t j = 0; j < part.size(); ++j) {
    const auto last = static_cast<std::uint32_t>(factors.l_starts[j + 1]);
    for (auto e = static_cast<std::uint32_t>(factors.l_starts[j]) + 1; e < last; ++e) {
      const auto i = static_cast<std::size_t>(factors.l_rows[e]);
      rows[i].push_back({j, e});
      depth[i] = std::max(depth[i], depth[j] + 1);
      if (part[i] != part[j]) part[i] = parts_;
    }
  }
  pack(lower_, sorted(depth, rows), part, [&](std::uint32_t i) { return factors.row_order[i]; });
  for (std::size_t k = 0; k < part.size(); ++k) place_[lower_.rows[k].pivot] = static_cast<std::uint32_t>(k);
  add_entries(lower_, rows);
}

// A row for which another part waits, or the rest, belongs to the rest. In the order of the longest way from
// each, those for which nothing waits come last.
void PackedFactors::arrange_upper(const FactorColumns& factors, std::vector<std::uint32_t> part) {
  Rows rows(part.size());
  pivots_.resize(part.size());
  for (auto j = static_cast<std::uint32_t>(part.size()); j-- > 0;) {  // what was solved for last comes last
    pivots_[j] = static_cast<std::uint32_t>(factors.u_starts[j + 1]) - 1;
    for (auto e = static_cast<std::uint32_t>(factors.u_starts[j]); e < pivots_[j]; ++e)
      rows[static_cast<std::size_t>(factors.u_rows[e])].push_back({j, e});
  }
  std::vector<std::uint32_t> height(part.size(), 0);
  std::uint32_t highest = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    highest = std::max(highest, height[i]);
    for (const Entry& entry : rows[i]) {
      height[entry.column] = std::max(height[entry.column], height[i] + 1);
      if (part[entry.column] != part[i]) part[entry.column] = parts_;
    }
  }
  for (std::uint32_t& h : height) h = highest - h;
  pack(upper_, sorted(height, rows), part, [&](std::uint32_t i) { return factors.column_order[i]; });
  add_entries(upper_, rows);
}

// The rows in their order, part by part.
template <class F>
void PackedFactors::pack(Triangle& triangle, std::span<const std::uint32_t> order,
                         std::span<const std::uint32_t> parts, F outside) {
  triangle.rows.clear();
  triangle.first_row.clear();
  for (std::uint32_t p = 0; p <= parts_; ++p) {
    triangle.first_row.push_back(static_cast<std::uint32_t>(triangle.rows.size()));
    for (const std::uint32_t i : order) {
      if (parts[i] == p) triangle.rows.push_back({0, static_cast<std::uint32_t>(outside(i)), 0, i});
    }
  }
  triangle.first_row.push_back(static_cast<std::uint32_t>(triangle.rows.size()));
  triangle.scales.assign(triangle.rows.size(), 1.0);
}

// Their entries, and runs of rows with the same number of them.
void PackedFactors::add_entries(Triangle& triangle, const Rows& rows) const {
  triangle.columns.clear();
  triangle.sources.clear();
  triangle.runs.clear();
  triangle.first_run.clear();
  for (std::uint32_t p = 0; p <= parts_; ++p) {
    const auto first_run = static_cast<std::uint32_t>(triangle.runs.size());
    triangle.first_run.push_back(first_run);
    for (std::uint32_t k = triangle.first_row[p]; k < triangle.first_row[p + 1]; ++k) {
      Row& row = triangle.rows[k];
      const auto count = static_cast<std::uint32_t>(rows[row.pivot].size());
      if (triangle.runs.size() == first_run || triangle.runs.back().entries != count)
        triangle.runs.push_back({k, k, static_cast<std::uint32_t>(triangle.columns.size()), count});
      triangle.runs.back().last = k + 1;
      for (const Entry& entry : rows[row.pivot]) {
        triangle.columns.push_back(place_[entry.column]);
        triangle.sources.push_back(entry.source);
      }
      row.place = place_[row.pivot];
      row.last = static_cast<std::uint32_t>(triangle.columns.size());
    }
  }
  triangle.first_run.push_back(static_cast<std::uint32_t>(triangle.runs.size()));
  triangle.values.assign(triangle.columns.size(), 0.0);
}

void PackedFactors::load_part(std::uint32_t part) {
  const FactorColumns& factors = *factors_;
  for (std::uint32_t k = lower_.first_row[part]; k < lower_.first_row[part + 1]; ++k) {
    lower_.scales[k] = 1 / factors.row_sizes[lower_.rows[k].pivot];
    for (std::uint32_t e = lower_.first_entry(k); e < lower_.rows[k].last; ++e)
      lower_.values[e] = factors.l_values[lower_.sources[e]];
  }
  for (std::uint32_t k = upper_.first_row[part]; k < upper_.first_row[part + 1]; ++k) {
    const double reciprocal = 1 / factors.u_values[pivots_[upper_.rows[k].pivot]];
    upper_.scales[k] = reciprocal;
    for (std::uint32_t e = upper_.first_entry(k); e < upper_.rows[k].last; ++e)
      upper_.values[e] = reciprocal * factors.u_values[upper_.sources[e]];
  }
}

void PackedFactors::solve(const double* rhs, double* solution, Team* team) {
  const auto for_each_part = [&](auto f) {
    if (team == nullptr || !shares_) {
      for (std::uint32_t p = 0; p < parts_; ++p) f(p);
      return;
    }
    team->run([&](int i) {
      const Team::Range range = team->share(parts_, i);
      for (auto p = static_cast<std::uint32_t>(range.first); p < range.last; ++p) f(p);
    });
  };
  const auto forwards = [&](std::uint32_t p) {
    if (!is_loaded_) load_part(p);
    solve_lower(p, rhs);
  };
  for_each_part(forwards);
  forwards(parts_);
  is_loaded_ = true;
  solve_upper(parts_, solution);
  for_each_part([&](std::uint32_t p) { solve_upper(p, solution); });
}

void PackedFactors::solve_lower(std::uint32_t part, const double* rhs) {
  run(
      lower_, part, [&](const Row& row) { return rhs[row.outside]; }, [](const Row&, double) {});
}

void PackedFactors::solve_upper(std::uint32_t part, double* solution) {
  run(
      upper_, part, [&](const Row& row) { return work_[row.place]; },
      [&](const Row& row, double x) { solution[row.outside] = x; });
}

template <class Right, class Put>
void PackedFactors::run(const Triangle& triangle, std::uint32_t part, Right right, Put put) {
  double* work = work_.data();
  // the number of entries of a row, where it is known at compile time
  const auto run_rows = [&](const Run& run, auto entries) {
    const double* scale = triangle.scales.data();
    const std::uint32_t* column = triangle.columns.data() + run.first_entry;
    const double* value = triangle.values.data() + run.first_entry;
    for (std::uint32_t k = run.first; k < run.last; ++k) {
      const Row& row = triangle.rows[k];
      double sum = scale[k] * right(row);
      for (std::uint32_t e = 0; e < entries; ++e) sum -= value[e] * work[column[e]];
      column += entries;
      value += entries;
      work[row.place] = sum;
      put(row, sum);
    }
  };
  for (std::uint32_t r = triangle.first_run[part]; r < triangle.first_run[part + 1]; ++r) {
    const Run& run = triangle.runs[r];
    switch (run.entries) {
      case 0:
        run_rows(run, std::integral_constant<std::uint32_t, 0>());
        break;
      case 1:
        run_rows(run, std::integral_constant<std::uint32_t, 1>());
        break;
      case 2:
        run_rows(run, std::integral_constant<std::uint32_t, 2>());
        break;
      case 3:
        run_rows(run, std::integral_constant<std::uint32_t, 3>());
        break;
      case 4:
        run_rows(run, std::integral_constant<std::uint32_t, 4>());
        break;
      case 5:
        run_rows(run, std::integral_constant<std::uint32_t, 5>());
        break;
      default:
        run_rows(run, run.entries);
    }
  }
}

}  // namespace dalembert
