// The solution of an order, as C: the right-hand side, its product with the inverse of the matrix, and what
// follows from accelerations.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "expansion_writer.hpp"

namespace dalembert {
namespace {

constexpr std::size_t largest_inverse = 32;  // linalg/policy.hpp; larger matrices have none
constexpr std::size_t largest_written_out =
    4;  // whose products with the inverse are written number by number

}  // namespace

// −(k+1) times the constraints' sums; then a_k, v_{k+1}, q_{k+2}, λ_k. Both are quotients of a_k, so that
// neither waits for the other.
void ExpansionWriter::write_solution() {
  const std::size_t n = shape_.n;
  const std::size_t rows = shape_.active.size();
  for (std::size_t j = 0; j < rows; ++j) {
    const Register sum = shape_.constraint[shape_.active[j]];
    const std::string x = value(static_cast<Place>(plan_.place(sum)), Stage::position);
    line(fmt::format("  const double b{} = {};", n + j, x.empty() ? "0" : "-(k + 1.0)*" + x));
  }
  write_solve();
  line("  const double *const p = m->reciprocals + 4*k;");
  line("  const double p1 = p[0], p2 = p[1], d1 = p[2], d2 = p[3];");
  text_is_of_rest_&& has_vector_solution() ? write_solution_in_blocks() : write_solution_by_number();
  for (const Known when : {Known::position, Known::velocity, Known::acceleration}) write_vectors(when);
}

void ExpansionWriter::write_solution_by_number() {
  const std::size_t n = shape_.n;
  // after the start, the coefficients of inputs stand in the rows where others look at them
  const auto put = [&](const char* row, std::size_t input, const std::string& x) {
    if (!text_is_of_rest_ || is_looked_at_[place_of_input(input)])
      line(fmt::format("  {}[{}] = {};", row, place_of_input(input), x));
    if (text_is_of_rest_) line(fmt::format("  {}[{}] = {};", "y" + std::string(row + 1), input - 1, x));
  };
  for (std::size_t i = 0; i < n; ++i) {
    line(fmt::format("  const double nv{0} = over(x{0}, p1, d1), nq{0} = over(x{0}, p2, d2);", i));
    put("z", 1 + 2 * n + i, fmt::format("x{}", i));
    put("z1", 1 + n + i, fmt::format("nv{}", i));
    put("z2", 1 + i, fmt::format("nq{}", i));
  }
  for (std::size_t j = 0; j < shape_.active.size(); ++j)
    put("z", 1 + 3 * n + shape_.active[j], fmt::format("x{}", n + j));
}

// Whether a and λ stand one after the other in the polynomials as in the solution, and there are enough of
// them.
bool ExpansionWriter::has_vector_solution() const {
  const std::size_t size = shape_.n + shape_.active.size();
  return size > largest_written_out && size <= largest_inverse &&
         shape_.active.size() == shape_.constraint.size();
}

// Whole blocks of v_{k+1} and q_{k+2}: what they hold beyond v and q is written later, of later orders. Of
// a_k and λ_k no more than there are: q_{k+1} stands behind them.
void ExpansionWriter::write_solution_in_blocks() {
  const std::size_t n = shape_.n, size = n + shape_.active.size();
  for (std::size_t i = 0; i < n; i += block) {
    line(fmt::format("  const v8 a{0} = ((const v8 *)x)[{0}];", i / block));
    line(fmt::format("  *(v8u *)(y1 + {}) = a{}*p1 + a{}*d1;", n + i, i / block, i / block));
  }
  for (std::size_t i = 0; i < n; i += block)
    line(fmt::format("  *(v8u *)(y2 + {}) = a{}*p2 + a{}*d2;", i, i / block, i / block));
  for (std::size_t i = 0; i < size;) {
    const std::size_t width = size - i >= 8 ? 8 : size - i >= 4 ? 4 : size - i >= 2 ? 2 : 1;
    line(fmt::format("  *(v{0}u *)(y + {1}) = *(const v{0}u *)(x + {2});", width, 2 * n + i, i));
    i += width;
  }
  // whoever needs a number loads it, instead of taking blocks apart
  line("  __asm__ volatile(\"\" : : : \"memory\");");
  for (std::size_t i = 0; i < n; ++i) {
    line(fmt::format("  const double nv{0} = y1[{1}], nq{0} = y2[{0}], x{0} = y[{2}];", i, n + i, 2 * n + i));
    line(fmt::format("  (void)nv{0}; (void)nq{0}; (void)x{0};", i));
  }
  for (std::size_t i = n; i < size; ++i)
    line(fmt::format("  const double x{0} = y[{1}]; (void)x{0};", i, 2 * n + i));
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t input = 1 + 2 * n + i;
    if (is_looked_at_[place_of_input(input)]) line(fmt::format("  z[{}] = x{};", place_of_input(input), i));
    if (i >= n) continue;
    if (is_looked_at_[place_of_input(input - n)])
      line(fmt::format("  z1[{}] = nv{};", place_of_input(input - n), i));
    if (is_looked_at_[place_of_input(input - 2 * n)])
      line(fmt::format("  z2[{}] = nq{};", place_of_input(input - 2 * n), i));
  }
}

// Into x0, x1, ..., or as numbers of x.
void ExpansionWriter::write_solve() {
  const std::size_t size = shape_.n + shape_.active.size();
  const bool in_blocks = text_is_of_rest_ && has_vector_solution();
  std::string unknowns;
  for (std::size_t i = 0; i < size; ++i) unknowns += fmt::format("{}x{}", i > 0 ? ", " : "", i);
  if (in_blocks) {
    line(fmt::format("  double x[{}] __attribute__((aligned(64)));", (size + block - 1) / block * block));
  } else if (size > 0) {
    line(fmt::format("  double {};", unknowns));
  }
  line(size > largest_inverse ? "  {" : "  if (k < m->solved_by_host) {");
  for (std::size_t i = 0; i < size; ++i) line(fmt::format("  m->right[{0}] = b{0};", i));
  line("  const double *const solution = m->solve(m->host, k); (void)solution;");
  for (std::size_t i = 0; i < size; ++i)
    line(fmt::format("  {0} = solution[{1}];", in_blocks ? fmt::format("x[{}]", i) : fmt::format("x{}", i),
                     i));
  line("  }");
  if (size <= largest_inverse) write_product_with_inverse(in_blocks);
}

void ExpansionWriter::write_product_with_inverse(bool in_blocks) {
  const std::size_t size = shape_.n + shape_.active.size();
  const std::size_t blocks = (size + block - 1) / block;
  line("  else {");
  if (size <= largest_written_out) {
    line("  const double *const inverse = m->inverse; (void)inverse;");
    for (std::size_t i = 0; i < size; ++i) {
      std::string sum;
      for (std::size_t j = 0; j < size; ++j)
        sum += fmt::format("{}inverse[{}]*b{}", j > 0 ? " + " : "", j * block * blocks + i, j);
      line(fmt::format("  x{} = {};", i, sum));
    }
  } else {
    line("  const v8 *const inverse = (const v8 *)m->inverse;");
    if (!in_blocks) line(fmt::format("  double x[{}] __attribute__((aligned(64)));", blocks * block));
    for (std::size_t i = 0; i < blocks; ++i) {
      // what constraints need comes last: two sums, so that the first is there by then
      std::string upper, lower;
      for (std::size_t j = 0; j < size; ++j) {
        std::string& sum = j < shape_.n ? upper : lower;
        sum += fmt::format("{}inverse[{}]*b{}", sum.empty() ? "" : " + ", j * blocks + i, j);
      }
      line(fmt::format("  ((v8 *)x)[{}] = {}{};", i, upper, lower.empty() ? "" : " + (" + lower + ")"));
    }
    for (std::size_t i = 0; !in_blocks && i < size; ++i) line(fmt::format("  x{0} = x[{0}];", i));
  }
  if (size > 0) {
    std::string right, unknowns;
    for (std::size_t i = 0; i < size; ++i) {
      right += fmt::format("{}b{}", i > 0 ? ", " : "", i);
      unknowns += fmt::format("{}x{}", i > 0 ? ", " : "", i);
    }
    line(fmt::format("  if (k < m->refined) {{ const double right[] = {{{}}};", right));
    if (in_blocks) {
      line("  refine(m, right, x);");
    } else {
      line(fmt::format("  double unknowns[] = {{{}}}; refine(m, right, unknowns);", unknowns));
      for (std::size_t i = 0; i < size; ++i) line(fmt::format("  x{0} = unknowns[{0}];", i));
    }
    line("  }");
  }
  line("  }");
}

// One step of iterative refinement, as Expansion::refined().
void ExpansionWriter::write_refinement() {
  const std::size_t size = shape_.n + shape_.active.size();
  if (size == 0 || size > largest_inverse) return;
  const std::size_t stride = (size + block - 1) / block * block;
  line("\nstatic void refine(const struct memory *m, const double *b, double *x) {");
  line("  const double *const z0 = m->rows; const double *const c = m->constants; (void)z0; (void)c;");
  line(fmt::format("  double r[{0}], lost[{0}] = {{0}};", size));
  line(fmt::format("  for (int i = 0; i < {}; ++i) r[i] = b[i];", size));
  for (const MatrixElement& e : shape_.matrix)
    line(fmt::format("  subtract(r + {0}, lost + {0}, {1}, x[{2}]);", e.row, value_at_start(e.value),
                     e.column));
  line(fmt::format("  for (int i = 0; i < {}; ++i) r[i] += lost[i];", size));
  line(fmt::format("  const double *inverse = m->inverse;"));
  line(fmt::format("  for (int j = 0; j < {0}; ++j, inverse += {1})", size, stride));
  line(fmt::format("    for (int i = 0; i < {}; ++i) x[i] += inverse[i]*r[j];", size));
  line("}");
}

// The orders that are there when rest() begins.
void ExpansionWriter::write_first_polynomials() {
  const std::size_t n = shape_.n, width = polynomial_width();
  line(fmt::format("  double *y = m->polynomials, *y1 = y + {0}, *y2 = y1 + {0};", width));
  for (std::size_t i = 0; i < width; ++i) {
    const Place place = place_of_input(i + 1);
    line(fmt::format("  y[{}] = z[{}];", i, place));
    if (i < 2 * n) line(fmt::format("  y1[{}] = z1[{}];", i, place));
    if (i < n) line(fmt::format("  y2[{}] = z2[{}];", i, place));
  }
}

}  // namespace dalembert
