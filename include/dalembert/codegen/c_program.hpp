// A program as C, to be read: as straight lines that compute values, and as a series, one function per stage
// that computes coefficient k of each register from those before (expr/recurrence.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <dalembert/codegen/c_expression.hpp>
#include <dalembert/tape/program.hpp>

namespace dalembert {

/// Functions that the lines call, by their names; several programs share them.
class CHelpers {
 public:
  void need(const std::string& name) { needed_.insert(name); }
  bool has(const std::string& name) const { return needed_.count(name) > 0; }
  /// Those that are called, as static functions.
  std::string text() const;

 private:
  std::set<std::string> needed_;
};

class CProgram {
 public:
  /// Parameters by their symbols; other constants become entries of `array`.
  CProgram(const Program& program, CSymbols parameters, std::string array, CHelpers& helpers);

  struct Values {
    std::string lines;
    std::vector<std::string> outputs;
  };
  /// The values of `outputs`; the program's inputs by their texts. What is used once and short stands where
  /// it is used.
  Values values(std::span<const std::string> inputs, std::span<const Scaled> outputs);

  /// Of a series `s`[row][order]: statements for order 0, and for order k > 0.
  std::string order_zero(Stage stage);
  std::string order_k(Stage stage);
  /// The row of a register, and how many there are.
  std::size_t row(Register r) const { return rows_.at(r); }
  std::size_t row_count() const { return rows_.size(); }
  /// Coefficient 0 or k of an output.
  std::string at_zero(const Scaled& output);
  std::string at_order(const Scaled& output, const std::string& order);

  /// After all others: the constants that they use, and the lines that compute them.
  std::size_t constant_count() const { return used_constants_.size(); }
  std::string constants() const;

 private:
  using Name = std::function<std::string(Register)>;

  std::string constant(ConstantId id);
  std::string factor_times(ConstantId id, const std::string& value);
  std::string linear(const Instruction& i, const Name& name, bool has_constant);
  std::string value(const Instruction& i, const Name& name);
  std::string second_value(const Instruction& i, const Name& name);
  std::string coefficient(const Instruction& i);
  std::string second_coefficient(const Instruction& i);
  std::string call(const std::string& function, const std::string& arguments);
  std::string series(Register r) const;
  std::string series_at(Register r, const std::string& order) const;
  std::string comment(Register r) const;
  std::vector<int> count_uses(std::span<const Scaled> outputs) const;
  void write_values_of(const Instruction& i, const std::vector<int>& uses,
                       std::map<Register, std::string>& texts, std::string& lines);

  const Program& program_;
  CSymbols parameters_;
  std::string array_;
  CHelpers& helpers_;
  std::map<ConstantId, std::size_t> used_constants_;
  std::map<Register, std::size_t> rows_;
};

}  // namespace dalembert
