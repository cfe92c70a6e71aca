// The solution of an order, as C: the right-hand side, its product with the inverse of the matrix, and what
// follows from accelerations.
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "expansion_writer.hpp"

namespace dalembert {
namespace {

constexpr std::size_t block = 8;             // of a column of the inverse
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
  line("  { const double o1 = k + 1, o2 = o1*(k + 2), p1 = 1/o1, p2 = 1/o2;");
  line("  const double d1 = (1 - o1*p1)*p1, d2 = (1 - o2*p2)*p2;");
  const auto keep_input = [&](std::size_t input, std::string_view vectors, std::string_view order,
                              const std::string& x) {
    if (!text_is_of_rest_) return;
    for (const bool is_derivative : {false, true})
      keep({place_of_input(input), is_derivative}, vectors, order, x);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t q = 1 + i, v = 1 + n + i, a = 1 + 2 * n + i;
    line(fmt::format("  const double nv{0} = over(x{0}, p1, d1), nq{0} = over(x{0}, p2, d2);", i));
    line(fmt::format("  z[{}] = x{}; z1[{}] = nv{}; z2[{}] = nq{};", place_of_input(a), i, place_of_input(v),
                     i, place_of_input(q), i));
    if (text_is_of_rest_)
      line(fmt::format("  y[{}] = x{}; y1[{}] = nv{}; y2[{}] = nq{};", a - 1, i, v - 1, i, q - 1, i));
    keep_input(a, "w", "k", fmt::format("x{}", i));
    keep_input(v, "w1", "(k + 1)", fmt::format("nv{}", i));
    keep_input(q, "w2", "(k + 2)", fmt::format("nq{}", i));
  }
  for (std::size_t j = 0; j < rows; ++j) {
    const std::size_t lambda = 1 + 3 * n + shape_.active[j];
    line(fmt::format("  z[{}] = x{};", place_of_input(lambda), n + j));
    if (text_is_of_rest_) line(fmt::format("  y[{}] = x{};", lambda - 1, n + j));
    keep_input(lambda, "w", "k", fmt::format("x{}", n + j));
  }
  for (const Origin origin : {Origin::solution_a, Origin::solution_v, Origin::solution_q})
    write_vectors(origin);
  line("  }");
}

void ExpansionWriter::write_solve() {
  const std::size_t size = shape_.n + shape_.active.size();
  std::string unknowns;
  for (std::size_t i = 0; i < size; ++i) unknowns += fmt::format("{}x{}", i > 0 ? ", " : "", i);
  if (size > 0) line(fmt::format("  double {};", unknowns));
  line(size > largest_inverse ? "  {" : "  if (k < m->solved_by_host) {");
  for (std::size_t i = 0; i < size; ++i) line(fmt::format("  m->right[{0}] = b{0};", i));
  line("  const double *const x = m->solve(m->host, k); (void)x;");
  for (std::size_t i = 0; i < size; ++i) line(fmt::format("  x{0} = x[{0}];", i));
  line("  }");
  if (size <= largest_inverse) write_product_with_inverse();
}

void ExpansionWriter::write_product_with_inverse() {
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
    line(fmt::format("  double x[{}] __attribute__((aligned(64)));", blocks * block));
    for (std::size_t i = 0; i < blocks; ++i) {
      // what constraints need comes last: two sums, so that the first is there by then
      std::string upper, lower;
      for (std::size_t j = 0; j < size; ++j) {
        std::string& sum = j < shape_.n ? upper : lower;
        sum += fmt::format("{}inverse[{}]*b{}", sum.empty() ? "" : " + ", j * blocks + i, j);
      }
      line(fmt::format("  ((v8 *)x)[{}] = {}{};", i, upper, lower.empty() ? "" : " + (" + lower + ")"));
    }
    for (std::size_t i = 0; i < size; ++i) line(fmt::format("  x{0} = x[{0}];", i));
  }
  line("  }");
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
