#include "expansion_writer.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dalembert/expr/lanes.hpp>

namespace dalembert {
namespace {

constexpr std::string_view preamble =
    R"(typedef double v8u __attribute__((vector_size(64), may_alias, aligned(8)));
typedef double v4u __attribute__((vector_size(32), may_alias, aligned(8)));
typedef double v2u __attribute__((vector_size(16), may_alias, aligned(8)));
typedef double v1u __attribute__((may_alias));
struct memory {
  double *rows;
  const double *constants, *factors, *position_factors, *velocity_factors;
  double *work, *right, *polynomials;
  const double *inverse, *reciprocals;
  int solved_by_host, refined;
  void *host;
  const double *(*solve)(void *host, int k);
  void (*sincos)(const double *x, double *sine, double *cosine);
};
/* What is used twice is not loaded twice, as the operand of two multiplications. */
#if defined(__x86_64__)
#define LOAD_ONCE(x) __asm__("" : "+v"(x))
#elif defined(__aarch64__)
#define LOAD_ONCE(x) __asm__("" : "+w"(x))
#else
#define LOAD_ONCE(x)
#endif
/* a/k, given 1/k = r + d: as accurate as a division, and sooner there */
static inline double over(double a, double r, double d) { return a*r + a*d; }
static inline vn over_each(vn a, double r, double d) { return a*r + a*d; }
/* r -= x y, with what rounding loses of the product and of the sum in lost */
static inline void subtract(double *r, double *lost, double x, double y) {
  double product = x*y;
  LOAD_ONCE(product);
  const double sum = *r - product, part = sum - *r;
  *lost += ((*r - (sum - part)) - (product + part)) - __builtin_fma(x, y, -product);
  *r = sum;
}
)";

// As recurrence::power_at_zero().
constexpr std::string_view power_preamble =
    R"(static int natural(double c) { return c >= 0 && c <= 1e6 && c == (double)(int)c; }
static double power_at_zero(const double *a, const double *u, long stride, int n, int k) {
  int m = 1;
  while (m <= k && a[m * stride] == 0) ++m;
  if (n == 0 || n > k || (long)m * n > k) return 0;
  const int i = k - m * n;
  const double *b = a + m * stride, *w = u + (long)m * n * stride;
  double sum = i == 0;
  if (i == 0) {
    for (int p = 0; p < n; ++p) sum *= b[0];
    return sum;
  }
  for (int j = 1; j <= i; ++j) sum += (double)(n * j - i + j) * b[j * stride] * w[(i - j) * stride];
  return sum / (i * b[0]);
}
)";

}  // namespace

ExpansionSource ExpansionWriter::write() {
  source_.work_per_order = sums_.vectors() * sums_.width();
  source_.work_beside = 3 * sums_.groups().size() * sums_.width();
  write_preamble();
  write_values(Stage::position, position_function);
  write_values(Stage::velocity, velocity_function);
  write_matrix();
  write_constraint_products();
  write_refinement();
  write_start();
  text_is_of_rest_ = true;
  write_rest();
  if (is_possible_) {
    source_.text = std::move(text_);
  } else {
    source_.reason = "the program has a form that is not written as C";
  }
  return std::move(source_);
}

void ExpansionWriter::line(std::string_view text) {
  text_ += text;
  text_ += '\n';
}

std::string ExpansionWriter::sum_of(const std::vector<Product>& products) {
  std::string text;
  for (const Product& p : products) {
    const bool is_first = text.empty();
    text += p.is_negative ? (is_first ? "-" : " - ") : (is_first ? "" : " + ");
    text += p.factor.empty() ? p.value : p.factor + "*" + p.value;
  }
  return text.empty() ? "0" : text;
}

void ExpansionWriter::write_preamble() {
  line("/* The Adomian recursion: coefficients z[place] of order k; r: rows, s: sums over lower orders. */");
  // As memory of this program is aligned, which depends on the instructions that it is compiled for.
  const std::size_t of_sums = sums_.width() == 8 ? alignof(Lanes<8>) : alignof(Lanes<4>);
  line(fmt::format("typedef double v8 __attribute__((vector_size(64), aligned({}), may_alias));",
                   alignof(Lanes<8>)));
  line(fmt::format(
      "typedef double vn __attribute__((vector_size({}), aligned({}), may_alias)); /* lanes of sums */",
      sizeof(double) * sums_.width(), of_sums));
  line(preamble);
  bool has_power = false;
  for (const auto& codes : plan_.stages) {
    for (const SeriesPlan::Segment& segment : codes.back().segments)
      has_power = has_power || segment.power != SeriesPlan::none;
  }
  if (has_power) line(power_preamble);
}

void ExpansionWriter::write_factors() {
  line("  const double *const c = m->constants; (void)c;");
  line(
      "  const double *const f = m->factors, *const fp = m->position_factors, *const fv = "
      "m->velocity_factors;");
  line("  (void)f; (void)fp; (void)fv;");
  for (const std::string& factor : factors_) line("  const double " + factor + ";");
}

// a_0, λ_0, v_1, q_2 from what the position stage has at order 1.
void ExpansionWriter::write_start() {
  line(fmt::format("int {}(const struct memory *m) {{", start_function));
  line(fmt::format("  double *const z0 = m->rows, *const z1 = z0 + {0}, *const z2 = z1 + {0};",
                   plan_.row_size));
  line(fmt::format("  double *const z = z0, *const y1 = z1 + {0}; (void)y1;", place_of_input(1)));
  line("  const int k = 0;");
  if (!doubts_.empty()) {
    line("  double e = 0;");
    for (const std::string& doubt : doubts_) line("  " + doubt);
    line("  if (!(e == 0)) return 0;");
  }
  write_factors();
  write_rows(Stage::position, false, true);
  for (std::size_t i = 0; i < shape_.n; ++i) {
    const Scaled& f = shape_.f[i];
    const std::string x = f.x == no_register ? "" : "*" + at_start(static_cast<Place>(plan_.place(f.x)));
    line(fmt::format("  const double b{} = c[{}]{};", i, f.coefficient, x));
  }
  write_solution();
  write_accelerations_at_start();
  line("  return 1;\n}");
}

// Sums of what is there, at order 0: with their constants.
void ExpansionWriter::write_accelerations_at_start() {
  for (const SeriesPlan::Placed& i : code(Stage::acceleration).values) {
    if (i.op != Op::linear) is_possible_ = false;
    line(fmt::format("  {} = {};", at_start(i.result), value_of(i)));
  }
}

void ExpansionWriter::write_rest() {
  const std::size_t width = sums_.vectors() * sums_.width();
  const std::size_t results = sums_.groups().size() * sums_.width();
  line(fmt::format("\nvoid {}(const struct memory *m, int order) {{", rest_function));
  line(fmt::format("  double *const z0 = m->rows, *z = z0, *z1 = z + {0}, *z2 = z1 + {0};", plan_.row_size));
  line(fmt::format(
      "  double *const s = m->work, *const next = s + {0}, *const first = next + {0}, *w = first + {0}, "
      "*w1 = w + {1}, *w2 = w1 + {1};",
      results, width));
  line("  double *const w0 = w;");
  line("  (void)w0; (void)next; (void)first; (void)z2; (void)w2;");
  write_first_polynomials();
  write_first_values();
  write_factors();
  line("  int k = 0;");
  line(fmt::format("  for (int i = 0; i < {}; ++i) next[i] = 0;", results));
  write_rows(Stage::position, false, true);
  keep_inputs(0, 1, "z1", "w1", "1");
  keep_inputs(1, shape_.n, "z1", "w1", "1");
  keep_inputs(1 + shape_.n, shape_.n, "z1", "w1", "1");
  keep_inputs(1, shape_.n, "z2", "w2", "2");
  line("  for (k = 1; k < order; ++k) {");
  line(fmt::format("  z = z1; z1 = z2; z2 += {};", plan_.row_size));
  line(fmt::format("  w = w1; w1 = w2; w2 += {};", width));
  line(fmt::format("  y = y1; y1 = y2; y2 += {};", polynomial_width()));
  text_is_of_loop_ = true;
  write_reciprocals();
  write_sums(Stage::velocity);
  write_rows(Stage::velocity, true, true);
  write_vectors(Known::late_rows);
  // a force of q and t alone is a position row: read before it is that of the next order
  for (std::size_t i = 0; i < shape_.n; ++i) {
    const std::string x = value(static_cast<Place>(plan_.place(shape_.force[i])), Stage::velocity);
    line(fmt::format("  const double b{} = {};", i, x.empty() ? "0" : x));
  }
  write_past_rows();
  write_some_rows(Stage::position, true, true);
  write_vectors(Known::early_sums);
  write_sums(Stage::position);
  write_some_rows(Stage::position, true, false);
  write_vectors(Known::early_rows);
  write_solution();
  write_rows(Stage::acceleration, false, true);
  write_vectors(Known::last_rows);
  line("  }");
  line("}");
}

// Position rows are of order k + 1, and stay until the velocity stage of the next order has read them.
void ExpansionWriter::write_rows(Stage stage, bool has_sums, bool declares) {
  for (const SeriesPlan::Segment& segment : code(stage).segments) {
    for (std::uint32_t i = segment.first; declares && i < segment.last; ++i)
      line(fmt::format("  double r{};", i));
  }
  for (const bool early : {true, false}) write_some_rows(stage, has_sums, early);
}

// Sums of q alone, or the others.
void ExpansionWriter::write_some_rows(Stage stage, bool has_sums, bool early) {
  for (const SeriesPlan::Segment& segment : code(stage).segments) {
    for (std::uint32_t i = segment.first; i < segment.last; ++i) {
      if ((known_[plan_.first_row + i] == Known::early_sums) != early) continue;
      write_row(i, has_sums);
      if (segment.power != SeriesPlan::none && i + 1 == segment.last)
        write_power(code(stage).nonlinear[segment.power].instruction, fmt::format("r{}", i),
                    stage == Stage::position ? "(k + 1)" : "k");
      keep_row(stage, i);
    }
  }
}

void ExpansionWriter::write_row(std::uint32_t row, bool has_sums) {
  const Recipe& recipe = recipes_[row];
  std::vector<Product> products = recipe.products;
  if (recipe.has_sum && has_sums && recipe.sum_has_first) products.erase(products.begin() + 1);
  if (recipe.has_sum && !has_sums) products.erase(products.begin());
  line(fmt::format("  r{} = {};", row, sum_of(products)));
}

// For others, and before the loop for sums.
void ExpansionWriter::keep_row(Stage stage, std::uint32_t row) {
  const bool ahead = stage == Stage::position;
  const auto place = static_cast<Place>(plan_.first_row + row);
  const std::string name = fmt::format("r{}", row);
  if (is_looked_at_[place]) line(fmt::format("  {}[{}] = {};", ahead ? "z1" : "z", place, name));
  if (!text_is_of_rest_ || text_is_of_loop_) return;
  for (const bool is_derivative : {false, true})
    keep({place, is_derivative}, ahead ? "w1" : "w", ahead ? "(k + 1)" : "k", name);
}

// What the newest coefficients of left operands are multiplied by.
void ExpansionWriter::write_first_values() {
  for (std::size_t g = 0; g < sums_.groups().size(); ++g) {
    const SumGroups::Group& group = sums_.groups()[g];
    for (std::size_t lane = 0; lane < sums_.width(); ++lane) {
      if (group.first[lane] != 0)
        line(fmt::format("  first[{}] = {};", g * sums_.width() + lane, at_start(group.first[lane])));
    }
  }
}

void ExpansionWriter::write_power(const Instruction& power, const std::string& row, std::string_view order) {
  line(
      fmt::format("  if (z0[{0}] == 0 && natural(c[{1}])) {2} = power_at_zero(z0 + {0}, z0 + {3}, {4}, "
                  "(int)c[{1}], {5});",
                  power.x, power.constant, row, power.result, plan_.row_size, order));
}

std::size_t widest_lanes() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") ? 8 : 4;
#else
  return 4;
#endif
}

ExpansionSource write_expansion(const RecursionShape& shape) {
  if (const std::size_t rows = shape.plan->rows.size(); rows > most_rows) {
    ExpansionSource source;
    source.reason =
        fmt::format("the series have {} rows; more than {} are left to the interpreter", rows, most_rows);
    return source;
  }
  return ExpansionWriter(shape).write();
}

}  // namespace dalembert
