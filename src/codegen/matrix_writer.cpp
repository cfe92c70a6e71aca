// The matrix of the saddle point and products with its constraints, as C.
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "expansion_writer.hpp"

namespace dalembert {

std::string ExpansionWriter::value_at_start(const Scaled& value) const {
  if (value.x == no_register) return fmt::format("c[{}]", value.coefficient);
  const Product product =
      constant_times(value.coefficient, at_start(static_cast<Place>(plan_.place(value.x))));
  return sum_of({product});
}

void ExpansionWriter::begin_function(const char* name, const char* arguments) {
  line(fmt::format("\nvoid {}(const struct memory *m{}) {{", name, arguments));
  line("  const double *const z0 = m->rows; const double *const c = m->constants; (void)z0; (void)c;");
}

void ExpansionWriter::write_matrix() {
  const std::size_t size = shape_.n + shape_.active.size();
  const std::size_t stride = (size + block - 1) / block * block;
  begin_function(matrix_function, ", double *columns");
  for (const MatrixElement& e : shape_.matrix)
    line(fmt::format("  columns[{}] = {};", e.column * stride + e.row, value_at_start(e.value)));
  line("  (void)columns;\n}");
}

// C x of each row, as products of the matrix with x[j].
void ExpansionWriter::write_constraint_rows(const char* result, const std::vector<std::string>& begin,
                                            const std::string& x) {
  for (std::size_t row = 0; row < shape_.active.size(); ++row) {
    std::string sum = begin[row];
    for (const MatrixElement& e : shape_.matrix) {
      if (e.row == shape_.n + row && e.column < shape_.n)
        sum += fmt::format(" + ({})*{}[{}]", value_at_start(e.value), x, e.column);
    }
    line(fmt::format("  {}[{}] = {};", result, row, sum));
  }
}

void ExpansionWriter::write_constraint_products() {
  begin_function(product_function, ", const double *x, double *sum");
  std::vector<std::string> begin;
  for (std::size_t row = 0; row < shape_.active.size(); ++row) begin.push_back(fmt::format("sum[{}]", row));
  write_constraint_rows("sum", begin, "x");
  line("  (void)x; (void)sum;\n}");
  begin_function(residual_function, ", double *residual");
  line(fmt::format("  const double *const v = z0 + {}; (void)v;", place_of_input(1 + shape_.n)));
  begin.clear();
  for (const std::size_t constraint : shape_.active) begin.push_back(value_at_start(shape_.c[constraint]));
  write_constraint_rows("residual", begin, "v");
  line("  (void)residual;\n}");
}

}  // namespace dalembert
