// Writes the functions of an expansion, part by part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dalembert/codegen/expansion_source.hpp>

#include "sum_groups.hpp"

namespace dalembert {

class ExpansionWriter {
 public:
  explicit ExpansionWriter(const RecursionShape& shape);

  bool is_possible() const { return is_possible_; }
  ExpansionSource write();

 private:
  using Place = SeriesPlan::Place;
  using Code = SeriesPlan::Code;

  struct Product {  // sign · factor · value; an empty factor is 1
    bool is_negative = false;
    std::string factor;
    std::string value;
  };
  struct Recipe {  // of a row: its products, that with the sum first where it has one
    std::vector<Product> products;
    bool has_sum = false;
    bool sum_has_first = false;  // and then the product behind it
  };

  const Code& code(Stage stage) const { return plan_.stages[static_cast<std::size_t>(stage)].back(); }

  // What rows are made of
  void find_stages();
  void find_recipes(Stage stage);
  bool add_recipe(Stage stage, const SeriesPlan::Nonlinear& n);
  void add_found_recipe(Stage stage, const SeriesPlan::Nonlinear& n);
  void set_recipe(Stage stage, std::uint32_t row, std::vector<Product> products);
  std::uint32_t rows_of(const SeriesPlan::Nonlinear& n) const;
  Product constant_times(ConstantId id, const std::string& value) const;
  std::string at_start(Place place) const;
  std::string value(Place place, Stage where);

  static std::vector<Known> find_known(const RecursionShape& shape);
  std::string lane(const Operand& operand, Known when) const;
  std::string solved(std::size_t i) const;

  // Text
  void line(std::string_view text);
  static std::string sum_of(const std::vector<Product>& products);
  void write_preamble();
  void write_values(Stage stage, const char* name);
  std::string value_of(const Instruction& i) const;
  std::size_t write_sincos(std::span<const SeriesPlan::Placed> values);
  void write_start();
  void write_rest();
  void write_factors();
  void write_reciprocals();
  void write_sums(Stage stage);
  void write_sum_loops(Stage stage);
  void write_sum_ends(Stage stage);
  void write_chunk(std::size_t first, std::size_t last);
  std::vector<std::size_t> right_vectors(std::size_t first, std::size_t last) const;
  void write_terms(std::size_t first, std::size_t last, std::size_t count, std::string_view loop);
  void write_newest_terms(std::size_t first, std::size_t last);
  void write_finished(std::size_t group, std::string sum);
  void write_rows(Stage stage, bool has_sums, bool declares);
  void write_some_rows(Stage stage, bool has_sums, bool early);
  void write_row(std::uint32_t row, bool has_sums);
  void keep_row(Stage stage, std::uint32_t row);
  void write_first_values();
  void write_power(const Instruction& power, const std::string& row, std::string_view order);
  void write_solution();
  void write_solve();
  void write_product_with_inverse(bool in_blocks);
  void write_refinement();
  bool has_vector_solution() const;
  void write_solution_by_number();
  void write_solution_in_blocks();
  void write_first_polynomials();
  /// Numbers of an order of the step's polynomials: q, v, a, λ.
  std::size_t polynomial_width() const { return 3 * shape_.n + shape_.constraint.size(); }
  Place place_of_input(std::size_t input) const {
    return static_cast<Place>(plan_.place(program_.inputs[input]));
  }
  void write_accelerations_at_start();
  std::string value_at_start(const Scaled& value) const;
  void begin_function(const char* name, const char* arguments);
  void write_matrix();
  void write_constraint_products();
  void write_constraint_rows(const char* result, const std::vector<std::string>& begin, const std::string& x);
  void write_vectors(Known when);
  std::string sums_in(const SumGroups::Vector& vector, Known when) const;
  void write_past_rows();
  void keep(Operand operand, std::string_view vectors, std::string_view order, const std::string& value);
  void keep_inputs(std::size_t first, std::size_t count, std::string_view row, std::string_view vectors,
                   std::string_view order);

  static constexpr std::size_t block = 8;  // of columns of the matrix and its inverse
  const RecursionShape& shape_;
  const SeriesPlan& plan_;
  const Program& program_;
  bool is_possible_ = true;
  bool has_other_functions_ = false;  // than sin and cos: values may be infinite
  ExpansionSource source_;
  std::vector<Known> known_;  // by place
  SumGroups sums_;
  std::vector<Stage> row_stages_;
  std::vector<std::size_t> inputs_;  // by place: which input it is, or none
  std::vector<Recipe> recipes_;      // of rows
  static constexpr std::size_t no_input = SIZE_MAX;
  std::vector<bool> is_looked_at_;    // by place
  std::vector<std::string> factors_;  // lines that define factors
  std::vector<std::string> doubts_;   // lines that ask whether the interpreter must do it
  std::string text_;
  bool text_is_of_loop_ = false;  // where whole vectors are kept
  bool text_is_of_rest_ = false;  // where coefficients are kept for sums
};

}  // namespace dalembert
