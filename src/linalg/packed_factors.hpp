// The triangular factors of a large sparse matrix, P R A Q = L U, packed for solving many systems.
//
// Both factors stand row by row in the order in which they are used, the rows of U divided by their pivots:
//
//   y_i = r_i b_{P(i)} − Σ_{j<i} L_ij y_j,      x_{Q(i)} = x̂_i = y_i / U_ii − Σ_{j>i} (U_ij / U_ii) x̂_j
//
// Rows belong to parts that do not wait for each other, and to a rest that waits for all (L) or for which all
// wait (U). The parts are the same whatever number of threads takes them, and so is every sum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

class Team;

/// L with its unit diagonal first, U with its diagonal last in compressed columns; as KLU gives them.
struct FactorColumns {
  std::vector<std::int32_t> l_starts, l_rows, u_starts, u_rows;
  std::vector<double> l_values, u_values;
  std::vector<std::int32_t> row_order, column_order;  // P, Q
  std::vector<double> row_sizes;                      // 1 / r, in the order of pivots
};

class PackedFactors {
 public:
  /// For factors of this pattern; `part_of` has a part for every column of the matrix, from 0 to parts − 1,
  /// or `parts` for the rest. Parts may depend on each other: then more rows count among the rest.
  void arrange(const FactorColumns& factors, std::span<const std::uint32_t> part_of, std::uint32_t parts);
  /// Takes the values of factors of the pattern, which must stay there: the next solution loads them, each
  /// part on its own thread.
  void load(const FactorColumns& factors) {
    factors_ = &factors;
    is_loaded_ = false;
  }

  /// Both may be the same memory.
  void solve(const double* rhs, double* solution, Team* team);

 private:
  void load_part(std::uint32_t part);
  void solve_lower(std::uint32_t part, const double* rhs);
  void solve_upper(std::uint32_t part, double* solution);
  struct Row {
    std::uint32_t place;      // in work_
    std::uint32_t outside;    // the place of its right-hand side, or of its solution
    std::uint32_t last;       // behind its entries
    std::uint32_t pivot = 0;  // its number in the order of pivots
  };
  struct Run {  // rows with the same number of entries
    std::uint32_t first, last;
    std::uint32_t first_entry;
    std::uint32_t entries;
  };
  struct Triangle {
    std::vector<Row> rows;
    std::vector<std::uint32_t> first_row;  // of each part, of the rest, and the end
    std::vector<Run> runs;
    std::vector<std::uint32_t> first_run;  // likewise
    std::vector<double> scales;            // of rows
    std::vector<std::uint32_t> columns;    // places in work_
    std::vector<double> values;
    std::vector<std::uint32_t> sources;  // of values in the columns
    std::uint32_t first_entry(std::uint32_t row) const { return row == 0 ? 0 : rows[row - 1].last; }
  };
  struct Entry {
    std::uint32_t column;
    std::uint32_t source;
  };
  using Rows = std::vector<std::vector<Entry>>;

  void arrange_lower(const FactorColumns& factors, std::vector<std::uint32_t> part);
  void arrange_upper(const FactorColumns& factors, std::vector<std::uint32_t> part);
  template <class F>
  void pack(Triangle& triangle, std::span<const std::uint32_t> order, std::span<const std::uint32_t> parts,
            F outside);
  void add_entries(Triangle& triangle, const Rows& rows) const;
  template <class Right, class Put>
  void run(const Triangle& triangle, std::uint32_t part, Right right, Put put);

  std::uint32_t parts_ = 0;
  const FactorColumns* factors_ = nullptr;
  bool is_loaded_ = false;
  bool shares_ = false;  // whether threads find enough to do
  Triangle lower_, upper_;
  std::vector<std::uint32_t> pivots_;  // of the rows of upper_, in u_values
  std::vector<std::uint32_t> place_;   // in work_, by the order of pivots
  std::vector<double> work_;           // in the order of lower_
};

}  // namespace dalembert
