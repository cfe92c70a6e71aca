// Writes the recursion of several trajectories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dalembert/codegen/lanes_source.hpp>

namespace dalembert {

class LanesWriter {
 public:
  LanesWriter(const RecursionShape& shape, std::size_t lanes);
  LanesSource write();

 private:
  using Place = SeriesPlan::Place;
  using Code = SeriesPlan::Code;
  struct Sum {
    std::uint32_t place;  // among the sums of its code
    std::size_t a, b;     // streams
    bool per_order;       // divided by k
    std::string factor;   // "1", "-1", or a number
  };

  const Code& code(Stage stage) const { return plan_.stages[static_cast<std::size_t>(stage)].back(); }
  std::vector<Sum>& sums(Stage stage) { return sums_[static_cast<std::size_t>(stage)]; }

  void find_stages();
  struct Factors {  // of a row: texts; empty: 1
    std::string x, y;
    bool is_x_negative = false, is_y_negative = false;
  };
  void find_shared_products();
  void find_sums(Stage stage);
  std::string find_factors(Stage stage, const SeriesPlan::Nonlinear& n, std::uint32_t number);
  bool is_number(ConstantId constant, long number) const;
  std::size_t stream(Place place, bool is_derivative);
  std::string operand_at(std::size_t stream, std::string_view order) const;
  Place input(std::size_t number) const { return static_cast<Place>(plan_.place(program_.inputs[number])); }

  void line(std::string_view text) { (text_ += text) += '\n'; }
  std::string value(Place place, Stage where);
  std::string term(std::uint32_t row, std::size_t which, ConstantId constant, Place place, Stage where);
  std::string row_text(std::uint32_t row, Stage stage);
  void write_begin();
  void write_first_streams();
  void write_sums(Stage stage);
  void write_loops(Stage stage, const std::vector<Sum>& some);
  std::vector<std::vector<Sum>> chunks_of(std::vector<Sum> sums) const;
  void finish_sum(Stage stage, const Sum& sum, const std::string& text);
  void write_rows(Stage stage);
  void write_right_sides();
  void write_constraint_sides();
  void write_solution();
  void keep(Place place, std::string_view order, const std::string& value);

  const RecursionShape& shape_;
  const SeriesPlan& plan_;
  const Program& program_;
  std::size_t lanes_;
  bool is_possible_ = true;
  std::vector<Stage> row_stages_;
  std::vector<bool> is_nonlinear_, is_looked_at_;
  bool writes_factors_ = true;
  std::map<std::uint32_t, Factors> factors_;  // by row
  std::string definitions_;                   // of what stands in them
  std::map<Place, std::pair<Place, bool>>
      is_slope_;  // of sin q: of q' cos q; of cos q: of q' sin q, negative
  LanesSource source_;
  std::vector<bool> is_late_;  // by row: of the position stage, but accelerations need its order before
  std::map<std::pair<Place, bool>, std::size_t> streams_;
  std::vector<Sum> sums_[4];
  std::map<std::pair<Stage, std::uint32_t>, std::string> finished_;  // sums, by their names
  std::string text_;
};

}  // namespace dalembert
